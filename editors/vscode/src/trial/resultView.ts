// The panel with the result of the last trial; there is only one.

import * as vscode from 'vscode';

import { panelHtml, panelOptions } from '../panelHtml';
import { isRemedy, type NoServer } from '../remedies';
import type { TestTextResult } from '../webview/answer';
import { inDocument } from './protocol';

export interface TrialResult {
  readonly document: vscode.TextDocument;
  readonly base: vscode.Position;
  readonly result: TestTextResult;
  readonly where: string;
}

/** A message of the page. */
interface PageMessage {
  readonly kind?: unknown;
  readonly uri?: unknown;
  readonly line?: unknown;
  readonly rule?: unknown;
  readonly match?: unknown;
  readonly command?: unknown;
}

const LONGEST_SHOWN = 120;

export class ResultView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private trial: TrialResult | undefined;

  constructor(private readonly extension: vscode.Uri) {}

  /** Shows a result in the open panel, or in a new one if `reveal` is true. The editor keeps the focus. */
  show(trial: TrialResult, reveal: boolean): void {
    this.trial = trial;
    if (this.panel === undefined) {
      if (!reveal) return;
      const panel = vscode.window.createWebviewPanel(
        'ttsr.testResult',
        'TTSR: Test result',
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        panelOptions(this.extension),
      );
      this.panel = panel;
      panel.onDidDispose(() => {
        // Another panel may be open by now.
        if (this.panel === panel) this.panel = undefined;
      });
      panel.webview.onDidReceiveMessage((message: PageMessage) => this.answer(message));
      panel.webview.html = panelHtml(panel.webview, this.extension, 'result', '<main id="view"></main>');
    } else if (reveal && !this.panel.visible) {
      // The panel must not hide the text: if both are in one group, the panel opens beside.
      const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === trial.document);
      const isBehind = shown?.viewColumn === this.panel.viewColumn;
      this.panel.reveal(isBehind ? vscode.ViewColumn.Beside : undefined, true);
    }
    this.post();
  }

  /** Shows above the result that no server runs, so the result does not follow the edits. */
  showNoServer(message: NoServer): void {
    void this.panel?.webview.postMessage(message);
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private post(): void {
    if (this.trial === undefined || this.panel === undefined) return;
    const { document, base, result, where } = this.trial;
    const ranges = result.rules.map((rule) => rule.matches.map((match) => inDocument(match.range, base)));
    void this.panel.webview.postMessage({
      result,
      where,
      texts: ranges.map((ofRule) => ofRule.map((range) => document.getText(range).slice(0, LONGEST_SHOWN))),
      lines: ranges.map((ofRule) => ofRule.map((range) => range.start.line + 1)),
    });
  }

  private async answer(message: PageMessage): Promise<void> {
    const trial = this.trial;
    if (message.kind === 'ready') this.post();
    if (message.kind === 'remedy' && isRemedy(message.command)) await vscode.commands.executeCommand(message.command);
    if (trial === undefined) return;
    if (message.kind === 'as') {
      await vscode.window.showTextDocument(trial.document, { preserveFocus: false });
      await vscode.commands.executeCommand('ttsr.testSelectionAs');
    } else if (message.kind === 'match') {
      const match = trial.result.rules[Number(message.rule)]?.matches[Number(message.match)];
      if (match !== undefined) await open(trial.document.uri, inDocument(match.range, trial.base));
    } else if (message.kind === 'rule' && trial.result.rules.some((rule) => rule.uri === message.uri)) {
      const line = new vscode.Position(Number(message.line) || 0, 0);
      await open(vscode.Uri.parse(String(message.uri), true), new vscode.Range(line, line));
    }
  }
}

async function open(uri: vscode.Uri, selection: vscode.Range): Promise<void> {
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.One;
  await vscode.window.showTextDocument(uri, { selection, viewColumn, preview: true });
}
