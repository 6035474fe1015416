// The extension's entry point: registers the commands, and restarts the server after a change of settings or trust.

import * as vscode from 'vscode';

import { Documentation } from './documentation';
import { EscapedBrackets } from './escapedBrackets';
import { Installer } from './install';
import { playDemo } from './install/demo';
import { newRule } from './install/newRule';
import { Playground } from './playground/playground';
import { registerShowMatches } from './ruleMatches';
import { RuleTests } from './ruleTests/explorer';
import { Runs } from './runs';
import { Server } from './server';
import { Status } from './status';
import { suggestInRules } from './suggestions';
import { TextTests } from './trial/testText';

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('TTSR', { log: true });
  const status = new Status();
  const runs: Runs = new Runs(
    (need) => running.required(need),
    (displayed) => status.shown(displayed),
  );
  const installer = new Installer(context, log);
  const documentation = new Documentation();
  const running: Server = new Server(log, status, runs, installer, documentation);
  server = running;
  context.subscriptions.push(
    log,
    status,
    runs,
    documentation,
    vscode.commands.registerCommand('ttsr.install', () => installer.install()),
    vscode.commands.registerCommand('ttsr.newRule', (name?: string) => newRule(installer, name)),
    vscode.commands.registerCommand('ttsr.playDemo', () => playDemo(installer)),
    vscode.commands.registerCommand('ttsr.restart', () => running.restart()),
    vscode.commands.registerCommand('ttsr.showLog', () => log.show()),
    new TextTests(context, running),
    new Playground(context, running),
    new RuleTests(running),
    registerShowMatches(running),
    suggestInRules(),
    new EscapedBrackets(),
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
