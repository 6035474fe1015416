// Removes the closing bracket that VS Code adds to an escaped one in the frontmatter of a rule: `\(` opens no group, so a `)`
// after it makes the condition invalid.

import * as vscode from 'vscode';

import { isInFrontmatter, isRule } from './suggestions';

/** The brackets that VS Code closes by itself in Markdown, with the closing one. */
const PAIRS = new Set(['()', '[]', '{}']);
/** VS Code rejects an edit while a keystroke is on its way to the extension. */
const MOST_ATTEMPTS = 20;
const RETRY_MS = 25;

export class EscapedBrackets implements vscode.Disposable {
  private document: vscode.TextDocument | undefined;
  /** The offsets of the closing brackets to remove from the document. */
  private closing: readonly number[] = [];
  private isEditing = false;
  private readonly subscriptions = [
    vscode.workspace.onDidChangeTextDocument((event) => this.changed(event)),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => void this.selected(textEditor, selections)),
  ];

  dispose(): void {
    for (const each of this.subscriptions) each.dispose();
  }

  private changed({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    if (document === this.document) {
      for (const change of contentChanges) this.closing = this.closing.flatMap((offset) => offsetAfter(change, offset));
    }
    const [change, ...others] = contentChanges;
    if (change === undefined || others.length > 0 || reason !== undefined || !PAIRS.has(change.text)) return;
    const { line, character } = change.range.start;
    const [backslashes = ''] = /\\*$/.exec(document.lineAt(line).text.slice(0, character)) ?? [];
    if (backslashes.length % 2 === 0 || !isRule(document) || !isInFrontmatter(document, line)) return;
    this.closing = [...(document === this.document ? this.closing : []), change.rangeOffset + 1];
    this.document = document;
  }

  /** After a keystroke that VS Code completed, the cursor is before the closing bracket; after a paste, it is behind it. */
  private async selected(editor: vscode.TextEditor, [selection, ...others]: readonly vscode.Selection[]): Promise<void> {
    if (editor.document !== this.document || this.isEditing || selection === undefined) return;
    const cursor = others.length === 0 && selection.isEmpty ? editor.document.offsetAt(selection.active) : Infinity;
    this.closing = this.closing.filter((offset) => cursor <= offset);
    this.isEditing = true;
    for (let attempt = 0; attempt < MOST_ATTEMPTS && this.closing.length > 0; attempt += 1) {
      if (await editor.edit((edit) => this.remove(edit), { undoStopBefore: false, undoStopAfter: false })) break;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    this.closing = [];
    this.isEditing = false;
  }

  private remove(edit: vscode.TextEditorEdit): void {
    for (const offset of this.closing) {
      const start = this.document?.positionAt(offset);
      if (start !== undefined) edit.delete(new vscode.Range(start, start.translate(0, 1)));
    }
  }
}

/** The offset of a character after a change; none if the change replaced the character. */
function offsetAfter({ rangeOffset, rangeLength, text }: vscode.TextDocumentContentChangeEvent, offset: number): number[] {
  if (rangeOffset + rangeLength <= offset) return [offset + text.length - rangeLength];
  return rangeOffset > offset ? [offset] : [];
}
