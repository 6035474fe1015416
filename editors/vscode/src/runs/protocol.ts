// The server's answers about runs. The server escapes all names and texts; the extension never renders them as Markdown.

import { ExecuteCommandRequest, type LanguageClient } from 'vscode-languageclient/node';

export interface Trigger {
  /** Counts from 0 in its session. */
  readonly number: number;
  readonly time: number;
  readonly rule: string;
  readonly ruleUri: string;
  readonly condition: string;
  readonly message: string;
  readonly surface: string;
  readonly matched: string;
  readonly interrupts: boolean;
  readonly silenced: boolean;
  /** The outcome of the output on which the rule fired, in a few words; null until it is known. */
  readonly outcome: string | null;
  /** It fired while the server followed the run, so the user has not seen it yet. */
  readonly live: boolean;
  readonly targetUri: string | null;
  readonly targetLine: number | null;
  /** Its line in the transcript; null if the transcript has lost that part. */
  readonly line: number | null;
}

export interface Turn {
  readonly id: string;
  readonly title: string;
  readonly started: number;
  readonly state: 'working' | 'ended' | 'failed';
  readonly outcome: string | null;
  readonly triggers: readonly Trigger[];
}

export interface Session {
  readonly id: string;
  readonly agent: string;
  readonly started: number;
  readonly lastEvent: number;
  readonly state: 'working' | 'ended' | 'failed';
  readonly transcript: string;
  readonly triggers: number;
  readonly coverage: string | null;
  readonly uninspected: number;
  readonly silenced: readonly string[];
  readonly turns: readonly Turn[];
}

export interface Workspace {
  readonly uri: string;
  readonly name: string;
  readonly sessions: readonly Session[];
}

export interface TranscriptPart {
  readonly uri: string;
  readonly session: string;
  readonly epoch: number;
  readonly first: number;
  readonly stable: number;
  readonly lines: readonly string[];
  readonly marks: readonly { readonly line: number; readonly start: number; readonly end: number; readonly trigger: number }[];
  readonly folds: readonly (readonly [number, number])[];
  readonly triggers: readonly Trigger[];
}

/** The scheme of transcripts' URIs. */
export const SCHEME = 'ttsr-transcript';

export interface RunTree {
  readonly workspaces: readonly Workspace[];
  /** Whether the user has cleared sessions. */
  readonly cleared: boolean;
  /** The number of triggers with marks: those of finished runs and cleared ones have none. An older server omits it. */
  readonly displayedTriggers?: number;
}

export async function runs(client: LanguageClient): Promise<RunTree> {
  return (await execute(client, 'ttsr.runs')) as RunTree;
}

export async function transcript(client: LanguageClient, uri: string, epoch: number, first: number): Promise<TranscriptPart> {
  return (await execute(client, 'ttsr.transcript', { uri, epoch, first })) as TranscriptPart;
}

/** Silences the messages of a trigger's rule in a session and in all windows, or ends that. */
export async function silence(client: LanguageClient, session: string, { rule, ruleUri }: Trigger, silent: boolean): Promise<void> {
  await execute(client, 'ttsr.silence', { session, rule, ruleUri, silent });
}

export async function clearRuns(client: LanguageClient): Promise<void> {
  await execute(client, 'ttsr.clearRuns');
}

function execute(client: LanguageClient, command: string, ...commandArguments: readonly object[]): Promise<unknown> {
  return client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [...commandArguments] });
}
