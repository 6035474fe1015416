// Tries rules on the selection or the whole file, and updates the marks while the text is edited.

import * as vscode from 'vscode';

import { noServer } from '../remedies';
import type { Server } from '../server';
import { Marks } from './marks';
import { requestTrial } from './protocol';
import { ResultView } from './resultView';
import { kindFromArgument, TextKinds, type ChosenKind } from './textKind';
import { TextSource } from './textSource';

/** The tried part of a document, by offsets that move with the edits. */
interface Trial {
  readonly document: vscode.TextDocument;
  readonly chosen: ChosenKind;
  readonly isWhole: boolean;
  start: number;
  end: number;
  /** Whether the user still waits for the first result: an edit can supersede its request. */
  isAwaited: boolean;
}

const PAUSE = 150;

export class TextTests implements vscode.Disposable {
  private readonly marks: Marks;
  private readonly view: ResultView;
  private readonly kinds: TextKinds;
  private readonly source = new TextSource();
  private readonly subscriptions: vscode.Disposable[];
  private trial: Trial | undefined;
  private timer: NodeJS.Timeout | undefined;
  private runs = 0;

  constructor(
    context: vscode.ExtensionContext,
    private readonly server: Server,
  ) {
    this.marks = new Marks(context.extensionUri);
    this.view = new ResultView(context.extensionUri);
    this.kinds = new TextKinds(context.workspaceState);
    this.subscriptions = [
      this.marks,
      this.view,
      this.source,
      vscode.commands.registerCommand('ttsr.testSelection', (argument: unknown) => this.test(kindFromArgument(argument), false)),
      vscode.commands.registerCommand('ttsr.testSelectionAs', () => this.test(undefined, true)),
      vscode.commands.registerCommand('ttsr.clearTest', () => this.clear()),
      vscode.workspace.onDidChangeTextDocument((change) => this.edited(change)),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document === this.trial?.document) this.clear();
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => this.later(0)),
      server.onDidStart(() => this.later(0)),
      server.onDidEnd(() => this.later(0)),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const each of this.subscriptions) each.dispose();
  }

  private async test(presetKind: ChosenKind | undefined, asks: boolean): Promise<void> {
    // Without a server, the user is not asked for the kind of the text.
    if ((await this.server.required('A test')) === undefined) return;
    const { document, selection } = await this.source.editor();
    const isRule = looksLikeRule(document);
    let chosen = presetKind ?? (asks ? undefined : this.kinds.remembered(document, isRule));
    if (chosen === undefined) {
      chosen = await this.kinds.ask(document, isRule);
      if (chosen === undefined) return;
      await this.kinds.remember(document, isRule, chosen);
    }
    const whole = new vscode.Range(new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
    const range = selection.isEmpty ? whole : selection;
    this.clear();
    this.trial = {
      document,
      chosen,
      isWhole: selection.isEmpty,
      start: document.offsetAt(range.start),
      end: document.offsetAt(range.end),
      isAwaited: true,
    };
    await this.run();
  }

  private async run(): Promise<void> {
    const trial = this.trial;
    const client = await this.server.ready();
    if (trial === undefined) return;
    if (client === undefined) return this.view.showNoServer(noServer('A test', this.server));
    const { document, chosen } = trial;
    const end = trial.isWhole ? document.getText().length : trial.end;
    const base = document.positionAt(trial.isWhole ? 0 : trial.start);
    const range = new vscode.Range(base, document.positionAt(end));
    const version = document.version;
    const run = (this.runs += 1);
    try {
      const result = await requestTrial(client, {
        text: document.getText(range),
        textDocument: { uri: client.code2ProtocolConverter.asUri(document.uri) },
        ...chosen,
      });
      // Ignores an answer to an older request, or about an older text.
      if (run !== this.runs || document.version !== version || this.trial !== trial) return;
      const reveal = trial.isAwaited;
      trial.isAwaited = false;
      for (const editor of editorsOf(document)) this.marks.show(editor, result, base);
      const name = vscode.workspace.asRelativePath(document.uri);
      const lines = trial.isWhole ? 'the whole file' : linesOf(range);
      this.view.show({ document, base, result, where: `${name}, ${lines}` }, reveal);
      if (reveal) vscode.window.setStatusBarMessage(`TTSR: ${result.summary}`, 8000);
    } catch (error) {
      void vscode.window.showErrorMessage(`TTSR: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private edited(change: vscode.TextDocumentChangeEvent): void {
    const trial = this.trial;
    if (trial === undefined || change.document !== trial.document || change.contentChanges.length === 0) return;
    for (const { rangeOffset, rangeLength, text } of change.contentChanges) {
      const moved = text.length - rangeLength;
      if (rangeOffset + rangeLength <= trial.start) trial.start += moved;
      if (rangeOffset < trial.end || rangeOffset + rangeLength <= trial.start) trial.end += moved;
    }
    trial.start = Math.max(0, trial.start);
    trial.end = Math.max(trial.start, trial.end);
    this.later(PAUSE);
  }

  private later(pause: number): void {
    if (this.trial === undefined) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(), pause);
  }

  private clear(): void {
    clearTimeout(this.timer);
    const trial = this.trial;
    this.trial = undefined;
    if (trial === undefined) return;
    for (const editor of editorsOf(trial.document)) this.marks.clear(editor);
  }
}

function linesOf({ start, end }: vscode.Range): string {
  // A selection of whole lines ends at the start of the next line, which is not part of it.
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return start.line === last ? `line ${start.line + 1}` : `lines ${start.line + 1} to ${last + 1}`;
}

function editorsOf(document: vscode.TextDocument): vscode.TextEditor[] {
  return vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
}

/** Whether a document has a key of a rule in its frontmatter. Only a guess: the server decides. */
export function looksLikeRule(document: vscode.TextDocument): boolean {
  const isMarkdown = document.languageId === 'markdown' || document.fileName.endsWith('.mdc');
  return isMarkdown && /^---\r?\n[^]*?^(?:condition|ast-?[cC]ondition|question|ttsr[_-]?[tT]rigger|trigger)\s*:/m.test(
    document.getText().slice(0, 16_384),
  );
}
