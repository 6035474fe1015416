// Transcripts as read-only documents that grow: their text, folds, lenses, and the marks of triggers.

import * as vscode from 'vscode';

import type { RunsModel } from './model';
import { SCHEME, transcript, type TranscriptPart, type Trigger } from './protocol';

interface CachedTranscript {
  readonly lines: readonly string[];
  readonly part: TranscriptPart;
}

export class Transcripts implements vscode.TextDocumentContentProvider, vscode.FoldingRangeProvider, vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  private readonly cache = new Map<string, CachedTranscript>();
  private readonly lastFolded = new Map<string, number>();
  private readonly underline = vscode.window.createTextEditorDecorationType({
    textDecoration: 'underline wavy',
    color: new vscode.ThemeColor('editorWarning.foreground'),
    backgroundColor: new vscode.ThemeColor('editor.wordHighlightBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.warningForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Right,
  });
  private readonly subscriptions: vscode.Disposable[];
  readonly onDidChange = this.changed.event;
  readonly onDidChangeCodeLenses = this.lensesChanged.event;

  constructor(private readonly model: RunsModel) {
    const selector = { scheme: SCHEME };
    this.subscriptions = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.languages.registerFoldingRangeProvider(selector, this),
      vscode.languages.registerCodeLensProvider(selector, this),
      model.onDidChange((sessions) => this.sessionsChanged(sessions)),
      vscode.workspace.onDidChangeTextDocument((change) => this.grown(change.document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.forget(document.uri)),
      vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.decorate(editor))),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor !== undefined) void this.fold(editor);
      }),
    ];
  }

  /** Shows a transcript at a line, or at its end if `line` is null. */
  async open(uri: string, line: number | null): Promise<void> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
    const shown = Math.min(line ?? document.lineCount - 1, document.lineCount - 1);
    const selection = new vscode.Range(shown, 0, shown, 0);
    const editor = await vscode.window.showTextDocument(document, { preview: true, selection });
    editor.revealRange(selection, vscode.TextEditorRevealType.InCenter);
    this.decorate(editor);
    await this.fold(editor);
  }

  /** Returns the trigger on a line of a transcript. */
  triggerAt(uri: vscode.Uri, line: number): { readonly session: string; readonly trigger: Trigger } | undefined {
    const part = this.cache.get(uri.toString())?.part;
    const mark = part?.marks.find((candidate) => candidate.line === line);
    const trigger = part?.triggers.find((candidate) => candidate.number === mark?.trigger);
    return part !== undefined && trigger !== undefined ? { session: part.session, trigger } : undefined;
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const client = this.model.client;
    if (client === undefined) return 'The TTSR server is not running.\n';
    const key = uri.toString();
    const before = this.cache.get(key);
    try {
      const part = await transcript(client, uri.toString(true), before?.part.epoch ?? -1, before?.part.stable ?? 0);
      const lines = [...(before?.lines.slice(0, part.first) ?? []), ...part.lines];
      this.cache.set(key, { lines, part });
      // Silencing a rule changes only the lenses, not the document.
      this.lensesChanged.fire();
      return `${lines.join('\n')}\n`;
    } catch (error) {
      return before === undefined ? `${error instanceof Error ? error.message : String(error)}\n` : `${before.lines.join('\n')}\n`;
    }
  }

  provideFoldingRanges(document: vscode.TextDocument): vscode.FoldingRange[] {
    const folds = this.cache.get(document.uri.toString())?.part.folds ?? [];
    return folds.map(([first, last]) => new vscode.FoldingRange(first, last));
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const part = this.cache.get(document.uri.toString())?.part;
    if (part === undefined) return [];
    const lenses: vscode.CodeLens[] = [];
    for (const mark of part.marks) {
      const trigger = part.triggers.find((candidate) => candidate.number === mark.trigger);
      // Only the line that names the rule has lenses; it is marked from its start.
      if (trigger === undefined || mark.start !== 0) continue;
      const range = new vscode.Range(mark.line, 0, mark.line, mark.end);
      const node = { session: part.session, trigger };
      lenses.push(new vscode.CodeLens(range, { command: 'ttsr.openRule', title: 'Open rule', arguments: [node] }));
      if (trigger.targetUri !== null) {
        lenses.push(new vscode.CodeLens(range, { command: 'ttsr.openTarget', title: 'Open file', arguments: [node] }));
      }
      const title = trigger.silenced ? 'Stop silencing this rule' : 'Silence this rule for the session';
      const command = trigger.silenced ? 'ttsr.hearRule' : 'ttsr.silenceRule';
      lenses.push(new vscode.CodeLens(range, { command, title, arguments: [node] }));
    }
    return lenses;
  }

  dispose(): void {
    for (const subscription of [...this.subscriptions, this.underline, this.changed, this.lensesChanged]) subscription.dispose();
  }

  private sessionsChanged(sessions: readonly string[]): void {
    for (const [key, transcript] of this.cache) {
      if (sessions.includes(transcript.part.session)) this.changed.fire(vscode.Uri.parse(key, true));
    }
  }

  private grown(document: vscode.TextDocument): void {
    if (document.uri.scheme !== SCHEME) return;
    this.lensesChanged.fire();
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document !== document) continue;
      const follows = editor.selection.isEmpty && editor.selection.active.line >= document.lineCount - 2;
      this.decorate(editor);
      const end = document.lineAt(document.lineCount - 1).range;
      if (follows) editor.revealRange(end);
      if (editor === vscode.window.activeTextEditor) void this.fold(editor);
    }
  }

  private decorate(editor: vscode.TextEditor): void {
    const part = this.cache.get(editor.document.uri.toString())?.part;
    if (editor.document.uri.scheme !== SCHEME || part === undefined) return;
    const messages = new Map(part.triggers.map((trigger) => [trigger.number, trigger.message]));
    editor.setDecorations(
      this.underline,
      // A line that names a rule has a lens and a colour of its own, and needs no underline.
      part.marks.filter((mark) => mark.start > 0).map((mark) => ({
        range: new vscode.Range(mark.line, mark.start, mark.line, mark.end),
        // Never rendered as Markdown: an agent wrote the text.
        hoverMessage: new vscode.MarkdownString().appendText(messages.get(mark.trigger) ?? ''),
      })),
    );
  }

  /** Folds injections and results of tools, each once: the user unfolds a part to read it. */
  private async fold(editor: vscode.TextEditor): Promise<void> {
    const key = editor.document.uri.toString();
    const part = this.cache.get(key)?.part;
    if (editor.document.uri.scheme !== SCHEME || part === undefined) return;
    const done = this.lastFolded.get(key) ?? -1;
    const lines = part.folds.map(([first]) => first).filter((line) => line > done);
    if (lines.length === 0) return;
    this.lastFolded.set(key, Math.max(...lines));
    await vscode.commands.executeCommand('editor.fold', { selectionLines: lines, levels: 1 });
  }

  private forget(uri: vscode.Uri): void {
    this.cache.delete(uri.toString());
    this.lastFolded.delete(uri.toString());
  }
}
