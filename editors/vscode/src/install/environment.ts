// Makes the extension's own environment, and installs the server's package from the extension in it.

import { spawn } from 'node:child_process';
import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { executable, findOnPath, scripts } from '../program';
import { withInstallLock } from './installLock';

/** A failed installation, and what the user can do about it. */
export class InstallError extends Error {
  constructor(
    message: string,
    readonly remedy: 'python' | 'network' | 'log' | 'setting' | 'none',
  ) {
    super(message);
  }
}

export interface Installation {
  readonly folder: string;
  readonly wheel: string;
  readonly environmentPath: string;
  readonly platform: NodeJS.Platform;
  readonly log: (line: string) => void;
  readonly progress: (message: string) => void;
  readonly signal: AbortSignal;
}

const NEEDED = '3.11';
const NAMES = ['python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];
const NO_NETWORK =
  /No matching distribution|Could not find a version|NewConnectionError|Temporary failure in name resolution|getaddrinfo|ConnectTimeout|ProxyError|Max retries exceeded|Could not fetch URL/i;

/** The path of the installed server. */
export function serverIn(folder: string, platform: NodeJS.Platform): string {
  return join(folder, scripts(platform), executable('ttsr-ls', platform));
}

/**
 * Makes the environment and installs the server; removes the environment if a step fails. If another window installs it
 * at the same time, waits for that window instead. Throws InstallError.
 */
export async function install(installation: Installation): Promise<void> {
  const python = await findPython(installation);
  const { folder, platform, progress, signal } = installation;
  const waiting = (): void => progress('waiting for another window that installs the server');
  await withInstallLock(
    folder,
    waiting,
    async (hasWaited) => {
      if (signal.aborted) throw new InstallError('The installation was cancelled.', 'none');
      const isInstalled = hasWaited && (await access(serverIn(folder, platform)).then(() => true, () => false));
      if (!isInstalled) await makeEnvironment(installation, python);
    },
    signal,
  );
}

async function makeEnvironment(installation: Installation, python: string): Promise<void> {
  const { folder, platform } = installation;
  await rm(folder, { recursive: true, force: true });
  try {
    installation.progress('making an environment');
    await step(installation, python, ['-m', 'venv', folder], (output) =>
      /ensurepip|python3?-venv/.test(output)
        ? new InstallError(`This Python cannot make environments: ${python}. On Debian: apt install python3-venv`, 'python')
        : undefined,
    );
    installation.progress('installing the server');
    const own = join(folder, scripts(platform), executable('python', platform));
    const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', '--progress-bar=off', '--retries', '1', installation.wheel];
    await step(installation, own, pip, (output) =>
      NO_NETWORK.test(output)
        ? new InstallError('What the server needs could not be downloaded: there is no connection to the package index.', 'network')
        : undefined,
    );
    await step(installation, serverIn(folder, platform), ['--version'], () => undefined);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function findPython(installation: Installation): Promise<string> {
  const old: string[] = [];
  for (const name of NAMES) {
    const path = await findOnPath(executable(name, installation.platform), installation);
    if (path === undefined) continue;
    const { status, output } = await run(installation, path, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])']);
    const version = output.trim();
    if (status === 0 && isEnough(version)) return path;
    if (status === 0) old.push(`${path} is ${version}`);
  }
  const found = old.length > 0 ? ` (${old.join(', ')})` : '';
  throw new InstallError(`The server needs Python ${NEEDED} or later, and there is none on your PATH${found}.`, 'python');
}

function isEnough(version: string): boolean {
  const [major, minor] = version.split('.').map(Number);
  const [neededMajor, neededMinor] = NEEDED.split('.').map(Number);
  return major === neededMajor && minor !== undefined && minor >= (neededMinor ?? 0);
}

async function step(
  installation: Installation,
  program: string,
  programArguments: readonly string[],
  known: (output: string) => InstallError | undefined,
): Promise<void> {
  const { status, output } = await run(installation, program, programArguments);
  if (status === 0) return;
  throw known(output) ?? new InstallError(`'${program} ${programArguments.slice(0, 3).join(' ')}' failed; the log says why.`, 'log');
}

/** Runs a program. Rejects if the user cancels the installation. */
function run(
  installation: Installation,
  program: string,
  programArguments: readonly string[],
): Promise<{ readonly status: number; readonly output: string }> {
  installation.log(`$ ${[program, ...programArguments].join(' ')}`);
  return new Promise((resolve, reject) => {
    const end = (status: number, text: string): void => {
      if (installation.signal.aborted) reject(new InstallError('The installation was cancelled.', 'none'));
      else resolve({ status, output: text });
    };
    // PYTHONPATH or PYTHONHOME of the window would replace modules of this Python.
    const { PYTHONPATH: _path, PYTHONHOME: _home, ...environment } = process.env;
    const child = spawn(program, programArguments, { env: environment, signal: installation.signal, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const take = (data: Buffer): void => {
      const text = data.toString();
      output = (output + text).slice(-100_000);
      for (const line of text.trimEnd().split('\n')) installation.log(line);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error) => end(-1, String(error)));
    child.on('close', (status) => end(status ?? -1, output));
  });
}
