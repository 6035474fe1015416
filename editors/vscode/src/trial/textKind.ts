// The kind of a tried text: the user chooses it once for each class of files, and it is remembered.

import * as vscode from 'vscode';

import { KINDS, type TextKind } from './protocol';

export interface ChosenKind {
  readonly kind?: TextKind;
  readonly tool?: string;
}

interface KindItem extends vscode.QuickPickItem {
  readonly as: TextKind | 'scope';
}

const REMEMBERED = 'ttsr.textKinds';
const PROSE = new Set(['markdown', 'plaintext', 'restructuredtext', 'asciidoc', 'latex', 'tex', 'git-commit']);

/** The class of a file. The choice is remembered for each class. */
function fileClass(document: vscode.TextDocument, isRule: boolean): string {
  if (isRule) return 'rule';
  return PROSE.has(document.languageId) || document.isUntitled ? 'prose' : 'code';
}

export class TextKinds {
  constructor(private readonly memory: vscode.Memento) {}

  /** Returns the last choice for files of this class. */
  remembered(document: vscode.TextDocument, isRule: boolean): ChosenKind | undefined {
    return this.all()[fileClass(document, isRule)];
  }

  remember(document: vscode.TextDocument, isRule: boolean, chosen: ChosenKind): Thenable<void> {
    return this.memory.update(REMEMBERED, { ...this.all(), [fileClass(document, isRule)]: chosen });
  }

  /** Asks for the kind of the text; undefined if the user cancels. */
  async ask(document: vscode.TextDocument, isRule: boolean): Promise<ChosenKind | undefined> {
    const name = vscode.workspace.asRelativePath(document.uri);
    const items: KindItem[] = [
      { as: 'edit', label: '$(edit) Edit of this file', description: name },
      { as: 'write', label: '$(new-file) Write of this file', description: name },
      { as: 'text', label: '$(comment) Reply text', description: 'what the agent says' },
      { as: 'thinking', label: '$(lightbulb) Thinking' },
      { as: 'bash', label: '$(terminal) Bash command' },
      { as: 'tool', label: '$(tools) Arguments of another tool…', description: 'as JSON' },
    ];
    if (isRule) {
      items.unshift({ as: 'scope', label: '$(target) A stream in the scope of this rule' });
    }
    const before = this.remembered(document, isRule);
    const usual = fileClass(document, isRule) === 'prose' ? 'text' : isRule ? 'scope' : 'edit';
    const first = before === undefined ? usual : (before.kind ?? 'scope');
    items.sort((a, b) => Number(b.as === first) - Number(a.as === first));
    const picked = await vscode.window.showQuickPick(items, {
      title: 'TTSR: Which kind of text is it?',
      placeHolder: 'Select the output of an agent that it is tested as',
    });
    if (picked === undefined) return undefined;
    if (picked.as === 'scope') return {};
    if (picked.as !== 'tool') return { kind: picked.as };
    const tool = await vscode.window.showInputBox({ title: 'TTSR: Which tool?', value: before?.tool ?? 'fetch' });
    return tool === undefined || tool.trim() === '' ? undefined : { kind: 'tool', tool: tool.trim() };
  }

  private all(): Readonly<Record<string, ChosenKind>> {
    return this.memory.get(REMEMBERED, {});
  }
}

/** Reads the kind from a command's argument; undefined if it names none. */
export function kindFromArgument(argument: unknown): ChosenKind | undefined {
  const { kind: name, tool } = (argument as { kind?: unknown; tool?: unknown } | undefined) ?? {};
  const kind = KINDS.find((each) => each === name);
  if (kind === undefined) return undefined;
  return typeof tool === 'string' ? { kind, tool } : { kind };
}
