// Finds the program `ttsr-ls`. Knows nothing of the language client.

import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/** A program, and the arguments before those of `ttsr-ls`. */
export interface Program {
  readonly kind: 'found';
  readonly path: string;
  readonly prefix: readonly string[];
  readonly origin: 'setting' | 'workspace' | 'path' | 'own' | 'uvx';
}

/** An unsuccessful search. `skipped`: programs of the workspace, which start only if the workspace is trusted. */
export interface Missing {
  readonly kind: 'missing';
  readonly setting: string | undefined;
  readonly searched: readonly string[];
  readonly skipped: readonly string[];
}

export type Found = Program | Missing;

export interface Search {
  /** The setting `ttsr.path`; empty where nothing is set. */
  readonly setting: string;
  readonly folders: readonly string[];
  /** Whether the workspace is trusted. An untrusted one must not name the program to start. */
  readonly trusted: boolean;
  readonly environmentPath: string;
  readonly platform: NodeJS.Platform;
  /** The program in the extension's own environment. */
  readonly own: string;
  /** The server's package in the extension; undefined if there is none. */
  readonly wheel: string | undefined;
}

/**
 * Tries the setting, the workspace's environment, `PATH`, the extension's own environment, and `uvx` with the package in
 * the extension. If the setting names no program, the search fails: another server would hide the mistake.
 */
export async function findProgram(search: Search): Promise<Found> {
  if (search.setting !== '') {
    const path = expand(search.setting, search.folders);
    return (await isProgram(path))
      ? { kind: 'found', path, prefix: [], origin: 'setting' }
      : { kind: 'missing', setting: path, searched: [path], skipped: [] };
  }
  const name = executable('ttsr-ls', search.platform);
  const ofWorkspace = search.folders.map((folder) => join(folder, '.venv', scripts(search.platform), name));
  const existing = await asyncFilter(ofWorkspace, isProgram);
  if (search.trusted && existing[0] !== undefined) {
    return { kind: 'found', path: existing[0], prefix: [], origin: 'workspace' };
  }
  const onPath = await findOnPath(name, search);
  if (onPath !== undefined) return { kind: 'found', path: onPath, prefix: [], origin: 'path' };
  if (await isProgram(search.own)) return { kind: 'found', path: search.own, prefix: [], origin: 'own' };
  const uvx = await findOnPath(executable('uvx', search.platform), search);
  if (uvx !== undefined && search.wheel !== undefined) {
    return { kind: 'found', path: uvx, prefix: ['--from', search.wheel, 'ttsr-ls'], origin: 'uvx' };
  }
  const searched = [...(search.trusted ? ofWorkspace : []), 'PATH', search.own, 'uvx'];
  return { kind: 'missing', setting: undefined, searched, skipped: search.trusted ? [] : existing };
}

/** Returns the first program of that name on `PATH`. */
export async function findOnPath(name: string, on: Pick<Search, 'environmentPath'>): Promise<string | undefined> {
  for (const folder of on.environmentPath.split(delimiter)) {
    const path = join(folder, name);
    if (folder !== '' && (await isProgram(path))) return path;
  }
  return undefined;
}

export function executable(name: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? `${name}.exe` : name;
}

/** The folder of programs in a virtual environment. */
export function scripts(platform: NodeJS.Platform): string {
  return platform === 'win32' ? 'Scripts' : 'bin';
}

function expand(setting: string, folders: readonly string[]): string {
  const first = folders[0] ?? '';
  const path = setting.replaceAll('${workspaceFolder}', first).replace(/^~(?=$|[/\\])/, homedir());
  return resolve(first, path);
}

async function asyncFilter(paths: readonly string[], accept: (path: string) => Promise<boolean>): Promise<string[]> {
  const accepted = await Promise.all(paths.map(accept));
  return paths.filter((_, index) => accepted[index]);
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
