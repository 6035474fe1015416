// The samples of rules, by the rule's URI, in the memory of the workspace.

import type * as vscode from 'vscode';

export interface Sample {
  readonly sample: string;
  readonly textKind: string;
  readonly chunk: number;
  readonly shown: number | null;
}

/** A renamed file or folder. */
export interface Renamed {
  readonly oldUri: vscode.Uri;
  readonly newUri: vscode.Uri;
}

const KEY = 'ttsr.samples';
const MOST_SAMPLES = 50;
const LONGEST_KEPT = 20_000;

export class Samples {
  constructor(private readonly state: vscode.Memento) {}

  of(rule: string): Sample | undefined {
    return this.all()[rule];
  }

  keep(rule: string, sample: Sample): void {
    if (sample.sample.length > LONGEST_KEPT) return;
    const { [rule]: _, ...others } = this.all();
    const newest = Object.entries(others).slice(1 - MOST_SAMPLES);
    void this.state.update(KEY, { ...Object.fromEntries(newest), [rule]: sample });
  }

  /** Keeps the samples of renamed rules under their new names, too. */
  copy(files: readonly Renamed[]): void {
    for (const [rule, sample] of Object.entries(this.all())) {
      const renamed = renamedUri(rule, files);
      if (renamed !== undefined) this.keep(renamed, sample);
    }
  }

  private all(): Readonly<Record<string, Sample>> {
    return this.state.get<Record<string, Sample>>(KEY, {});
  }
}

/** Returns the URI of a file after the renaming; undefined if it keeps its URI. */
export function renamedUri(uri: string, files: readonly Renamed[]): string | undefined {
  for (const { oldUri, newUri } of files) {
    if (uri === oldUri.toString()) return newUri.toString();
    if (uri.startsWith(`${oldUri.toString()}/`)) return newUri.toString() + uri.slice(oldUri.toString().length);
  }
  return undefined;
}
