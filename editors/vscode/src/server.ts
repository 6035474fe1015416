// Starts and stops the one language server of a window.

import * as vscode from 'vscode';
import { LanguageClient, RevealOutputChannelOn, type LanguageClientOptions } from 'vscode-languageclient/node';

import { DOCUMENTATION_FEATURE, type Documentation } from './documentation';
import type { Installer } from './install';
import { RUNS_FEATURE, type Runs } from './runs';
import { TESTS_FEATURE } from './ruleTests/capability';
import { Status } from './status';

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  // Starting and stopping take turns, however often and from wherever they are asked for.
  private turn: Promise<void> = Promise.resolve();
  private readonly started = new vscode.EventEmitter<void>();

  /** A server answers, the first one or another. */
  readonly onDidStart = this.started.event;
  /** Whether no server was found when one was last looked for. */
  isMissing = false;

  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly status: Status,
    private readonly runs: Runs,
    private readonly installer: Installer,
    private readonly documentation: Documentation,
  ) {}

  /** The client, once the server answers; undefined where there is no server. */
  async ready(): Promise<LanguageClient | undefined> {
    await this.turn;
    return this.client;
  }

  /**
   * The client for what a person asked for; `need` names it at the beginning of a message ("A test"). Without a server,
   * offers what helps, and goes on when a server runs; undefined where the person does something else.
   */
  async required(need: string): Promise<LanguageClient | undefined> {
    const client = await this.ready();
    if (client !== undefined) return client;
    const found = await this.installer.locate();
    if (found.kind === 'missing') return (await this.installer.explain(found, need)) ? this.ready() : undefined;
    // It may have come since, or be one that ended.
    await this.restart();
    if (this.client === undefined) void this.offerLog(need);
    return this.client;
  }

  private async offerLog(need: string): Promise<void> {
    const chosen = await vscode.window.showErrorMessage(`TTSR: ${need} needs the server, which did not start.`, 'Show Log');
    if (chosen !== undefined) this.log.show();
  }

  restart(): Promise<void> {
    this.turn = this.turn.then(() => this.stop()).then(() => this.start());
    return this.turn;
  }

  shutDown(): Promise<void> {
    this.turn = this.turn.then(() => this.stop());
    return this.turn;
  }

  dispose(): void {
    void this.shutDown();
    this.started.dispose();
  }

  private async start(): Promise<void> {
    const found = await this.installer.locate();
    this.isMissing = found.kind === 'missing';
    setContext('ttsr.serverMissing', this.isMissing);
    if (found.kind === 'missing') {
      this.status.serverIs('missing');
      this.log.warn(`no ttsr-ls was found; looked in ${found.searched.join(', ')}`);
      void this.installer.explain(found);
      return;
    }
    this.log.info(`starting ${[found.path, ...found.prefix].join(' ')} (from ${found.origin})`);
    const program = { command: found.path, args: [...found.prefix, 'serve'] };
    const client = new LanguageClient('ttsr', 'TTSR', program, this.options());
    client.registerFeature(RUNS_FEATURE);
    client.registerFeature(TESTS_FEATURE);
    client.registerFeature(DOCUMENTATION_FEATURE);
    client.onDidChangeState((change) => this.status.serverIs(change.newState));
    client.onNotification('ttsr/triggered', () => this.status.triggered());
    client.onNotification('ttsr/runStarted', (run: { readonly triggers: number }) => this.status.shown(run.triggers));
    try {
      await client.start();
      this.client = client;
      this.runs.attach(client);
      this.documentation.attach(client);
      setContext('ttsr.serverRuns', true);
      this.started.fire();
    } catch (error) {
      // The client itself has told the person; the log has the reason.
      this.log.error(`the server did not start: ${String(error)}`);
      await client.dispose().catch(() => undefined);
    }
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    setContext('ttsr.serverRuns', false);
    this.runs.attach(undefined);
    this.documentation.attach(undefined);
    await client?.dispose().catch((error: unknown) => this.log.warn(`the server did not stop cleanly: ${String(error)}`));
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: [
        { scheme: 'file', language: 'markdown' },
        { scheme: 'untitled', language: 'markdown' },
        { scheme: 'file', pattern: '**/*.mdc' },
        // The tests of rules, which have findings of their own.
        { scheme: 'file', language: 'yaml', pattern: '**/*.test.{yml,yaml}' },
        // The configuration of a project. VS Code itself has no language for TOML.
        { scheme: 'file', pattern: '**/{ttsr-ls,pyproject}.toml' },
        // The settings of agents, which name rules.
        { scheme: 'file', pattern: '**/.omp/agent/{config.yml,config.yaml,settings.json}' },
        { scheme: 'file', pattern: '**/.omp/{settings.json,config.yml,config.yaml}' },
        { scheme: 'file', pattern: '**/{.claude,.gemini,.cursor}/settings.json' },
      ],
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: () => ({
        notifications: settings().get<string>('notifications'),
        lenses: settings().get<boolean>('lenses'),
        matchCounts: settings().get<boolean>('matchCounts'),
        inlayHints: settings().get<boolean>('inlayHints'),
      }),
    };
  }
}

function setContext(key: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', key, value);
}

function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('ttsr');
}
