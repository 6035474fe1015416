// Live runs of agents: the view, the transcripts, the messages, and their commands.

import * as vscode from 'vscode';
import type { LanguageClient, StaticFeature } from 'vscode-languageclient/node';

import { registerTriggerActions } from './actions';
import { TriggerMessages } from './messages';
import { RunsModel } from './model';
import { clearRuns, silence, type Session, type Trigger } from './protocol';
import { Transcripts } from './transcripts';
import { RunsTree } from './tree';

export const VIEW = 'ttsr.runsView';

/** The argument of a command: a node of the view, or the session and trigger of a lens or a message. */
interface Target {
  readonly session: Session | string;
  readonly trigger?: Trigger;
}

export class Runs implements vscode.Disposable {
  private readonly model = new RunsModel();
  private readonly transcripts = new Transcripts(this.model);
  private readonly subscriptions: vscode.Disposable[];

  /**
   * `required` returns the client for a command of the user, or reports that no server runs. `showTriggers` shows the
   * number of displayed triggers.
   */
  constructor(
    private readonly required: (need: string) => Promise<LanguageClient | undefined>,
    showTriggers: (displayed: number) => void,
  ) {
    const tree = new RunsTree(this.model);
    const view = vscode.window.createTreeView(VIEW, { treeDataProvider: tree });
    const on = (command: string, run: (target?: Target) => unknown): vscode.Disposable =>
      vscode.commands.registerCommand(command, run);
    this.subscriptions = [
      view,
      vscode.window.registerFileDecorationProvider(tree),
      new TriggerMessages(this.model),
      registerTriggerActions(this.model),
      this.model.onDidChange(() => {
        showTriggers(this.model.displayedTriggers);
        void vscode.commands.executeCommand('setContext', 'ttsr.runsCleared', this.model.cleared);
        const working = this.model.sessions.filter((session) => session.state === 'working').length;
        view.badge = working > 0 ? { value: working, tooltip: working === 1 ? '1 agent at work' : `${working} agents at work` } : undefined;
      }),
      on('ttsr.showRuns', () => vscode.commands.executeCommand(`${VIEW}.focus`)),
      on('ttsr.clearFinishedRuns', () => this.model.client && clearRuns(this.model.client)),
      on('ttsr.openTranscript', (target) => this.openTranscript(target)),
      on('ttsr.openRule', (target) => open(target?.trigger?.ruleUri, null)),
      on('ttsr.openTarget', (target) => open(target?.trigger?.targetUri, target?.trigger?.targetLine ?? null)),
      on('ttsr.silenceRule', (target) => this.silence(target, true)),
      on('ttsr.hearRule', (target) => this.silence(target, false)),
    ];
  }

  attach(client: LanguageClient | undefined): void {
    this.model.attach(client);
  }

  dispose(): void {
    for (const subscription of [...this.subscriptions, this.transcripts, this.model]) subscription.dispose();
  }

  private async openTranscript(target?: Target): Promise<void> {
    if (this.model.client === undefined && (await this.required('A transcript')) === undefined) return;
    const session = this.session(target) ?? (await this.pick());
    if (session === undefined) return;
    const number = target?.trigger?.number;
    // The line moves while the transcript grows: take the current one.
    const trigger = session.turns.flatMap((turn) => turn.triggers).find((candidate) => candidate.number === number);
    await this.transcripts.open(session.transcript, trigger?.line ?? null);
  }

  private async silence(target: Target | undefined, silent: boolean): Promise<void> {
    const session = this.session(target);
    if (session === undefined || target?.trigger === undefined || this.model.client === undefined) return;
    await silence(this.model.client, session.id, target.trigger, silent);
  }

  private session(target: Target | undefined): Session | undefined {
    const id = typeof target?.session === 'string' ? target.session : target?.session.id;
    return this.model.sessions.find((session) => session.id === id);
  }

  private async pick(): Promise<Session | undefined> {
    const sessions = this.model.sessions;
    if (sessions.length <= 1) {
      const none = this.model.cleared ? 'all finished runs were cleared' : 'no agent has run here yet';
      if (sessions.length === 0) void vscode.window.showInformationMessage(`TTSR: ${none}. Follow an agent with: ttsr-ls watch`);
      return sessions[0];
    }
    const items = sessions.map((session) => ({
      label: session.agent.replaceAll('$(', '$ ('),
      description: `${new Date(session.started).toLocaleTimeString()} · ${session.state}`,
      session,
    }));
    return (await vscode.window.showQuickPick(items, { placeHolder: 'Which session?' }))?.session;
  }
}

/** Tells the server that the extension shows the messages about triggers. */
export const RUNS_FEATURE: StaticFeature = {
  fillClientCapabilities(capabilities) {
    capabilities.experimental = { ...(capabilities.experimental as object | undefined), ttsrRuns: true };
  },
  initialize() {},
  getState: () => ({ kind: 'static' }),
  clear() {},
};

async function open(uri: string | null | undefined, line: number | null): Promise<void> {
  if (uri === null || uri === undefined) return;
  const shown = new vscode.Range(line ?? 0, 0, line ?? 0, 0);
  try {
    await vscode.window.showTextDocument(vscode.Uri.parse(uri, true), line === null ? {} : { selection: shown });
  } catch {
    void vscode.window.showWarningMessage('TTSR: this file is not there any more.');
  }
}
