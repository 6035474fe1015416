// The message about a server that was found, but did not start. Knows nothing of VS Code.

import type { Program } from '../program';

export type StartAction = 'Install' | 'Open Setting' | 'Start Server' | 'Restart Server' | 'Show Log';

export interface FailedStart {
  readonly message: string;
  readonly actions: readonly StartAction[];
}

/** The message names the program: another one may be installed. `need` is the user's request ("A new rule"). */
export function describeFailedStart({ path, origin }: Program, need?: string): FailedStart {
  const reason = need === undefined ? '' : `${need} needs the server. `;
  const start: readonly StartAction[] = ['Start Server', 'Show Log'];
  switch (origin) {
    case 'setting':
      return { message: `TTSR: ${reason}The server did not start: ${path}, which the setting 'ttsr.path' names.`, actions: ['Open Setting', ...start] };
    case 'workspace':
      return { message: `TTSR: ${reason}The server did not start: ${path}, in the .venv of this workspace.`, actions: start };
    case 'path':
      return { message: `TTSR: ${reason}The server did not start: ${path}, on your PATH.`, actions: start };
    case 'own':
      return { message: `TTSR: ${reason}The server that the extension installed did not start. Install it again?`, actions: ['Install', ...start] };
    case 'uvx':
      return { message: `TTSR: ${reason}The server did not start: ${path} could not run the package in the extension.`, actions: start };
  }
}
