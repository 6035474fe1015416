// Makes elements. Texts of rules and agents become text nodes, never HTML.

import type { NoServer, Remedy } from '../remedies';

export type Child = Node | string | null;

/** An element with attributes, a class, and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child): child is Node | string => child !== null));
  return made;
}

/** Renders one paragraph of the server's Markdown, of which it knows code between backticks and escapes. */
export function inlineMarkdown(text: string): Node[] {
  const nodes: Node[] = [];
  let rest = 0;
  for (const found of text.matchAll(/(`+)( ?)(.+?)\2\1(?!`)/gs)) {
    if (text[found.index - 1] === '\\') continue;
    nodes.push(document.createTextNode(unescaped(text.slice(rest, found.index))));
    nodes.push(element('code', {}, found[3] ?? ''));
    rest = found.index + found[0].length;
  }
  nodes.push(document.createTextNode(unescaped(text.slice(rest))));
  return nodes;
}

function unescaped(text: string): string {
  return text.replace(/\\([\\`*_[\]|<>&~])/g, '$1').replaceAll('**', '');
}

/** Returns the buttons of a message that no server runs. */
export function remedyButtons(message: NoServer, run: (command: Remedy) => void): HTMLElement[] {
  return message.remedies.map(({ command, title }) => {
    const button = element('button', { type: 'button' }, title);
    button.addEventListener('click', () => run(command));
    return button;
  });
}

export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`no element ${id}`);
  return found as T;
}
