// Code actions on the mark of a trigger, in a rule or in a file that an agent wrote.

import * as vscode from 'vscode';

import type { RunsModel } from './model';
import type { Session, Trigger } from './protocol';

const TRIGGERED = 'triggered';

export function registerTriggerActions(model: RunsModel): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    provideCodeActions(document, _range, context) {
      const marks = context.diagnostics.filter((each) => each.source === 'ttsr' && codeOf(each) === TRIGGERED);
      return marks.flatMap((mark) => actionsFor(mark, newest(model, document, mark)));
    },
  };
  return vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, provider, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}

/** Returns the code of a finding, also if it has a link to its page. */
function codeOf({ code }: vscode.Diagnostic): unknown {
  return typeof code === 'object' ? code.value : code;
}

function actionsFor(mark: vscode.Diagnostic, fired: { session: Session; trigger: Trigger } | undefined): vscode.CodeAction[] {
  const on = (title: string, command: string, ...commandArguments: unknown[]): vscode.CodeAction => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.command = { title, command, arguments: commandArguments };
    action.diagnostics = [mark];
    return action;
  };
  const clear = on('Clear triggers', 'ttsr.clearTriggers');
  if (fired === undefined) return [clear];
  const silence = fired.trigger.silenced
    ? on('Stop silencing this rule', 'ttsr.hearRule', fired)
    : on('Silence this rule for the session', 'ttsr.silenceRule', fired);
  return [on('Show in transcript', 'ttsr.openTranscript', fired), silence, clear];
}

/** Returns the newest trigger of the rule that a mark names, of those whose rule or target is this document. */
function newest(model: RunsModel, document: vscode.TextDocument, mark: vscode.Diagnostic) {
  const here = document.uri.toString();
  const isHere = (uri: string | null): boolean => uri !== null && vscode.Uri.parse(uri, true).toString() === here;
  return model.sessions
    .flatMap((session) => session.turns.flatMap((turn) => turn.triggers.map((trigger) => ({ session, trigger }))))
    .filter(({ trigger }) => mark.message.startsWith(`Rule '${trigger.rule}' `) && (isHere(trigger.ruleUri) || isHere(trigger.targetUri)))
    .sort((one, other) => one.trigger.time - other.trigger.time)
    .at(-1);
}
