// The extension's entry: commands, and when the server has to start anew.

import * as vscode from 'vscode';

import { Runs } from './runs';
import { Server } from './server';
import { Status } from './status';
import { TextTests } from './trial/testText';

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('TTSR', { log: true });
  const status = new Status();
  const runs = new Runs();
  const running = new Server(log, status, runs);
  server = running;
  context.subscriptions.push(
    log,
    status,
    runs,
    vscode.commands.registerCommand('ttsr.restart', () => running.restart()),
    vscode.commands.registerCommand('ttsr.showLog', () => log.show()),
    new TextTests(context, running),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('ttsr.path')) void running.restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => running.restart()),
  );
  await running.restart();
}

export async function deactivate(): Promise<void> {
  await server?.shutDown();
}
