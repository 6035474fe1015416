// The command of the lens with the number of matches: shows the places in a peek view, above the rule.

import * as vscode from 'vscode';

import type { Server } from './server';
import type { WireRange } from './webview/answer';

interface WireMatches {
  readonly matches: number;
  readonly places: readonly { readonly uri: string; readonly range: WireRange }[];
}

export function registerShowMatches(server: Server): vscode.Disposable {
  return vscode.commands.registerCommand('ttsr.showMatches', async (ruleUri?: unknown) => {
    const editor = vscode.window.activeTextEditor;
    const uri = typeof ruleUri === 'string' ? vscode.Uri.parse(ruleUri, true) : editor?.document.uri;
    if (uri === undefined) return;
    const client = await server.required('The list of matches');
    if (client === undefined) return;
    const found = await client.sendRequest<WireMatches>('ttsr/ruleMatches', { uri: uri.toString() });
    if (found.places.length === 0) {
      void vscode.window.showInformationMessage('TTSR: no place in the workspace is known that matches this rule.');
      return;
    }
    const locations = found.places.map((place) => {
      const { start, end } = place.range;
      const range = new vscode.Range(start.line, start.character, end.line, end.character);
      return new vscode.Location(vscode.Uri.parse(place.uri, true), range);
    });
    const here = editor?.document.uri.toString() === uri.toString() ? editor.selection.active : new vscode.Position(0, 0);
    await vscode.commands.executeCommand('editor.action.showReferences', uri, here, locations);
  });
}
