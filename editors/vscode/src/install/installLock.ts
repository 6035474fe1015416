// Lets one window at a time install the server: all windows share the extension's folder. Knows nothing of VS Code.

import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const POLL_MS = 300;
/** Milliseconds after which the lock of a window that still runs is ignored: no installation takes as long. */
const LONGEST_MS = 20 * 60_000;

/**
 * Runs `work` while no other window installs into `folder`. `waiting` is called once if another window does; `work` then
 * gets true.
 */
export async function withInstallLock<Result>(
  folder: string,
  waiting: () => void,
  work: (hasWaited: boolean) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  // The name does not begin like that of a server's folder.
  const lock = join(dirname(folder), `installing-${basename(folder)}`);
  await mkdir(dirname(folder), { recursive: true });
  let hasWaited = false;
  while (!(await tryLock(lock))) {
    if (await removeStale(lock)) continue;
    if (!hasWaited) waiting();
    hasWaited = true;
    if (signal.aborted) break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  try {
    return await work(hasWaited);
  } finally {
    if (!signal.aborted || (await owner(lock)) === process.pid) await rm(lock, { force: true });
  }
}

async function tryLock(lock: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx');
    try {
      await file.writeFile(String(process.pid));
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock of a process that has ended. Returns whether the lock may be free now. */
async function removeStale(lock: string): Promise<boolean> {
  const holder = await owner(lock);
  const age = Date.now() - (await stat(lock).then(({ mtimeMs }) => mtimeMs, () => 0));
  // A lock without a process was created just now, or its process ended at that moment.
  if (holder === undefined ? age < POLL_MS * 10 : isRunning(holder) && age < LONGEST_MS) return false;
  const removed = `${lock}-${process.pid}`;
  // Of several windows that see the lock of an ended process, one moves it away.
  await rename(lock, removed).catch(() => undefined);
  await rm(removed, { force: true });
  return true;
}

async function owner(lock: string): Promise<number | undefined> {
  const text = await readFile(lock, 'utf8').catch(() => '');
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

function isRunning(process_: number): boolean {
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
