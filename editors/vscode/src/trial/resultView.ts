// The one panel that shows the result of the last trial.

import * as vscode from 'vscode';

import { panelHtml, panelOptions } from '../panelHtml';
import { isRemedy, type NoServer } from '../remedies';
import type { TestTextResult } from '../webview/answer';
import { inDocument } from './protocol';

export interface Tried {
  readonly document: vscode.TextDocument;
  readonly base: vscode.Position;
  readonly result: TestTextResult;
  readonly where: string;
}

interface Asked {
  readonly kind?: unknown;
  readonly uri?: unknown;
  readonly line?: unknown;
  readonly rule?: unknown;
  readonly match?: unknown;
  readonly command?: unknown;
}

const LONGEST_SHOWN = 120;

export class ResultView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private tried: Tried | undefined;

  constructor(private readonly extension: vscode.Uri) {}

  /** Shows a result; a panel that is there is used again, and the editor keeps the focus. */
  show(tried: Tried, reveal: boolean): void {
    this.tried = tried;
    if (this.panel === undefined) {
      if (!reveal) return;
      const panel = vscode.window.createWebviewPanel(
        'ttsr.testResult',
        'TTSR: Test result',
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        panelOptions(this.extension),
      );
      this.panel = panel;
      panel.onDidDispose(() => {
        // Another may be open by now.
        if (this.panel === panel) this.panel = undefined;
      });
      panel.webview.onDidReceiveMessage((asked: Asked) => this.answer(asked));
      panel.webview.html = panelHtml(panel.webview, this.extension, 'result', '<main id="view"></main>');
    } else if (reveal && !this.panel.visible) {
      // The text and its marks stay in sight, also in the group that the panel is in.
      const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === tried.document);
      const isBehind = shown?.viewColumn === this.panel.viewColumn;
      this.panel.reveal(isBehind ? vscode.ViewColumn.Beside : undefined, true);
    }
    this.post();
  }

  /** Says above the result that it does not follow the edits. */
  showNoServer(told: NoServer): void {
    void this.panel?.webview.postMessage(told);
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private post(): void {
    if (this.tried === undefined || this.panel === undefined) return;
    const { document, base, result, where } = this.tried;
    const ranges = result.rules.map((rule) => rule.matches.map((match) => inDocument(match.range, base)));
    void this.panel.webview.postMessage({
      result,
      where,
      texts: ranges.map((those) => those.map((range) => document.getText(range).slice(0, LONGEST_SHOWN))),
      lines: ranges.map((those) => those.map((range) => range.start.line + 1)),
    });
  }

  private async answer(asked: Asked): Promise<void> {
    const tried = this.tried;
    if (asked.kind === 'ready') this.post();
    if (asked.kind === 'remedy' && isRemedy(asked.command)) await vscode.commands.executeCommand(asked.command);
    if (tried === undefined) return;
    if (asked.kind === 'as') {
      await vscode.window.showTextDocument(tried.document, { preserveFocus: false });
      await vscode.commands.executeCommand('ttsr.testSelectionAs');
    } else if (asked.kind === 'match') {
      const match = tried.result.rules[Number(asked.rule)]?.matches[Number(asked.match)];
      if (match !== undefined) await open(tried.document.uri, inDocument(match.range, tried.base));
    } else if (asked.kind === 'rule' && tried.result.rules.some((rule) => rule.uri === asked.uri)) {
      const line = new vscode.Position(Number(asked.line) || 0, 0);
      await open(vscode.Uri.parse(String(asked.uri), true), new vscode.Range(line, line));
    }
  }
}

async function open(uri: vscode.Uri, selection: vscode.Range): Promise<void> {
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.One;
  await vscode.window.showTextDocument(uri, { selection, viewColumn, preview: true });
}
