// Tells the server that the extension has the commands of its lenses: the tests of a rule, and the playground.

import type { ClientCapabilities, StaticFeature } from 'vscode-languageclient/node';

export const TESTS_FEATURE: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    capabilities.experimental = { ...(capabilities.experimental as object | undefined), ttsrTests: true };
  },
  initialize(): void {},
  getState: () => ({ kind: 'static' }),
  clear(): void {},
};
