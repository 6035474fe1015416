// The message and the buttons that a panel shows while no server runs.

import type { Server } from './server';

const REMEDIES = { 'ttsr.install': 'Install server', 'ttsr.restart': 'Start server', 'ttsr.showLog': 'Show log' } as const;
export type Remedy = keyof typeof REMEDIES;

export interface NoServer {
  readonly kind: 'noServer';
  readonly message: string;
  readonly remedies: readonly { readonly command: Remedy; readonly title: string }[];
}

/** Returns the message to a panel's page; `need` begins its text ("The playground"). */
export function noServer(need: string, { isMissing }: Server): NoServer {
  const offered: readonly Remedy[] = [isMissing ? 'ttsr.install' : 'ttsr.restart', 'ttsr.showLog'];
  return {
    kind: 'noServer',
    message: `${need} needs the server, ${isMissing ? 'and none was found' : 'which is not running'}.`,
    remedies: offered.map((command) => ({ command, title: REMEDIES[command] })),
  };
}

/** Whether a page may request this command. */
export function isRemedy(command: unknown): command is Remedy {
  return typeof command === 'string' && Object.hasOwn(REMEDIES, command);
}
