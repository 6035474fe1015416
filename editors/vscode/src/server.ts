// Starts and stops the one language server of a window.

import * as vscode from 'vscode';
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, State, type ErrorHandler, type LanguageClientOptions, type Middleware } from 'vscode-languageclient/node';

import { DOCUMENTATION_FEATURE, type Documentation } from './documentation';
import { openPathSetting, type Installer } from './install';
import { describeFailedStart, type StartAction } from './install/failedStart';
import { RUNS_FEATURE, type Runs } from './runs';
import { TESTS_FEATURE } from './ruleTests/capability';
import { Status } from './status';

/** Milliseconds after which a server without an answer is reported. The first start by `uvx` downloads for some seconds. */
const SLOW_START = 60_000;

/** Keeps the library's own error messages in the log: the messages of `Server` offer a remedy. */
class Client extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  /** The client whose server has not answered yet. */
  private starting: LanguageClient | undefined;
  // Starts and stops run one after another: each waits for the one before it.
  private queue: Promise<void> = Promise.resolve();
  private readonly started = new vscode.EventEmitter<void>();
  private readonly ended = new vscode.EventEmitter<void>();

  /** Fires when a server has started, also after a restart. */
  readonly onDidStart = this.started.event;
  /** Fires when the server has ended and is not restarted automatically. */
  readonly onDidEnd = this.ended.event;
  /** Whether the last search found no server. */
  isMissing = false;

  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly status: Status,
    private readonly runs: Runs,
    private readonly installer: Installer,
    private readonly documentation: Documentation,
  ) {}

  /** Returns the client as soon as the server has started; undefined if no server runs. */
  async ready(): Promise<LanguageClient | undefined> {
    await this.queue;
    return this.client;
  }

  /**
   * Returns the client for a command of the user; `need` begins the message ("A test"). If no server runs, offers to
   * install or start one, and waits for it; undefined if the user declines.
   */
  required(need: string): Promise<LanguageClient | undefined> {
    return this.installer.needed(async () => {
      const client = await this.ready();
      if (client !== undefined) return client;
      const found = await this.installer.locate();
      if (found.kind === 'missing') return (await this.installer.explain(found, need)) ? this.ready() : undefined;
      // The program was installed after the last search, or its server has ended.
      await this.restart(need);
      return this.ready();
    });
  }

  /** Stops the running server and starts one; `need` begins the message if it does not start ("A test"). */
  restart(need?: string): Promise<void> {
    this.abandonStart();
    this.queue = this.queue.then(() => this.stop()).then(() => this.start(need));
    return this.queue;
  }

  shutDown(): Promise<void> {
    this.abandonStart();
    this.queue = this.queue.then(() => this.stop());
    return this.queue;
  }

  dispose(): void {
    void this.shutDown();
    this.started.dispose();
    this.ended.dispose();
  }

  /** Ends a server that has not answered yet, for which the queue would wait. The library stops no client that starts. */
  private abandonStart(): void {
    const server = this.starting?.serverProcess;
    this.starting = undefined;
    server?.kill();
    // A child of the program may hold the streams open.
    server?.stdout?.destroy();
    server?.stdin?.destroy();
  }

  private async start(need: string | undefined): Promise<void> {
    const found = await this.installer.locate();
    this.isMissing = found.kind === 'missing';
    setContext('ttsr.serverMissing', this.isMissing);
    setContext('ttsr.serverStopped', false);
    for (const { path, interpreter } of found.broken) this.log.warn(`not started, since its Python is gone (${interpreter}): ${path}`);
    if (found.kind === 'missing') {
      this.status.serverIs('missing');
      const skipped = found.skipped.length === 0 ? '' : `; not started, since the folder is not trusted: ${found.skipped.join(', ')}`;
      this.log.warn(`no ttsr-ls was found; looked in ${found.searched.join(', ')}${skipped}`);
      void this.installer.explainAtStart(found);
      return;
    }
    this.log.info(`starting ${[found.path, ...found.prefix].join(' ')} (from ${found.origin})`);
    const program = { command: found.path, args: [...found.prefix, 'serve'] };
    const client: LanguageClient = new Client('ttsr', 'TTSR', program, {
      ...this.options(),
      errorHandler: this.errorHandler(() => client),
      middleware: this.middleware(() => client),
    });
    client.registerFeature(RUNS_FEATURE);
    client.registerFeature(TESTS_FEATURE);
    client.registerFeature(DOCUMENTATION_FEATURE);
    client.onDidChangeState(({ newState }) => {
      this.status.serverIs(newState);
      if (this.client !== client) return;
      if (newState === State.StartFailed) this.giveUp('the server ended, and could not be started again.');
      // The library has restarted the server after it ended.
      else if (newState === State.Running) this.attach(client);
    });
    this.starting = client;
    const slowly = `TTSR: ${found.path} runs, but has not answered for a minute.`;
    const slow = setTimeout(() => void this.offerStart(slowly, ['Restart Server', 'Show Log']), SLOW_START);
    try {
      await client.start();
      this.client = client;
      this.attach(client);
    } catch (error) {
      await client.dispose().catch(() => undefined);
      if (this.starting !== client) return;
      this.log.error(`the server did not start: ${String(error)}`);
      setContext('ttsr.serverStopped', true);
      const { message, actions } = describeFailedStart(found, need);
      void this.offerStart(message, actions);
    } finally {
      clearTimeout(slow);
      if (this.starting === client) this.starting = undefined;
    }
  }

  /** The library's error handler; if it does not restart the server, the extension reports that, and offers a start. */
  private errorHandler(client: () => LanguageClient): ErrorHandler {
    let handler: ErrorHandler | undefined;
    const ofLibrary = (): ErrorHandler => (handler ??= client().createDefaultErrorHandler());
    return {
      // When a server ends, its stream raises an error before it closes. The library would stop the client at that error.
      error: () => ({ action: ErrorAction.Continue }),
      closed: async () => {
        // `start` reports a failure of the first start; and a server that was given up is not restarted.
        if (this.client !== client()) return { action: CloseAction.DoNotRestart };
        const closed = await ofLibrary().closed();
        if (closed.action === CloseAction.DoNotRestart) {
          this.giveUp('the server ended five times within three minutes, and is not started again.');
        }
        return closed;
      },
    };
  }

  /**
   * Delays settings until starts and stops that the same change causes have begun: `ttsr.path` replaces the server, and
   * the library logs an error for a notification to a client that is being stopped. The new server gets the settings.
   */
  private middleware(client: () => LanguageClient): Middleware {
    return {
      workspace: {
        didChangeConfiguration: async (sections, next) => {
          // Every listener to the change has run after this, in any order.
          await Promise.resolve();
          await this.queue;
          if (this.client === client()) await next(sections);
        },
      },
    };
  }

  private giveUp(reason: string): void {
    this.client = undefined;
    this.detach();
    setContext('ttsr.serverStopped', true);
    this.ended.fire();
    void this.offerStart(`TTSR: ${reason}`);
  }

  private async offerStart(message: string, actions: readonly StartAction[] = ['Start Server', 'Show Log']): Promise<void> {
    switch (await vscode.window.showErrorMessage(message, ...actions)) {
      case 'Start Server':
      case 'Restart Server':
        return this.restart();
      case 'Install':
        return this.installer.install();
      case 'Open Setting':
        return openPathSetting();
      case 'Show Log':
        this.log.show();
    }
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
        // Tests of rules have findings, too.
        { scheme: 'file', language: 'yaml', pattern: '**/*.test.{yml,yaml}' },
        // The configuration of a project. VS Code itself has no language for TOML.
        { scheme: 'file', pattern: '**/{ttsr-ls,pyproject}.toml' },
        // Settings of agents name rules.
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
