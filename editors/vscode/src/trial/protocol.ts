// The request `ttsr/testText` (docs/lsp-extensions.md), and the conversion of its ranges to ranges of a document.

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';

import type { TestTextResult, WireRange } from '../webview/answer';

export const KINDS = ['edit', 'write', 'text', 'thinking', 'bash', 'tool'] as const;
export type TextKind = (typeof KINDS)[number];

export interface TestTextParams {
  readonly text: string;
  readonly textDocument?: { readonly uri: string };
  readonly kind?: TextKind;
  readonly tool?: string;
  readonly rule?: { readonly uri: string; readonly text: string };
  readonly chunk?: number;
  readonly shown?: number;
}

export function requestTrial(client: LanguageClient, params: TestTextParams): Promise<TestTextResult> {
  return client.sendRequest<TestTextResult>('ttsr/testText', params);
}

/** Converts a range of a tried text, which begins at `base` of a document, to a range of the document. */
export function inDocument(range: WireRange, base: vscode.Position): vscode.Range {
  const place = (line: number, character: number): vscode.Position =>
    new vscode.Position(base.line + line, line === 0 ? base.character + character : character);
  return new vscode.Range(
    place(range.start.line, range.start.character),
    place(range.end.line, range.end.character),
  );
}
