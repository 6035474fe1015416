// Brings into the extension what is made elsewhere in the repository: the server's package, from which the extension
// installs it (needs Python with hatchling or pip, or uv), and a picture.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const extension = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(dirname(extension));
const server = join(extension, 'server');
const own = join(root, '.venv', process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
const python = process.env.PYTHON ?? (existsSync(own) ? own : 'python3');

copyFileSync(join(root, 'docs', 'images', 'runs.png'), join(extension, 'images', 'runs.png'));
// Built beside and moved into its place: whoever installs the package meanwhile finds the old one or the new one.
const scratch = mkdtempSync(join(tmpdir(), 'ttsr-ls-'));
const ways = [
  [python, '-m', 'hatchling', 'build', '-t', 'wheel', '-d', scratch],
  ['uv', 'build', '--wheel', '--no-create-gitignore', '-o', scratch],
  [python, '-m', 'pip', 'wheel', '--no-deps', '--quiet', '-w', scratch, '.'],
];
const failures = [];
for (const [program, ...given] of ways) {
  const { status, stdout, stderr, error } = spawnSync(program, given, { cwd: root, encoding: 'utf8' });
  if (status === 0) break;
  failures.push(`$ ${[program, ...given].join(' ')}\n${error ?? ''}${stdout ?? ''}${stderr ?? ''}`);
}
const [wheel] = readdirSync(scratch).filter((name) => name.endsWith('.whl'));
if (wheel === undefined) {
  console.error(`The server's package was not built.\n\n${failures.join('\n')}`);
  process.exit(1);
}
mkdirSync(server, { recursive: true });
copyFileSync(join(scratch, wheel), join(server, `${wheel}.new`));
renameSync(join(server, `${wheel}.new`), join(server, wheel));
for (const name of readdirSync(server)) if (name !== wheel) rmSync(join(server, name));
rmSync(scratch, { recursive: true });
console.log(`server/${wheel}`);
