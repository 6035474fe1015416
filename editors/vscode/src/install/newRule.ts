// The command that begins a rule: the server's own template, in the folder where the reference agent looks for rules.

import * as vscode from 'vscode';
import { execFile } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';

import type { Installer } from '.';

const NAME = /^[a-z0-9][a-z0-9._-]*$/i;

export async function newRule(installer: Installer, given?: string): Promise<void> {
  const folder = await chooseFolder();
  if (folder === undefined) return;
  const name =
    given ??
    (await vscode.window.showInputBox({
      title: 'New rule',
      prompt: 'What is the rule called?',
      placeHolder: 'no-console-log',
      validateInput: (value) => (NAME.test(value) ? undefined : 'Letters, digits, and hyphens, such as no-console-log'),
    }));
  if (name === undefined || !NAME.test(name)) return;
  const found = await installer.locate();
  if (found.kind === 'missing') return installer.explain(found);
  try {
    const { stdout } = await promisify(execFile)(found.path, [...found.prefix, 'new', name], { cwd: folder });
    await show(folder, stdout);
  } catch (error) {
    const { stdout, stderr, code } = error as { readonly stdout?: string; readonly stderr?: string; readonly code?: unknown };
    // Exit status 1: the file is there, and something is wrong with its place. The editor shows what.
    if (code === 1 && stdout) return show(folder, stdout);
    const said = (stderr ?? String(error)).trim().split('\n').at(-1) ?? '';
    void vscode.window.showErrorMessage(`TTSR: ${said.replaceAll('](', '] (')}`);
  }
}

async function chooseFolder(): Promise<string | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) {
    void vscode.window.showErrorMessage('TTSR: open a folder first; the rule is for the agents that work in it.');
    return undefined;
  }
  const chosen = folders.length === 1 ? folders[0] : await vscode.window.showWorkspaceFolderPick();
  return chosen?.uri.fsPath;
}

async function show(folder: string, stdout: string): Promise<void> {
  const [path = ''] = stdout.split('\n');
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(isAbsolute(path) ? path : join(folder, path)));
  // The condition of the template is to be replaced: what is typed next does it.
  const text = /^condition: '(.*)'$/m.exec(document.getText());
  const start = text === null ? 0 : text.index + "condition: '".length;
  const selection = new vscode.Range(document.positionAt(start), document.positionAt(start + (text?.[1]?.length ?? 0)));
  await vscode.window.showTextDocument(document, { preview: false, selection });
}
