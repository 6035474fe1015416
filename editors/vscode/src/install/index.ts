// Finds the server, installs the one in the extension, and shows the messages if there is none.

import * as vscode from 'vscode';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';

import { findProgram, type Found, type Missing, type Program } from '../program';
import { Attempts } from './attempts';
import { install, InstallError, serverIn } from './environment';
import { askAboutMissing } from './missing';

/** Milliseconds within which a command that starts the extension also requests the server. */
const SAME_MOMENT = 500;
const PYTHON = 'https://www.python.org/downloads/';

export class Installer {
  private readonly wheel: string | undefined;
  private readonly folder: string;
  /** The number of open messages about a missing server, on the screen or in the list of notifications. */
  private shown = 0;
  /** The number of running commands that report a missing server themselves. */
  private reporting = 0;
  /** The number of successful installations. */
  private installed = 0;
  private readonly attempts = new Attempts(
    () => this.installAndStart(),
    (failure) => this.reportFailure(failure),
  );
  private readonly onInstalled = new vscode.EventEmitter<void>();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.wheel = wheelIn(context.asAbsolutePath('server'));
    const version = (context.extension.packageJSON as { readonly version: string }).version;
    // Also the wheel's digest: an extension that was built again under the same version brings another server.
    this.folder = join(context.globalStorageUri.fsPath, `server-${version}-${this.wheel === undefined ? 'none' : digest(this.wheel)}`);
  }

  async locate(): Promise<Found> {
    const found = await findProgram({
      setting: vscode.workspace.getConfiguration('ttsr').get<string>('path', '').trim(),
      folders: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
      trusted: vscode.workspace.isTrusted,
      environmentPath: process.env['PATH'] ?? '',
      platform: process.platform,
      own: serverIn(this.folder, process.platform),
      wheel: this.wheel,
    });
    this.extendPath(found);
    return found;
  }

  /**
   * Returns the server. If there is none, offers to install it; undefined if the user declines. `need` begins the
   * message ("A new rule").
   */
  locateOrInstall(need: string): Promise<Program | undefined> {
    return this.needed(async () => {
      let found = await this.locate();
      if (found.kind === 'missing' && (await this.explain(found, need))) found = await this.locate();
      return found.kind === 'found' ? found : undefined;
    });
  }

  /** Runs `work`, which reports a missing server itself: a start at the same time does not report it again. */
  async needed<Result>(work: () => Promise<Result>): Promise<Result> {
    this.reporting += 1;
    try {
      return await work();
    } finally {
      this.reporting -= 1;
    }
  }

  /** Appends the folder of the installed server to the `PATH` of terminals, so any other `ttsr-ls` comes first. */
  private extendPath(found: Found): void {
    const terminals = this.context.environmentVariableCollection;
    if (found.kind !== 'found' || found.origin !== 'own') {
      terminals.clear();
      return;
    }
    terminals.description = 'Adds the folder of `ttsr-ls` to PATH.';
    const appended = `${delimiter}${dirname(found.path)}`;
    // After each change, VS Code asks the user to reopen the terminals.
    if (terminals.get('PATH')?.value !== appended) terminals.append('PATH', appended);
  }

  /**
   * Reports a missing server, and offers remedies. Resolves to true as soon as a server is installed, by this message or
   * another, and to false if the user declines.
   */
  async explain(missing: Missing, need?: string): Promise<boolean> {
    const before = this.installed;
    if (this.attempts.underWay !== undefined) {
      await this.attempts.underWay;
      return this.installed > before;
    }
    let listener: vscode.Disposable | undefined;
    const installed = new Promise<boolean>((resolve) => {
      listener = this.onInstalled.event(() => resolve(true));
    });
    const offered = this.offerFor(missing, need).then(() => this.installed > before);
    return Promise.race([offered, installed]).finally(() => listener?.dispose());
  }

  /** Reports a missing server at a start, unless a running command reports it. */
  async explainAtStart(missing: Missing): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, SAME_MOMENT));
    if (this.reporting === 0) await this.explain(missing);
  }

  private async offerFor(missing: Missing, need: string | undefined): Promise<void> {
    const { message, actions } = askAboutMissing(missing, this.wheel !== undefined, need, this.olderServers().length > 0);
    // The earlier message has the same buttons, and stays in the list of notifications.
    if (need !== undefined && this.shown > 0) await vscode.commands.executeCommand('notifications.hideToasts');
    // A wrong setting is an error; a server that was never installed is not.
    const show = missing.setting === undefined ? vscode.window.showWarningMessage : vscode.window.showErrorMessage;
    await this.offer(message, actions, show);
  }

  /** Installs the server and starts it; waits for an installation that is under way. */
  install(): Promise<void> {
    return this.attempts.run();
  }

  /** Installs the server and starts it; only starts the one that another window has installed meanwhile. */
  private async installMissing(): Promise<void> {
    if ((await this.locate()).kind === 'missing') return this.install();
    await this.startInstalled();
  }

  private async startInstalled(): Promise<void> {
    this.installed += 1;
    await vscode.commands.executeCommand('ttsr.restart');
    await this.supersedeMessages();
    await this.removeOlder();
    this.onInstalled.fire();
  }

  private async installAndStart(): Promise<InstallError | undefined> {
    const wheel = this.wheel;
    if (wheel === undefined) return new InstallError('this build of the extension has no server in it.', 'setting');
    try {
      await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title: 'TTSR', cancellable: true },
        async (progress, token) => {
          const abort = new AbortController();
          token.onCancellationRequested(() => abort.abort());
          await install({
            folder: this.folder,
            wheel,
            environmentPath: process.env['PATH'] ?? '',
            platform: process.platform,
            log: (line) => this.log.info(line),
            progress: (message) => progress.report({ message }),
            signal: abort.signal,
          });
        },
      );
      await this.startInstalled();
      return undefined;
    } catch (error) {
      return error instanceof InstallError ? error : new InstallError(error instanceof Error ? error.message : String(error), 'log');
    }
  }

  private async reportFailure(failure: InstallError): Promise<void> {
    if (failure.remedy === 'none') {
      this.log.info(failure.message);
      return;
    }
    this.log.error(failure.message);
    const remedies = { python: ['Get Python', 'Show Log'], network: ['Install', 'Show Log'], log: ['Show Log'], setting: ['Open Setting'] };
    await this.offer(`TTSR: ${failure.message}`, remedies[failure.remedy]);
  }

  /** Removes the servers of earlier builds, which nothing starts any more. */
  private async removeOlder(): Promise<void> {
    for (const folder of this.olderServers()) {
      await rm(folder, { recursive: true, force: true }).catch((error: unknown) => this.log.warn(String(error)));
    }
  }

  /** The folders of servers that earlier builds of the extension installed. */
  private olderServers(): readonly string[] {
    const parent = dirname(this.folder);
    if (!existsSync(parent)) return [];
    const names = readdirSync(parent).filter((name) => name.startsWith('server-') && name !== basename(this.folder));
    return names.map((name) => join(parent, name));
  }

  /** Takes the messages about a missing server off the screen. An extension cannot close a single message. */
  private async supersedeMessages(): Promise<void> {
    if (this.shown === 0) return;
    await vscode.commands.executeCommand('notifications.hideToasts');
    void vscode.window.showInformationMessage('TTSR: the server is installed.');
  }

  private async offer(
    message: string,
    actions: readonly string[],
    show: (message: string, ...actions: string[]) => Thenable<string | undefined> = vscode.window.showErrorMessage,
  ): Promise<void> {
    const before = this.installed;
    this.shown += 1;
    const chosen = await show(message, ...actions);
    this.shown -= 1;
    switch (chosen) {
      case 'Install':
        // An old message in the list of notifications must not install the server again.
        if (this.installed === before) await this.installMissing();
        return;
      case 'Try Again':
        return vscode.commands.executeCommand('ttsr.restart');
      case 'Open Setting':
        return openPathSetting();
      case 'Manage Trust':
        return vscode.commands.executeCommand('workbench.trust.manage');
      case 'Show Log':
        return this.log.show();
      case 'Get Python':
        await vscode.env.openExternal(vscode.Uri.parse(PYTHON));
    }
  }
}

/** Shows `ttsr.path` in the settings. Those of the user do not list it in a remote window: it belongs to the remote machine. */
export async function openPathSetting(): Promise<void> {
  if (vscode.env.remoteName === undefined) await vscode.commands.executeCommand('workbench.action.openSettings', 'ttsr.path');
  else await vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query: 'ttsr.path' });
}

function digest(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 8);
}

function wheelIn(folder: string): string | undefined {
  try {
    const name = readdirSync(folder).find((file) => file.endsWith('.whl'));
    return name === undefined ? undefined : join(folder, name);
  } catch {
    return undefined;
  }
}
