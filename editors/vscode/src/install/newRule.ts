// The command that begins a rule: the server's own template, in the folder where the reference agent looks for rules.

import * as vscode from 'vscode';
import { execFile } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';

import type { Program } from '../program';
import type { Installer } from '.';

/** The trigger of a template: its key up to the opening quote, and what is to be replaced. */
const TRIGGER = /^((?:condition|astCondition|question|trigger): '?)(.*?)'?$/m;
const NAME = /^[a-z0-9][a-z0-9._-]*$/i;

export async function newRule(installer: Installer, given?: string): Promise<void> {
  const folder = await chooseFolder();
  if (folder === undefined) return;
  const found = await installer.locateOrInstall('A new rule');
  if (found === undefined) return;
  // Where a name is given, the server takes its first template.
  const template = given === undefined ? await chooseTemplate(found, folder) : [];
  if (template === undefined) return;
  const name =
    given ??
    (await vscode.window.showInputBox({
      title: 'New rule',
      prompt: 'What is the rule called?',
      placeHolder: 'no-console-log',
      validateInput: (value) => (NAME.test(value) ? undefined : 'Letters, digits, and hyphens, such as no-console-log'),
    }));
  if (name === undefined || !NAME.test(name)) return;
  try {
    const { stdout } = await run(found, folder, [name, ...template]);
    await show(folder, stdout);
  } catch (error) {
    const { stdout, stderr, code } = error as { readonly stdout?: string; readonly stderr?: string; readonly code?: unknown };
    // Exit status 1: the file is there, and something is wrong with its place. The editor shows what.
    if (code === 1 && stdout) return show(folder, stdout);
    const said = (stderr ?? String(error)).trim().split('\n').at(-1) ?? '';
    void vscode.window.showErrorMessage(`TTSR: ${said.replaceAll('](', '] (')}`);
  }
}

/** The arguments for the chosen template; undefined where none is chosen. Enter chooses the server's first one. */
async function chooseTemplate(program: Program, folder: string): Promise<readonly string[] | undefined> {
  let listed: string;
  try {
    listed = (await run(program, folder, ['--list'])).stdout;
  } catch {
    return []; // A server that lists no templates has only one.
  }
  const items = [...listed.matchAll(/^(\S+) +(.+)$/gm)].map(([, id = '', label = '']) => ({ label, id }));
  const chosen = await vscode.window.showQuickPick(items, { title: 'New rule', placeHolder: 'What is the rule?' });
  return chosen && ['--template', chosen.id];
}

function run(program: Program, folder: string, rest: readonly string[]): Promise<{ readonly stdout: string }> {
  return promisify(execFile)(program.path, [...program.prefix, 'new', ...rest], { cwd: folder });
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

/** A context key would mark it done only if the walkthrough was open before. Nothing is lost where VS Code has no such command. */
async function markStepDone(): Promise<void> {
  await vscode.commands.executeCommand('welcome.markStepComplete', 'ttsr-ls.ttsr-ls#ttsr.start#rule').then(undefined, () => undefined);
}

async function show(folder: string, stdout: string): Promise<void> {
  void markStepDone();
  const [path = ''] = stdout.split('\n');
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(isAbsolute(path) ? path : join(folder, path)));
  // The trigger of the template is to be replaced: what is typed next does it.
  const [, key = '', text = ''] = TRIGGER.exec(document.getText()) ?? [];
  const start = document.getText().indexOf(key) + key.length;
  const selection = new vscode.Range(document.positionAt(start), document.positionAt(start + text.length));
  await vscode.window.showTextDocument(document, { preview: false, selection });
}
