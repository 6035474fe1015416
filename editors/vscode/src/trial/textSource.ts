// The text to test: that of the active editor, else of the editor that was active before (a page such as the walkthrough has
// none), else a sample.

import * as vscode from 'vscode';

const SAMPLE = `// A sample. Select a part of it, or replace it by what an agent would write.
export function read(text: string): number {
  const value = JSON.parse(text) as any;
  console.log(value);
  return value.count;
}
`;

export class TextSource implements vscode.Disposable {
  private last: vscode.TextEditor | undefined = vscode.window.activeTextEditor;
  private readonly subscription = vscode.window.onDidChangeActiveTextEditor((editor) => {
    // Skips output channels and transcripts.
    if (editor !== undefined && ['file', 'untitled'].includes(editor.document.uri.scheme)) this.last = editor;
  });

  dispose(): void {
    this.subscription.dispose();
  }

  /** Returns the editor with the text, and shows it. */
  async editor(): Promise<vscode.TextEditor> {
    const active = vscode.window.activeTextEditor;
    if (active !== undefined) return active;
    if (this.last !== undefined && !this.last.document.isClosed) {
      const { document, selection, viewColumn } = this.last;
      return vscode.window.showTextDocument(document, { selection, ...(viewColumn === undefined ? {} : { viewColumn }) });
    }
    const sample = await vscode.workspace.openTextDocument({ language: 'typescript', content: SAMPLE });
    return vscode.window.showTextDocument(sample);
  }
}
