// Messages when rules fire: one for all triggers within MOMENT_MS, and the next one PAUSE_MS later at the earliest.

import * as vscode from 'vscode';

import type { FiredTrigger, RunsModel } from './model';
import { distinctRules, summary, type FiredRule } from './summary';

const MOMENT_MS = 400;
const PAUSE_MS = 8_000;

export class TriggerMessages implements vscode.Disposable {
  private waiting: FiredTrigger[] = [];
  private timer: NodeJS.Timeout | undefined;
  private lastShown = 0;
  private readonly subscription: vscode.Disposable;

  constructor(private readonly model: RunsModel) {
    this.subscription = model.onDidFire((fired) => this.add(fired));
  }

  dispose(): void {
    this.subscription.dispose();
    clearTimeout(this.timer);
  }

  private add(fired: readonly FiredTrigger[]): void {
    if (vscode.workspace.getConfiguration('ttsr').get<string>('notifications') === 'off') return;
    this.waiting.push(...fired);
    if (this.timer !== undefined) return;
    const wait = Math.max(MOMENT_MS, this.lastShown + PAUSE_MS - Date.now());
    this.timer = setTimeout(() => void this.show(), wait);
  }

  private async show(): Promise<void> {
    // Reads the triggers again: the outcome of a trigger becomes known after it fired.
    const fired = this.waiting.map((one) => this.model.newest(one));
    this.waiting = [];
    this.timer = undefined;
    this.lastShown = Date.now();
    const latest = fired.at(-1);
    if (latest === undefined) return;
    const triggers = fired.map(({ trigger }) => trigger);
    const rules = distinctRules(triggers);
    const silence = rules.length === 1 ? 'Silence This Rule' : 'Silence These Rules';
    const actions = ['Show in Transcript', ...(rules.length === 1 ? ['Open Rule'] : ['Show Runs']), silence];
    const message = triggers.length === 1 ? latest.trigger.message : summary(triggers, rules, folderOf);
    const chosen = await vscode.window.showInformationMessage(message, ...actions);
    const node = { session: latest.session.id, trigger: latest.trigger };
    if (chosen === 'Show in Transcript') await vscode.commands.executeCommand('ttsr.openTranscript', node);
    if (chosen === 'Open Rule') await vscode.commands.executeCommand('ttsr.openRule', node);
    if (chosen === 'Show Runs') await vscode.commands.executeCommand('ttsr.showRuns');
    if (chosen === silence) {
      for (const one of fired) {
        await vscode.commands.executeCommand('ttsr.silenceRule', { session: one.session.id, trigger: one.trigger });
      }
    }
  }
}

/** The folder of a rule in the workspace. */
function folderOf({ ruleUri }: FiredRule): string {
  return vscode.workspace.asRelativePath(vscode.Uri.joinPath(vscode.Uri.parse(ruleUri, true), '..'));
}
