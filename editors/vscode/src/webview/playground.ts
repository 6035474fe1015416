// The page of the playground: a sample with shaded matches that streams delta by delta, its captures, and the gates.

import type { NoServer } from '../remedies';
import { firingText, gateTitle, stoppingFirst, type TestTextResult, type WireFiring, type WirePosition, type WireRange } from './answer';
import { byId, element, inlineMarkdown, remedyButtons } from './dom';

/** A message of the extension. */
type ExtensionMessage =
  | { readonly kind: 'start'; readonly sample: string; readonly textKind: string }
  | {
      readonly kind: 'result';
      readonly result: TestTextResult;
      readonly rule: string;
      readonly sample: string;
      readonly milliseconds: number;
    }
  | { readonly kind: 'focus' }
  | { readonly kind: 'failure'; readonly message: string }
  | NoServer;

interface Host {
  postMessage(message: unknown): void;
}

declare function acquireVsCodeApi(): Host;

const COLORS = 6;
const MOST_LISTED = 30;
const STEP_PAUSE = 60;

const host = acquireVsCodeApi();
const sample = byId<HTMLTextAreaElement>('sample');
const backdrop = byId('backdrop');
const kind = byId<HTMLSelectElement>('kind');
const chunk = byId<HTMLInputElement>('chunk');
const slider = byId<HTMLInputElement>('slider');
const play = byId<HTMLButtonElement>('play');
let timer: number | undefined;

window.addEventListener('message', (event: MessageEvent<ExtensionMessage>) => {
  const message = event.data;
  switch (message.kind) {
    case 'start':
      sample.value = message.sample;
      sample.disabled = false;
      kind.value = message.textKind;
      ask();
      break;
    case 'result':
      draw(message.result, message.rule, message.sample, message.milliseconds);
      break;
    case 'focus':
      sample.focus();
      break;
    case 'failure':
      byId('summary').textContent = message.message;
      break;
    case 'noServer':
      stop();
      byId('summary').textContent = message.message;
      byId('answer').hidden = true;
      byId('remedies').replaceChildren(
        ...remedyButtons(message, (command) => host.postMessage({ kind: 'remedy', command })),
      );
  }
});

sample.addEventListener('input', () => {
  if (isAtEnd()) slider.value = slider.max;
  shade(sample.value, [], sample.value.length);
  ask();
});
sample.addEventListener('scroll', () => {
  backdrop.scrollTop = sample.scrollTop;
});
for (const input of [kind, chunk]) input.addEventListener('change', ask);
slider.addEventListener('input', () => {
  stop();
  ask();
});
play.addEventListener('click', () => (timer === undefined ? start() : stop()));
byId('first').addEventListener('click', () => seek(0));
byId('back').addEventListener('click', () => seek(Number(slider.value) - 1));
byId('next').addEventListener('click', () => seek(Number(slider.value) + 1));
host.postMessage({ kind: 'ready' });

function isAtEnd(): boolean {
  return slider.value === slider.max;
}

function ask(): void {
  host.postMessage({
    kind: 'try',
    sample: sample.value,
    textKind: kind.value,
    chunk: Math.max(1, Math.trunc(Number(chunk.value)) || 1),
    shown: isAtEnd() ? null : Number(slider.value),
  });
}

function seek(delta: number): void {
  stop();
  slider.value = String(delta);
  ask();
}

function start(): void {
  if (isAtEnd()) slider.value = '0';
  play.textContent = 'Pause';
  timer = window.setInterval(() => {
    slider.value = String(Number(slider.value) + 1);
    ask();
    if (isAtEnd()) stop();
  }, STEP_PAUSE);
}

function stop(): void {
  window.clearInterval(timer);
  timer = undefined;
  play.textContent = 'Stream';
}

function draw(result: TestTextResult, name: string, tried: string, milliseconds: number): void {
  byId('answer').hidden = false;
  byId('remedies').replaceChildren();
  const atEnd = isAtEnd();
  slider.max = String(Math.max(1, result.deltas));
  if (atEnd) slider.value = slider.max;
  const [rule] = result.rules;
  byId('rule').textContent = name;
  byId('summary').textContent = result.summary;
  byId('time').textContent = `${milliseconds.toFixed(1)} ms`;
  byId('note').textContent = result.note === null ? '' : `Note: ${result.note}`;
  const delta = Number(slider.value);
  const place = `delta ${delta} of ${result.deltas}`;
  byId('place').textContent = place;
  // A screen reader reads this text at the slider.
  slider.setAttribute('aria-valuetext', place);
  byId('badge').className = rule?.verdict ?? 'silent';
  byId('badge').textContent = rule?.verdict ?? 'not tried';
  byId('stable').replaceChildren(...mode('stable', rule?.stable ?? null, delta, atEnd));
  byId('reference').replaceChildren(...mode('reference', rule?.reference ?? null, delta, atEnd));
  const offset = offsets(tried);
  const span = (range: WireRange): readonly [number, number] => [offset(range.start), offset(range.end)];
  const matches = (rule?.matches ?? []).map((match) => ({ ...match, span: span(match.range) }));
  if (tried === sample.value) shade(tried, matches, atEnd ? tried.length : offset(result.shownTo));
  byId('conditions').replaceChildren(
    ...(rule?.conditions ?? []).map((condition, index) => {
      const count = matches.filter((match) => match.condition === index).length;
      const state = condition.state === 'matches' ? `${count}${condition.isComplete ? '' : '+'} ×` : condition.state;
      const open = element('button', { class: 'link code', type: 'button' }, condition.text);
      open.addEventListener('click', () => host.postMessage({ kind: 'open', line: condition.range?.start.line ?? 0 }));
      return element('li', {}, element('span', { class: `chip c${index % COLORS}` }, state), ' ', open);
    }),
  );
  byId('captures').replaceChildren(
    ...matches.slice(0, MOST_LISTED).map((match) => {
      const go = element(
        'button',
        { class: `link code c${match.condition % COLORS}`, type: 'button' },
        tried.slice(...match.span) || '(empty)',
      );
      go.addEventListener('click', () => {
        sample.focus();
        sample.setSelectionRange(...match.span);
      });
      const groups = match.groups.map((group) => {
        const label = group.name === null ? String(group.number) : `${group.number} ${group.name}`;
        return element('span', { class: 'group' }, `${label} = `, element('code', {}, tried.slice(...span(group.range))));
      });
      return element('li', {}, go, ...groups);
    }),
  );
  byId('gates').replaceChildren(
    ...stoppingFirst(result.gates).map((step) =>
      element(
        'li',
        { class: step.verdict },
        element('strong', {}, `${gateTitle(step)} `),
        ...inlineMarkdown(`${step.text} ${step.fix ?? ''}`),
      ),
    ),
  );
}

function mode(name: string, firing: WireFiring | null, delta: number, atEnd: boolean): HTMLElement[] {
  const has = firing !== null && (atEnd || (!firing.atEnd && delta >= firing.delta));
  const text = `${name}: ${firing === null ? 'silent' : `fires ${firingText(firing)}`}`;
  const shown = [element('span', { class: has ? 'lit' : 'unlit' }, text)];
  if (firing !== null) {
    const go = element('button', { class: 'link', type: 'button' }, 'go there');
    go.addEventListener('click', () => seek(firing.delta));
    shown.push(go);
  }
  return shown;
}

/** Shades the matches, and dims the text after `came`, which has not arrived yet. */
function shade(
  text: string,
  matches: readonly { readonly condition: number; readonly span: readonly [number, number] }[],
  came: number,
): void {
  const bounds = new Set([0, came, text.length]);
  for (const { span } of matches) span.forEach((bound) => bounds.add(bound));
  const ordered = [...bounds].filter((bound) => bound <= text.length).sort((a, b) => a - b);
  const parts: HTMLElement[] = [];
  let at = 0;
  const open: typeof matches[number][] = [];
  for (let index = 0; index + 1 < ordered.length; index += 1) {
    const start = ordered[index] ?? 0;
    while (at < matches.length && (matches[at]?.span[0] ?? Infinity) <= start) {
      const match = matches[at];
      if (match !== undefined) open.push(match);
      at += 1;
    }
    const here = open.filter(({ span }) => span[1] > start);
    const color = here[0] === undefined ? '' : `c${here[0].condition % COLORS}`;
    const style = `${color} ${here.length > 1 ? 'several' : ''} ${start >= came ? 'pending' : ''}`;
    parts.push(element('span', { class: style.trim() }, text.slice(start, ordered[index + 1])));
  }
  // Without it, an empty last line would have no height.
  backdrop.replaceChildren(...parts, '\n');
  backdrop.scrollTop = sample.scrollTop;
}

/** Returns a function that converts positions of the server, in UTF-16, to offsets. */
function offsets(text: string): (position: WirePosition) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (position) => (starts[position.line] ?? text.length) + position.character;
}
