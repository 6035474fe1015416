// Brings into the extension what is made elsewhere in the repository: the server's package, from which the extension
// installs it (needs Python with hatchling or pip, or uv), and a picture.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const extension = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(dirname(extension));
const server = join(extension, 'server');
const own = join(root, '.venv', process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
const python = process.env.PYTHON ?? (existsSync(own) ? own : 'python3');

copyFileSync(join(root, 'docs', 'images', 'runs.png'), join(extension, 'images', 'runs.png'));
rmSync(server, { recursive: true, force: true });
mkdirSync(server);
const ways = [
  [python, '-m', 'hatchling', 'build', '-t', 'wheel', '-d', server],
  ['uv', 'build', '--wheel', '--no-create-gitignore', '-o', server],
  [python, '-m', 'pip', 'wheel', '--no-deps', '--quiet', '-w', server, '.'],
];
const failures = [];
for (const [program, ...given] of ways) {
  const { status, stdout, stderr, error } = spawnSync(program, given, { cwd: root, encoding: 'utf8' });
  if (status === 0) break;
  failures.push(`$ ${[program, ...given].join(' ')}\n${error ?? ''}${stdout ?? ''}${stderr ?? ''}`);
}
const [wheel] = readdirSync(server).filter((name) => name.endsWith('.whl'));
if (wheel === undefined) {
  console.error(`The server's package was not built.\n\n${failures.join('\n')}`);
  process.exit(1);
}
console.log(`server/${wheel}`);
