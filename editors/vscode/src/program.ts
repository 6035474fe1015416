// Finds the program `ttsr-ls`. Knows nothing of the language client.

import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/** A program with the arguments that stand before those for `ttsr-ls`. */
export interface Program {
  readonly kind: 'found';
  readonly path: string;
  readonly prefix: readonly string[];
  readonly origin: 'setting' | 'workspace' | 'path' | 'own' | 'uvx';
}

/** Where a program was looked for in vain. `skipped`: programs of the workspace that nobody said they trust. */
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
  /** A workspace that nobody has vouched for must not name the program that we start. */
  readonly trusted: boolean;
  readonly environmentPath: string;
  readonly platform: NodeJS.Platform;
  /** The program in the environment that the extension made for itself. */
  readonly own: string;
  /** The package of the server that came with the extension; undefined where none did. */
  readonly wheel: string | undefined;
}

/**
 * The setting, else the workspace's own environment, else `PATH`, else the extension's own environment, else `uvx` with
 * the package that came with the extension. A setting that leads nowhere is an error, not a hint.
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

/** The first program of a name on `PATH`. */
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

/** The folder of a virtual environment that has its programs. */
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
