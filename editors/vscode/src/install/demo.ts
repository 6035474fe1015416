// The command that plays the demonstration in a terminal: a recorded agent works in a project of its own.

import * as vscode from 'vscode';

import type { Installer } from '.';

export async function playDemo(installer: Installer): Promise<void> {
  const found = await installer.locateOrInstall('The demonstration');
  if (found === undefined) return;
  // A task, and not a terminal: its output stays when the program ends.
  const program = new vscode.ProcessExecution(found.path, [...found.prefix, 'demo', '--editor']);
  const task = new vscode.Task({ type: 'ttsr.demo' }, vscode.TaskScope.Global, 'demo', 'ttsr-ls', program, []);
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, focus: true, panel: vscode.TaskPanelKind.Dedicated };
  await vscode.tasks.executeTask(task);
}
