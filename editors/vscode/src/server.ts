// Starts and stops the one language server of a window.

import * as vscode from 'vscode';
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, State, type ErrorHandler, type LanguageClientOptions } from 'vscode-languageclient/node';

import { DOCUMENTATION_FEATURE, type Documentation } from './documentation';
import type { Installer } from './install';
import { RUNS_FEATURE, type Runs } from './runs';
import { TESTS_FEATURE } from './ruleTests/capability';
import { Status } from './status';

/** The library's own messages go to the log alone: those of `Server` offer what helps. */
class Client extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  // Starting and stopping take turns, however often and from wherever they are asked for.
  private turn: Promise<void> = Promise.resolve();
  private readonly started = new vscode.EventEmitter<void>();
  private readonly ended = new vscode.EventEmitter<void>();

  /** A server answers, the first one or another. */
  readonly onDidStart = this.started.event;
  /** The server ended too often, and is not started again without the person. */
  readonly onDidEnd = this.ended.event;
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
  required(need: string): Promise<LanguageClient | undefined> {
    return this.installer.needed(async () => {
      const client = await this.ready();
      if (client !== undefined) return client;
      const found = await this.installer.locate();
      if (found.kind === 'missing') return (await this.installer.explain(found, need)) ? this.ready() : undefined;
      // It may have come since, or be one that ended.
      await this.restart(`${need} needs the server, which did not start.`);
      return this.client;
    });
  }

  /** Stops the server, if there is one, and starts one; `failure` is the message where it does not start. */
  restart(failure = 'the server did not start.'): Promise<void> {
    this.turn = this.turn.then(() => this.stop()).then(() => this.start(failure));
    return this.turn;
  }

  shutDown(): Promise<void> {
    this.turn = this.turn.then(() => this.stop());
    return this.turn;
  }

  dispose(): void {
    void this.shutDown();
    this.started.dispose();
    this.ended.dispose();
  }

  private async start(failure: string): Promise<void> {
    const found = await this.installer.locate();
    this.isMissing = found.kind === 'missing';
    setContext('ttsr.serverMissing', this.isMissing);
    setContext('ttsr.serverStopped', false);
    if (found.kind === 'missing') {
      this.status.serverIs('missing');
      this.log.warn(`no ttsr-ls was found; looked in ${found.searched.join(', ')}`);
      void this.installer.explainAtStart(found);
      return;
    }
    this.log.info(`starting ${[found.path, ...found.prefix].join(' ')} (from ${found.origin})`);
    const program = { command: found.path, args: [...found.prefix, 'serve'] };
    const client: LanguageClient = new Client('ttsr', 'TTSR', program, {
      ...this.options(),
      errorHandler: this.errorHandler(() => client),
    });
    client.registerFeature(RUNS_FEATURE);
    client.registerFeature(TESTS_FEATURE);
    client.registerFeature(DOCUMENTATION_FEATURE);
    client.onDidChangeState(({ newState }) => {
      this.status.serverIs(newState);
      if (this.client !== client) return;
      if (newState === State.StartFailed) this.giveUp('the server ended, and could not be started again.');
      // Started again by the library after it ended.
      else if (newState === State.Running) this.attach(client);
    });
    client.onNotification('ttsr/triggered', () => this.status.triggered());
    client.onNotification('ttsr/runStarted', (run: { readonly triggers: number }) => this.status.shown(run.triggers));
    try {
      await client.start();
      this.client = client;
      this.attach(client);
    } catch (error) {
      this.log.error(`the server did not start: ${String(error)}`);
      setContext('ttsr.serverStopped', true);
      void this.offerStart(failure);
      await client.dispose().catch(() => undefined);
    }
  }

  /** That of the library, but a server that is not started again is no server any more, and the message offers one. */
  private errorHandler(client: () => LanguageClient): ErrorHandler {
    let handler: ErrorHandler | undefined;
    const ofLibrary = (): ErrorHandler => (handler ??= client().createDefaultErrorHandler());
    return {
      // The stream to a server that ended breaks before it closes. The library would stop the client meanwhile.
      error: () => ({ action: ErrorAction.Continue }),
      closed: async () => {
        // Before it answered for the first time, `start` reports the failure; one that was given up starts no other.
        if (this.client !== client()) return { action: CloseAction.DoNotRestart };
        const closed = await ofLibrary().closed();
        if (closed.action === CloseAction.DoNotRestart) {
          this.giveUp('the server ended five times within three minutes, and is not started again.');
        }
        return closed;
      },
    };
  }

  private giveUp(reason: string): void {
    this.client = undefined;
    this.detach();
    setContext('ttsr.serverStopped', true);
    this.ended.fire();
    void this.offerStart(reason);
  }

  private async offerStart(reason: string): Promise<void> {
    const chosen = await vscode.window.showErrorMessage(`TTSR: ${reason}`, 'Start Server', 'Show Log');
    if (chosen === 'Start Server') await this.restart();
    else if (chosen !== undefined) this.log.show();
  }

  private attach(client: LanguageClient): void {
    this.runs.attach(client);
    this.documentation.attach(client);
    setContext('ttsr.serverRuns', true);
    this.started.fire();
  }

  private detach(): void {
    setContext('ttsr.serverRuns', false);
    this.runs.attach(undefined);
    this.documentation.attach(undefined);
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.detach();
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
      initializationFailedHandler: () => false,
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
