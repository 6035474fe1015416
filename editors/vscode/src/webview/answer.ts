// The parts of the answer to `ttsr/testText` that the extension uses (docs/lsp-extensions.md).

export interface WirePosition {
  readonly line: number;
  readonly character: number;
}

export interface WireRange {
  readonly start: WirePosition;
  readonly end: WirePosition;
}

export interface WireGate {
  readonly gate: string;
  readonly verdict: 'passes' | 'stops' | 'open';
  readonly text: string;
  readonly fix: string | null;
}

export interface WireFiring {
  readonly condition: number;
  readonly range: WireRange;
  readonly delta: number;
  readonly offset: number;
  readonly atEnd: boolean;
}

export interface WireCondition {
  readonly text: string;
  readonly kind: 'regex' | 'ast';
  readonly state: 'matches' | 'silent' | 'slow' | 'skipped';
  readonly isComplete: boolean;
  readonly range: WireRange | null;
}

export interface WireMatch {
  readonly condition: number;
  readonly range: WireRange;
  readonly groups: readonly { readonly number: number; readonly name: string | null; readonly range: WireRange }[];
}

export interface WireRule {
  readonly name: string;
  readonly uri: string;
  readonly verdict: 'fires' | 'silent' | 'undecided';
  readonly interrupts: boolean | null;
  readonly matching: string;
  readonly conditions: readonly WireCondition[];
  readonly matches: readonly WireMatch[];
  readonly stable: WireFiring | null;
  readonly reference: WireFiring | null;
  /** When the rule fires while the text streams, in sentences; null where it does not fire. */
  readonly streaming: string | null;
  readonly stoppedBy: WireGate | null;
  readonly reasons: readonly string[];
}

export interface TestTextResult {
  readonly stream: string | null;
  readonly summary: string;
  readonly note: string | null;
  readonly deltas: number;
  readonly chunk: number;
  readonly shownTo: WirePosition;
  readonly rules: readonly WireRule[];
  readonly gates: readonly WireGate[];
  readonly absent: readonly { readonly name: string; readonly uri: string; readonly reason: string }[];
}

/** Returns the gates that stop the rule, then all others, each in their order. */
export function stoppingFirst(gates: readonly WireGate[]): WireGate[] {
  const stops = (gate: WireGate): boolean => gate.verdict === 'stops';
  return [...gates.filter(stops), ...gates.filter((gate) => !stops(gate))];
}

const GATE_SIGNS = { passes: '✓', stops: '✗', open: '?' } as const;

/** The title of a gate with a sign for its verdict: the title alone names the state of a rule that passes. */
export function gateTitle({ gate, verdict }: WireGate): string {
  return `${GATE_SIGNS[verdict]} ${gate}`;
}

/** Returns when a rule fires in one way of matching, in a few words. */
export function firingText(firing: WireFiring | null): string {
  if (firing === null) return 'silent';
  return firing.atEnd ? 'when the block ends' : `with delta ${firing.delta}, after ${firing.offset} characters`;
}
