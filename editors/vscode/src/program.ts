// Finds the program `ttsr-ls`. Knows nothing of the language client.

import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/** A program, and the arguments before those of `ttsr-ls`. */
export interface Program {
  readonly kind: 'found';
  readonly path: string;
  readonly prefix: readonly string[];
  readonly origin: 'setting' | 'workspace' | 'path' | 'own' | 'uvx';
  /** The programs before it that cannot start. */
  readonly broken: readonly BrokenProgram[];
}

/** A script of which the interpreter, the Python that it was installed with, was removed. */
export interface BrokenProgram {
  readonly path: string;
  readonly interpreter: string;
}

/** An unsuccessful search. `skipped`: programs of the workspace, which start only if the workspace is trusted. */
export interface Missing {
  readonly kind: 'missing';
  readonly setting: string | undefined;
  readonly searched: readonly string[];
  readonly skipped: readonly string[];
  readonly broken: readonly BrokenProgram[];
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
 * the extension. If the setting names no program, the search fails: another server would hide the mistake. Other programs
 * whose Python is gone are passed over.
 */
export async function findProgram(search: Search): Promise<Found> {
  if (search.setting !== '') {
    const path = expand(search.setting, search.folders);
    return (await isProgram(path))
      ? { kind: 'found', path, prefix: [], origin: 'setting', broken: [] }
      : { kind: 'missing', setting: path, searched: [path], skipped: [], broken: [] };
  }
  const broken: BrokenProgram[] = [];
  const starts = async (path: string): Promise<boolean> => {
    if (!(await isProgram(path))) return false;
    const interpreter = search.platform === 'win32' ? undefined : await missingInterpreter(path);
    if (interpreter !== undefined) broken.push({ path, interpreter });
    return interpreter === undefined;
  };
  const name = executable('ttsr-ls', search.platform);
  const ofWorkspace = search.folders.map((folder) => join(folder, '.venv', scripts(search.platform), name));
  const existing = await asyncFilter(ofWorkspace, isProgram);
  for (const path of search.trusted ? existing : []) {
    if (await starts(path)) return { kind: 'found', path, prefix: [], origin: 'workspace', broken };
  }
  const onPath = await findOnPath(name, search, starts);
  if (onPath !== undefined) return { kind: 'found', path: onPath, prefix: [], origin: 'path', broken };
  if (await starts(search.own)) return { kind: 'found', path: search.own, prefix: [], origin: 'own', broken };
  const uvx = await findOnPath(executable('uvx', search.platform), search);
  if (uvx !== undefined && search.wheel !== undefined) {
    return { kind: 'found', path: uvx, prefix: ['--from', search.wheel, 'ttsr-ls'], origin: 'uvx', broken };
  }
  const searched = [...(search.trusted ? ofWorkspace : []), 'PATH', search.own, 'uvx'];
  return { kind: 'missing', setting: undefined, searched, skipped: search.trusted ? [] : existing, broken };
}

/** Returns the first program of that name on `PATH` that `accept` accepts. */
export async function findOnPath(
  name: string,
  on: Pick<Search, 'environmentPath'>,
  accept: (path: string) => Promise<boolean> = isProgram,
): Promise<string | undefined> {
  for (const folder of on.environmentPath.split(delimiter)) {
    const path = join(folder, name);
    if (folder !== '' && (await accept(path))) return path;
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

/** Bytes of a script that are read to find its interpreter. */
const HEAD = 1024;

/** Returns the interpreter of a script if it is missing; undefined if it exists, or the program is no script. */
async function missingInterpreter(path: string): Promise<string | undefined> {
  const head = await readHead(path);
  // If the path is too long or has blanks, pip writes a script that starts the interpreter by a shell.
  const match =
    /^#![^\n]*\n'''exec' "([^"\n]+)"/.exec(head) ?? /^#![^\n]*\n'''exec' (\S+)/.exec(head) ?? /^#![ \t]*(\S+)/.exec(head);
  const interpreter = match?.[1];
  return interpreter === undefined || (await isProgram(interpreter)) ? undefined : interpreter;
}

async function readHead(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
}
