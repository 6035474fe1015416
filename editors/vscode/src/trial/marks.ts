// Shows the matches of a trial in the text: shading, marks in the gutter, and hovers with the rule and the reason.

import * as vscode from 'vscode';

import { type TestTextResult, type WireMatch, type WireRule } from '../webview/answer';
import { inDocument } from './protocol';

export class Marks implements vscode.Disposable {
  private readonly fired = this.type('ttsr.firedMatch', 'solid');
  private readonly silent = this.type('ttsr.silentMatch', 'dotted');
  private readonly firedGutter: vscode.TextEditorDecorationType;
  private readonly silentGutter: vscode.TextEditorDecorationType;

  constructor(extension: vscode.Uri) {
    this.firedGutter = gutter(extension, 'fires.svg');
    this.silentGutter = gutter(extension, 'silent.svg');
  }

  /** Replaces the marks in an editor. The tried text begins at `base`. */
  show(editor: vscode.TextEditor, result: TestTextResult, base: vscode.Position): void {
    const fired: vscode.DecorationOptions[] = [];
    const silent: vscode.DecorationOptions[] = [];
    for (const rule of result.rules) {
      for (const match of rule.matches) {
        const range = inDocument(match.range, base);
        const option = { range, hoverMessage: hover(rule, match, editor.document, base) };
        (rule.verdict === 'fires' ? fired : silent).push(option);
      }
    }
    editor.setDecorations(this.fired, fired);
    editor.setDecorations(this.silent, silent);
    const firedLines = lines(fired);
    editor.setDecorations(this.firedGutter, [...firedLines.values()]);
    editor.setDecorations(
      this.silentGutter,
      [...lines(silent)].filter(([line]) => !firedLines.has(line)).map(([, range]) => range),
    );
  }

  clear(editor: vscode.TextEditor): void {
    for (const type of [this.fired, this.silent, this.firedGutter, this.silentGutter]) editor.setDecorations(type, []);
  }

  dispose(): void {
    for (const type of [this.fired, this.silent, this.firedGutter, this.silentGutter]) type.dispose();
  }

  private type(color: string, style: string): vscode.TextEditorDecorationType {
    return vscode.window.createTextEditorDecorationType({
      backgroundColor: new vscode.ThemeColor(`${color}Background`),
      borderColor: new vscode.ThemeColor(`${color}Border`),
      borderStyle: `none none ${style} none`,
      borderWidth: '2px',
      overviewRulerColor: new vscode.ThemeColor(`${color}Border`),
      overviewRulerLane: vscode.OverviewRulerLane.Center,
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    });
  }
}

function gutter(extension: vscode.Uri, icon: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    gutterIconPath: vscode.Uri.joinPath(extension, 'media', icon),
    gutterIconSize: '75%',
  });
}

function lines(options: readonly vscode.DecorationOptions[]): Map<number, vscode.Range> {
  return new Map(options.map(({ range }) => [range.start.line, new vscode.Range(range.start, range.start)]));
}

function hover(
  rule: WireRule,
  match: WireMatch,
  document: vscode.TextDocument,
  base: vscode.Position,
): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  const condition = rule.conditions[match.condition];
  const line = condition?.range == null ? '' : `#L${condition.range.start.line + 1}`;
  text.appendMarkdown('**').appendText(rule.name).appendMarkdown('** ');
  text.appendMarkdown(rule.verdict === 'fires' ? 'fires here' : `matches here and is ${rule.verdict}`);
  text.appendMarkdown(` · [open the rule](${vscode.Uri.parse(rule.uri).toString()}${line})\n\n`);
  text.appendMarkdown(condition?.kind === 'ast' ? 'AST condition\n' : 'Condition\n');
  text.appendCodeblock(condition?.text ?? '', condition?.kind === 'ast' ? 'text' : 'regex');
  for (const group of match.groups) {
    const captured = document.getText(inDocument(group.range, base));
    text.appendMarkdown(`Group ${group.number} `).appendText(`${group.name ?? ''} = ${JSON.stringify(captured)}`);
    text.appendMarkdown('\n\n');
  }
  if (rule.stoppedBy !== null) {
    text.appendMarkdown(`The gate “${rule.stoppedBy.gate}” stops it. ${rule.stoppedBy.text} ${rule.stoppedBy.fix ?? ''}\n\n`);
  }
  if (rule.streaming !== null) text.appendMarkdown(rule.streaming);
  return text;
}
