// Finds the program `ttsr-ls`. Knows nothing of the language client.

import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/** Where a program was found, or where it was looked for in vain. */
export type Found =
  | { readonly kind: 'found'; readonly path: string; readonly origin: 'setting' | 'workspace' | 'path' }
  | { readonly kind: 'missing'; readonly setting: string | undefined; readonly searched: readonly string[] };

export interface Search {
  /** The setting `ttsr.path`; empty where nothing is set. */
  readonly setting: string;
  readonly folders: readonly string[];
  /** A workspace that nobody has vouched for must not name the program that we start. */
  readonly trusted: boolean;
  readonly environmentPath: string;
  readonly platform: NodeJS.Platform;
}

/** The setting, else the workspace's own environment, else `PATH`. A setting that leads nowhere is an error, not a hint. */
export async function findProgram(search: Search): Promise<Found> {
  if (search.setting !== '') {
    const path = expand(search.setting, search.folders);
    return (await isProgram(path))
      ? { kind: 'found', path, origin: 'setting' }
      : { kind: 'missing', setting: path, searched: [path] };
  }
  const windows = search.platform === 'win32';
  const name = windows ? 'ttsr-ls.exe' : 'ttsr-ls';
  const ofWorkspace = search.trusted
    ? search.folders.map((folder) => join(folder, '.venv', windows ? 'Scripts' : 'bin', name))
    : [];
  const onPath = search.environmentPath
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name));
  for (const path of ofWorkspace) {
    if (await isProgram(path)) return { kind: 'found', path, origin: 'workspace' };
  }
  for (const path of onPath) {
    if (await isProgram(path)) return { kind: 'found', path, origin: 'path' };
  }
  return { kind: 'missing', setting: undefined, searched: [...ofWorkspace, 'PATH'] };
}

function expand(setting: string, folders: readonly string[]): string {
  const first = folders[0] ?? '';
  const path = setting.replaceAll('${workspaceFolder}', first).replace(/^~(?=$|[/\\])/, homedir());
  return resolve(first, path);
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
