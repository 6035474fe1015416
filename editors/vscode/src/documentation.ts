// Pages of the manual as read-only files; the server has their text. The extension's default for the setting
// `workbench.editorAssociations` opens them rendered, wherever a link leads to one.

import * as vscode from 'vscode';
import type { ClientCapabilities, LanguageClient, StaticFeature } from 'vscode-languageclient/node';

const SCHEME = 'ttsr-docs';
const PREVIEW = 'vscode.markdown.preview.editor';

/** Tells the server that this extension opens pages of the manual. */
export const DOCUMENTATION_FEATURE: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    capabilities.experimental = { ...(capabilities.experimental as object | undefined), ttsrDocumentation: true };
  },
  initialize(): void {},
  getState: () => ({ kind: 'static' }),
  clear(): void {},
};

export class Documentation implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly pages = new Map<string, Uint8Array>();
  private readonly subscriptions: vscode.Disposable[];
  private client: LanguageClient | undefined;
  readonly onDidChangeFile = this.changed.event;

  constructor() {
    this.subscriptions = [
      vscode.workspace.registerFileSystemProvider(SCHEME, this, { isReadonly: true, isCaseSensitive: true }),
      vscode.commands.registerCommand('ttsr.openDocumentation', (uri: string) => this.open(uri)),
    ];
  }

  attach(client: LanguageClient | undefined): void {
    this.client = client;
    // Another server may have another version of the manual.
    if (client !== undefined) this.pages.clear();
  }

  dispose(): void {
    for (const subscription of [...this.subscriptions, this.changed]) subscription.dispose();
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const size = (await this.readFile(uri)).byteLength;
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size, permissions: vscode.FilePermission.Readonly };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const known = this.pages.get(uri.path);
    if (known !== undefined) return known;
    try {
      const page = await this.client?.sendRequest<{ readonly text: string }>('workspace/executeCommand', {
        command: 'ttsr.documentation',
        arguments: [`${SCHEME}:${uri.path}`],
      });
      if (page === undefined) throw new Error('the server is not running');
      const bytes = new TextEncoder().encode(page.text);
      this.pages.set(uri.path, bytes);
      return bytes;
    } catch {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  private async open(uri: string): Promise<void> {
    const page = vscode.Uri.parse(uri, true);
    if (page.scheme === SCHEME) await vscode.commands.executeCommand('vscode.openWith', page, PREVIEW, { preview: true });
  }
}
