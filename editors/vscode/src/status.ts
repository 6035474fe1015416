// The item in the status bar: the state of the server, and the number of triggers in the displayed runs.

import * as vscode from 'vscode';
import { State } from 'vscode-languageclient/node';

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('ttsr.status', vscode.StatusBarAlignment.Right, 10);
  private triggers = 0;
  private state: State | 'missing' = State.Starting;

  constructor() {
    this.item.name = 'TTSR';
    this.draw();
    this.item.show();
  }

  serverIs(state: State | 'missing'): void {
    this.state = state;
    this.draw();
  }

  shown(triggers: number): void {
    this.triggers = triggers;
    this.draw();
  }

  dispose(): void {
    this.item.dispose();
  }

  private draw(): void {
    this.item.backgroundColor = undefined;
    this.item.command = 'ttsr.showLog';
    switch (this.state) {
      case State.Running:
        this.item.command = 'ttsr.showRuns';
        this.item.text = this.triggers > 0 ? `$(zap) TTSR ${this.triggers}` : '$(check) TTSR';
        this.item.tooltip =
          this.triggers > 0
            ? `${this.triggers === 1 ? '1 trigger' : `${this.triggers} triggers`} in this run. Click to see the runs.`
            : 'The TTSR server is running. Click to see the runs of agents.';
        break;
      case 'missing':
      case State.Stopped:
      case State.StartFailed:
        this.item.text = '$(warning) TTSR';
        this.item.tooltip =
          this.state === 'missing'
            ? 'No ttsr-ls server was found. Click to see where it was looked for.'
            : 'The TTSR server is not running. Click to start it.';
        if (this.state !== 'missing') this.item.command = 'ttsr.restart';
        this.item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
        break;
      default:
        this.item.text = '$(sync~spin) TTSR';
        this.item.tooltip = 'The TTSR server is starting.';
    }
  }
}
