// The server that came with the extension: where its package is, where it is installed, and what is offered where none is.

import * as vscode from 'vscode';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';

import { findProgram, type Found, type Missing, type Program } from '../program';
import { install, InstallError, serverIn } from './environment';
import { askAboutMissing } from './missing';

/** Milliseconds within which the command that starts the extension also asks for a server. */
const SAME_MOMENT = 500;
const PYTHON = 'https://www.python.org/downloads/';

export class Installer {
  private readonly wheel: string | undefined;
  private readonly folder: string;
  /** How many messages about a missing server are on the screen or in the list of notifications. */
  private shown = 0;
  /** How many commands are under way that say it themselves where there is no server. */
  private waiting = 0;
  /** How many installations went well. */
  private installed = 0;
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
   * The server, also the one that the person installs when there is none; undefined where she does something else.
   * `need` begins the message: what she asked for.
   */
  locateOrInstall(need: string): Promise<Program | undefined> {
    return this.needed(async () => {
      let found = await this.locate();
      if (found.kind === 'missing' && (await this.explain(found, need))) found = await this.locate();
      return found.kind === 'found' ? found : undefined;
    });
  }

  /** Does what needs the server and explains it where there is none, so that a start meanwhile does not do so, too. */
  async needed<Result>(work: () => Promise<Result>): Promise<Result> {
    this.waiting += 1;
    try {
      return await work();
    } finally {
      this.waiting -= 1;
    }
  }

  /** Lets terminals find the server that the extension installed, behind every other program of its name. */
  private extendPath(found: Found): void {
    const terminals = this.context.environmentVariableCollection;
    if (found.kind !== 'found' || found.origin !== 'own') {
      terminals.clear();
      return;
    }
    terminals.description = 'Adds the folder of `ttsr-ls` to PATH.';
    const appended = `${delimiter}${dirname(found.path)}`;
    // Every change asks the person to open the terminals again.
    if (terminals.get('PATH')?.value !== appended) terminals.append('PATH', appended);
  }

  /**
   * Says that there is no server, and offers what helps. Answers true as soon as a server is installed, by this message
   * or otherwise, and false where the person does something else.
   */
  async explain(missing: Missing, need?: string): Promise<boolean> {
    const before = this.installed;
    let listener: vscode.Disposable | undefined;
    const installed = new Promise<boolean>((resolve) => {
      listener = this.onInstalled.event(() => resolve(true));
    });
    const offered = this.offerFor(missing, need).then(() => this.installed > before);
    return Promise.race([offered, installed]).finally(() => listener?.dispose());
  }

  /** Says the same at a start, unless what needs the server says it at the same moment. */
  async explainAtStart(missing: Missing): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, SAME_MOMENT));
    if (this.waiting === 0) await this.explain(missing);
  }

  private async offerFor(missing: Missing, need: string | undefined): Promise<void> {
    const { message, actions } = askAboutMissing(missing, this.wheel !== undefined, need);
    // An earlier message has the same buttons. It stays in the list of notifications.
    if (need !== undefined && this.shown > 0) await vscode.commands.executeCommand('notifications.hideToasts');
    // A setting that leads nowhere is an error; a server that was never installed is not.
    const show = missing.setting === undefined ? vscode.window.showWarningMessage : vscode.window.showErrorMessage;
    await this.offer(message, actions, show);
  }

  /** Installs the server. Starts it where that went well. */
  async install(): Promise<void> {
    const wheel = this.wheel;
    if (wheel === undefined) {
      await this.offer('TTSR: this build of the extension has no server in it.', ['Open Setting']);
      return;
    }
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
      this.installed += 1;
      await vscode.commands.executeCommand('ttsr.restart');
      await this.supersedeMessages();
      await this.removeOlder();
      this.onInstalled.fire();
    } catch (error) {
      this.log.error(String(error));
      const remedy = error instanceof InstallError ? error.remedy : 'log';
      const first = { python: 'Get Python', network: 'Try Again', log: 'Show Log' }[remedy];
      const again = first === 'Try Again' ? 'Install' : first;
      await this.offer(`TTSR: ${error instanceof Error ? error.message : String(error)}`, [again, ...(again === 'Show Log' ? [] : ['Show Log'])]);
    }
  }

  /** Removes the servers of earlier builds, which nothing starts any more. */
  private async removeOlder(): Promise<void> {
    const parent = dirname(this.folder);
    const older = readdirSync(parent).filter((name) => name.startsWith('server-') && name !== basename(this.folder));
    for (const name of older) {
      await rm(join(parent, name), { recursive: true, force: true }).catch((error: unknown) => this.log.warn(String(error)));
    }
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
        // The message may be an old one in the list of notifications.
        if (this.installed === before) await this.install();
        return;
      case 'Try Again':
        return vscode.commands.executeCommand('ttsr.restart');
      case 'Open Setting':
        return vscode.commands.executeCommand('workbench.action.openSettings', 'ttsr.path');
      case 'Manage Trust':
        return vscode.commands.executeCommand('workbench.trust.manage');
      case 'Show Log':
        return this.log.show();
      case 'Get Python':
        await vscode.env.openExternal(vscode.Uri.parse(PYTHON));
    }
  }
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
