// The last line of a test run's output. Knows nothing of VS Code.

export type TestCounts = Record<'passed' | 'failed' | 'errored' | 'skipped', number>;

export function countsText({ passed, failed, errored }: TestCounts): string {
  const run = passed + failed + errored;
  const parts = [`${passed} passed`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (errored > 0) parts.push(`${errored} undecided`);
  return `${run === 1 ? '1 test' : `${run} tests`}: ${parts.join(', ')}.`;
}
