// Suggests keys while they are typed in a rule, and the values of a key that was completed.

import * as vscode from 'vscode';

import { looksLikeRule } from './trial/testText';

/** The first letter of a key, or the key that a suggestion inserted. */
const KEY = /^(?:[A-Za-z]|[A-Za-z-]+: )$/;

/** In Markdown, VS Code suggests nothing while letters are typed, and nothing after an accepted suggestion. */
export function suggestInRules(): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument(({ document, contentChanges: [change, ...others], reason }) => {
    // An undo or a redo is not typing.
    if (change === undefined || others.length > 0 || reason !== undefined || !KEY.test(change.text)) return;
    const { line } = change.range.start;
    if (document.lineAt(line).text !== change.text || document !== vscode.window.activeTextEditor?.document) return;
    const settings = vscode.workspace.getConfiguration('editor', document);
    if (settings.get('suggestOnTriggerCharacters', true) && isRule(document) && isInFrontmatter(document, line)) {
      void vscode.commands.executeCommand('editor.action.triggerSuggest', { auto: true });
    }
  });
}

/** Also true for a file in a folder of rules that has no key of a rule yet. */
export function isRule(document: vscode.TextDocument): boolean {
  return looksLikeRule(document) || /[\\/]rules[\\/].*\.mdc?$/.test(document.fileName);
}

/** Whether a line is in the frontmatter of a document. */
export function isInFrontmatter(document: vscode.TextDocument, line: number): boolean {
  const above = document.getText(new vscode.Range(0, 0, line, 0)).split(/\r?\n/);
  return above[0] === '---' && !above.includes('---', 1);
}
