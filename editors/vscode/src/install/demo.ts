// The command that plays the demonstration in a terminal: a recorded agent works in a project of its own.

import * as vscode from 'vscode';
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import type { Installer } from '.';

export async function playDemo(installer: Installer): Promise<void> {
  const found = await installer.locateOrInstall('The demonstration');
  if (found === undefined) return;
  // The program makes the folder, so nothing is left behind if it never starts.
  const folder = join(tmpdir(), `ttsr-demo-${randomBytes(8).toString('hex')}`);
  // A task, and not a terminal: its output stays when the program ends.
  const program = new vscode.ProcessExecution(found.path, [...found.prefix, 'demo', '--editor', folder]);
  const task = new vscode.Task({ type: 'ttsr.demo' }, vscode.TaskScope.Global, basename(folder), 'ttsr-ls', program, []);
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, focus: true, panel: vscode.TaskPanelKind.Dedicated };
  await start(task);
  // To open the folder in this window would end the task.
  const open = 'Open in New Window';
  const chosen = await vscode.window.showInformationMessage(
    `TTSR: the demonstration is in ${folder}. Open it in another window, and then press Enter in the terminal.`,
    open,
  );
  if (chosen === open) {
    await mkdir(folder, { recursive: true });
    await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder), { forceNewWindow: true });
  }
}

/** Starts a task. Never resolves if the user does not trust the folder, where VS Code starts no program. */
async function start(task: vscode.Task): Promise<void> {
  const started = new Promise<void>((resolve) => {
    const listener = vscode.tasks.onDidStartTaskProcess(({ execution }) => {
      if (execution.task.name !== task.name) return;
      listener.dispose();
      resolve();
    });
  });
  await vscode.tasks.executeTask(task);
  await started;
}
