// The command that begins a rule: writes a template of the server in the folder where the reference agent looks for rules.

import * as vscode from 'vscode';
import { execFile } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';

import type { Program } from '../program';
import type { Installer } from '.';

/** The trigger of a template: its key up to the opening quote, and the placeholder. */
const TRIGGER = /^((?:condition|astCondition|question|trigger): '?)(.*?)'?$/m;
interface Template extends vscode.QuickPickItem {
  readonly id: string;
}

/** The name of a rule, and the arguments for its template. */
interface RuleChoice {
  readonly name: string;
  readonly template: readonly string[];
}

const NAME = /^[a-z0-9][a-z0-9._-]*$/i;

export async function newRule(installer: Installer, presetName?: string): Promise<void> {
  const folder = await chooseFolder();
  if (folder === undefined) return;
  const found = await installer.locateOrInstall('A new rule');
  if (found === undefined) return;
  // With a preset name, the server takes its first template.
  const choice = presetName === undefined ? await ask(await listTemplates(found, folder)) : { name: presetName, template: [] };
  if (choice === undefined || !NAME.test(choice.name)) return;
  const { name, template } = choice;
  try {
    const { stdout } = await run(found, folder, [name, ...template]);
    await show(folder, stdout);
  } catch (error) {
    const { stdout, stderr, code } = error as { readonly stdout?: string; readonly stderr?: string; readonly code?: unknown };
    // Exit status 1: the file was written, but has a finding, which the editor shows.
    if (code === 1 && stdout) return show(folder, stdout);
    const reason = (stderr ?? String(error)).trim().split('\n').at(-1) ?? '';
    void vscode.window.showErrorMessage(`TTSR: ${reason.replaceAll('](', '] (')}`);
  }
}

/** Returns the templates of the server, the default first; empty for an older server, which has only one. */
async function listTemplates(program: Program, folder: string): Promise<readonly Template[]> {
  const listed = await run(program, folder, ['--list']).catch(() => ({ stdout: '' }));
  return [...listed.stdout.matchAll(/^(\S+) +(.+)$/gm)].map(([, id = '', label = '']) => ({ label, id }));
}

/**
 * Asks for a template and a name; undefined if the user cancels. The second box replaces the first while it is open: if
 * the first closed before, the page of the walkthrough would take the focus from the second.
 */
async function ask(templates: readonly Template[]): Promise<RuleChoice | undefined> {
  const pick = vscode.window.createQuickPick<Template>();
  // The page of the walkthrough takes the focus when one of its steps is done, also while a box is open.
  const ignoreFocusOut = true;
  Object.assign(pick, { title: 'New rule', placeholder: 'Select a template', items: templates, ignoreFocusOut });
  const box = vscode.window.createInputBox();
  Object.assign(box, { title: 'New rule', prompt: 'What is the rule called?', placeholder: 'no-console-log', ignoreFocusOut });
  const check = (): boolean => {
    const isName = NAME.test(box.value);
    box.validationMessage = isName ? undefined : 'Letters, digits, and hyphens, such as no-console-log';
    return isName;
  };
  try {
    return await new Promise((resolve) => {
      let chosen: Template | undefined;
      pick.onDidAccept(() => {
        [chosen] = pick.selectedItems;
        if (chosen !== undefined) box.show();
      });
      pick.onDidHide(() => {
        if (chosen === undefined) resolve(undefined);
      });
      box.onDidChangeValue(check);
      box.onDidAccept(() => {
        if (check()) resolve({ name: box.value, template: chosen === undefined ? [] : ['--template', chosen.id] });
      });
      box.onDidHide(() => resolve(undefined));
      (templates.length > 0 ? pick : box).show();
    });
  } finally {
    pick.dispose();
    box.dispose();
  }
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

/** A context key would complete the step only if the walkthrough was opened before. Some versions of VS Code lack this command. */
async function markStepDone(): Promise<void> {
  await vscode.commands.executeCommand('welcome.markStepComplete', 'ttsr-ls.ttsr-ls#ttsr.start#rule').then(undefined, () => undefined);
}

async function show(folder: string, stdout: string): Promise<void> {
  void markStepDone();
  const [path = ''] = stdout.split('\n');
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(isAbsolute(path) ? path : join(folder, path)));
  // Selects the placeholder of the trigger, so that typing replaces it.
  const [, key = '', text = ''] = TRIGGER.exec(document.getText()) ?? [];
  const start = document.getText().indexOf(key) + key.length;
  const selection = new vscode.Range(document.positionAt(start), document.positionAt(start + text.length));
  await vscode.window.showTextDocument(document, { preview: false, selection });
  replaceWhenSurrounded(document, start, start + text.length);
}

/**
 * Lets an opening parenthesis or quote that is typed first replace the placeholder, as other characters do. VS Code would
 * put the pair around the selection, and the closing character that the user types later would be one too many.
 */
function replaceWhenSurrounded(document: vscode.TextDocument, start: number, end: number): void {
  const listener = vscode.workspace.onDidChangeTextDocument((event) => {
    if (event.document !== document || event.contentChanges.length === 0) return;
    listener.dispose();
    const inserted = event.contentChanges.filter(({ rangeLength, text }) => rangeLength === 0 && text.length === 1);
    const isSurrounded = inserted.length === 2 && [start, end].every((offset) => inserted.some(({ rangeOffset }) => rangeOffset === offset));
    const editor = vscode.window.activeTextEditor;
    if (!isSurrounded || editor?.document !== document) return;
    const rest = new vscode.Range(document.positionAt(start + 1), document.positionAt(end + 2));
    void editor.edit((change) => change.delete(rest), { undoStopBefore: false, undoStopAfter: false });
  });
}
