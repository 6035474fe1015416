// The message about a server that was not found. Knows nothing of VS Code.

import type { Missing } from '../program';

export type Action = 'Install' | 'Manage Trust' | 'Open Setting' | 'Try Again';

export interface Question {
  readonly message: string;
  readonly actions: readonly Action[];
}

/**
 * The message about a missing server. `need`, the user's request ("A new rule"), distinguishes it from the message of
 * the start: VS Code shows an equal message by replacing the first one, which the user does not notice. `isUpdate`: an
 * earlier build of the extension has installed its server.
 */
export function askAboutMissing(missing: Missing, installable: boolean, need?: string, isUpdate = false): Question {
  const reason = need === undefined ? '' : `${need} needs the server. `;
  if (missing.setting !== undefined) {
    const message = `TTSR: ${reason}The setting 'ttsr.path' names ${missing.setting}, which is not a program.`;
    return { message, actions: ['Open Setting', 'Try Again'] };
  }
  const install: readonly Action[] = installable ? ['Install'] : [];
  if (missing.skipped.length > 0) {
    const otherwise = installable ? ', or install the one that comes with the extension' : '';
    const message = `TTSR: ${reason}This folder has a server in its .venv, which starts only in a trusted folder. Trust the folder${otherwise}?`;
    return { message, actions: ['Manage Trust', ...install, 'Open Setting'] };
  }
  if (installable && isUpdate) {
    const message = `TTSR: ${reason}The extension was updated, and its new server is not installed yet. Install it?`;
    return { message, actions: ['Install', 'Open Setting'] };
  }
  const [broken] = missing.broken;
  const cause =
    broken === undefined ? 'No ttsr-ls server was found.' : `${broken.path} cannot start, since its Python is gone: ${broken.interpreter}.`;
  const offer = installable ? 'Install the one that comes with the extension?' : "Name one in the setting 'ttsr.path'.";
  return { message: `TTSR: ${reason}${cause} ${offer}`, actions: [...install, 'Open Setting'] };
}
