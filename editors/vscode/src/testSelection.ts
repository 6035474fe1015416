// The command that tries rules on what is selected.

import * as vscode from 'vscode';
import { ExecuteCommandRequest, type LanguageClient } from 'vscode-languageclient/node';

/** What the server's `ttsr.test` answers, as far as it is used here. */
interface TestResult {
  readonly summary: string;
  readonly report: string;
}

/**
 * Tries the selection: in a rule file against that rule, in any other file against all rules of the workspace, as an
 * edit of that file.
 */
export async function testSelection(client: LanguageClient): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) {
    void vscode.window.showInformationMessage('TTSR: select the text to try first.');
    return;
  }
  const document = editor.document;
  const uri = client.code2ProtocolConverter.asUri(document.uri);
  const result = (await client.sendRequest(ExecuteCommandRequest.type, {
    command: 'ttsr.test',
    arguments: [{ uri, text: document.getText(editor.selection) }],
  })) as TestResult;
  const chosen = await vscode.window.showInformationMessage(`TTSR: ${result.summary}`, 'Show Report');
  if (chosen === undefined) return;
  const report = await vscode.workspace.openTextDocument({ language: 'markdown', content: result.report });
  await vscode.window.showTextDocument(report, { preview: true, viewColumn: vscode.ViewColumn.Beside });
}
