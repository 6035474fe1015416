// The page with the result of a trial.

import { gateTitle, stoppingFirst, type TestTextResult, type WireRange, type WireRule } from './answer';
import type { NoServer } from '../remedies';
import { byId, element, inlineMarkdown, remedyButtons } from './dom';

interface Shown {
  readonly result: TestTextResult;
  /** The texts of the matches, by rule and match. */
  readonly texts: readonly (readonly string[])[];
  /** The lines on which the matches begin, counted from 1. */
  readonly lines: readonly (readonly number[])[];
  readonly where: string;
}

interface Host {
  postMessage(message: unknown): void;
}

declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
const MOST_LISTED = 50;
/** The most matches of a silent rule that are listed without a click. */
const FEW = 5;

window.addEventListener('message', (event: MessageEvent<Shown | NoServer>) =>
  'kind' in event.data ? drawNoServer(event.data) : draw(event.data),
);
host.postMessage({ kind: 'ready' });

function draw(shown: Shown): void {
  const { result } = shown;
  const rules = result.rules.map((rule, index) => ({ rule, index }));
  // In the order of the summary: by the place where they fire.
  const fired = rules.filter(({ rule }) => rule.verdict === 'fires').sort((one, other) => firstFiring(one.rule) - firstFiring(other.rule));
  const matching = rules.filter(({ rule }) => rule.verdict !== 'fires' && rule.matches.length > 0);
  const rest = rules.filter(({ rule }) => rule.verdict !== 'fires' && rule.matches.length === 0);
  byId('view').replaceChildren(
    element('h1', {}, result.summary),
    element('p', { class: 'where' }, shown.where, ' ', action('Try as something else…', { kind: 'as' })),
    ...(result.note === null ? [] : [element('p', { class: 'note' }, `Note: ${result.note}`)]),
    ...fired.map(({ rule, index }) => ruleSection(rule, index, shown)),
    ...matching.map(({ rule, index }) => ruleSection(rule, index, shown)),
    ...gatesSection(result),
    ...(rest.length === 0 ? [] : [silentTable(rest)]),
    ...absentSection(result),
  );
}

/** The offset at which a rule first fires; a rule that fires only at the end of the text sorts last. */
function firstFiring({ stable, reference }: WireRule): number {
  const firing = stable ?? reference;
  return firing === null || firing.atEnd ? Number.MAX_SAFE_INTEGER : firing.offset;
}

/** Shows the message above the last result, which stays and follows the edits again once a server runs. */
function drawNoServer(message: NoServer): void {
  document.getElementById('noServer')?.remove();
  const buttons = remedyButtons(message, (command) => host.postMessage({ kind: 'remedy', command }));
  byId('view').prepend(element('p', { class: 'note', id: 'noServer', role: 'status' }, `${message.message} `, ...buttons));
}

function ruleSection(rule: WireRule, index: number, shown: Shown): HTMLElement {
  const fires = rule.verdict === 'fires';
  const section = element(
    'section',
    { class: rule.verdict },
    element(
      'h2',
      {},
      element('span', { class: 'badge' }, fires ? (rule.interrupts === true ? 'interrupts' : 'reminds') : rule.verdict),
      ' ',
      openRule(rule, rule.name),
    ),
  );
  if (rule.stoppedBy !== null) {
    const { gate, text, fix } = rule.stoppedBy;
    section.append(element('p', {}, `Gate “${gate}”: `, ...inlineMarkdown(`${text} ${fix ?? ''}`)));
  }
  if (rule.streaming !== null) section.append(element('p', { class: 'modes' }, ...inlineMarkdown(rule.streaming)));
  const list = element('ul');
  rule.matches.slice(0, MOST_LISTED).forEach((match, number) => {
    const condition = rule.conditions[match.condition];
    list.append(
      element(
        'li',
        {},
        action(`line ${shown.lines[index]?.[number] ?? '?'}`, { kind: 'match', rule: index, match: number }),
        ' ',
        element('code', {}, shown.texts[index]?.[number] ?? ''),
        ' by ',
        openRule(rule, condition?.text ?? '', condition?.range ?? undefined, 'code'),
      ),
    );
  });
  const more = rule.matches.length - MOST_LISTED;
  if (more > 0) list.append(element('li', {}, `and ${more} more`));
  const isLong = !fires && rule.matches.length > FEW;
  section.append(isLong ? element('details', {}, element('summary', {}, `${rule.matches.length} matches`), list) : list);
  return section;
}

function gatesSection(result: TestTextResult): HTMLElement[] {
  if (result.gates.length === 0) return [];
  return [
    element('h2', {}, 'Gates'),
    element(
      'ol',
      { class: 'gates' },
      ...stoppingFirst(result.gates).map((step) =>
        element('li', { class: step.verdict }, `${gateTitle(step)}: `, ...inlineMarkdown(`${step.text} ${step.fix ?? ''}`)),
      ),
    ),
  ];
}

function silentTable(rules: readonly { rule: WireRule }[]): HTMLElement {
  const rows = rules.map(({ rule }) =>
    element(
      'tr',
      {},
      element('td', {}, openRule(rule, rule.name)),
      element('td', {}, rule.stoppedBy === null ? rule.verdict : gateTitle(rule.stoppedBy)),
      element('td', {}, rule.reasons.join(', and ')),
    ),
  );
  return element(
    'details',
    { open: '' },
    element('summary', {}, `Silent, and no match: ${rules.length}`),
    element('table', {}, element('tbody', {}, ...rows)),
  );
}

function absentSection(result: TestTextResult): HTMLElement[] {
  if (result.absent.length === 0) return [];
  const rows = result.absent.map((each) => element('li', {}, `${each.name}: `, ...inlineMarkdown(each.reason)));
  return [
    element(
      'details',
      // If no rule is tried, the reasons are the result.
      result.rules.length === 0 ? { open: '' } : {},
      element('summary', {}, `Not in force: ${rows.length}`),
      element('ul', {}, ...rows),
    ),
  ];
}

function openRule(rule: WireRule, text: string, range?: WireRange, style = ''): HTMLElement {
  return action(text, { kind: 'rule', uri: rule.uri, line: range?.start.line ?? 0 }, style);
}

function action(text: string, message: unknown, style = ''): HTMLElement {
  const made = element('button', { class: `link ${style}`, type: 'button' }, text);
  made.addEventListener('click', () => host.postMessage(message));
  return made;
}
