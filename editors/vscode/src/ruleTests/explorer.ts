// The tests of rules in the Test Explorer. The server finds and runs them; a failure shows at its test.

import * as vscode from 'vscode';

import type { Server } from '../server';
import type { WireRange } from '../webview/answer';
import { countsText, type TestCounts } from './counts';

interface WireCase {
  readonly id: string;
  readonly label: string;
  readonly title: string;
  readonly kind: 'valid' | 'invalid';
  readonly uri: string;
  readonly range: WireRange;
  readonly status?: 'passed' | 'failed' | 'undecided';
  readonly message?: string | null;
  readonly expected?: Readonly<Record<string, unknown>>;
  readonly actual?: Readonly<Record<string, unknown>>;
}

interface WireTestedRule {
  readonly name: string;
  readonly uri: string | null;
  readonly testUri: string | null;
  readonly reason: string | null;
  readonly cases: readonly WireCase[];
  readonly problems: readonly { readonly message: string; readonly range: WireRange }[];
}

const FILES = '**/*.{md,mdc,test.yml,test.yaml}';
const MAY_BE_TESTED = /\.(md|mdc|test\.ya?ml)$/;
const PAUSE = 500;
const OUTCOMES = { passed: 'passed', failed: 'failed', undecided: 'errored', skipped: 'skipped' } as const;

export class RuleTests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController('ttsr.ruleTests', 'TTSR rules');
  private readonly subscriptions: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly server: Server) {
    const watcher = vscode.workspace.createFileSystemWatcher(FILES);
    const again = (): void => this.later();
    const againFor = ({ fileName }: vscode.TextDocument): void => {
      if (MAY_BE_TESTED.test(fileName)) this.later();
    };
    this.controller.resolveHandler = async (item) => {
      if (item === undefined) await this.list();
    };
    this.controller.refreshHandler = () => this.list();
    this.controller.createRunProfile(
      'Run',
      vscode.TestRunProfileKind.Run,
      (request, token) => this.run(request, token),
      true,
      undefined,
      false,
    );
    this.subscriptions = [
      this.controller,
      watcher,
      watcher.onDidChange(again),
      watcher.onDidCreate(again),
      watcher.onDidDelete(again),
      vscode.workspace.onDidSaveTextDocument(again),
      // The tests of a rule in a folder in which no agent looks for rules are listed while the rule is open.
      vscode.workspace.onDidOpenTextDocument(againFor),
      vscode.workspace.onDidCloseTextDocument(againFor),
      server.onDidStart(again),
      vscode.commands.registerCommand('ttsr.runRuleTests', (uri?: unknown) => this.runFile(uri)),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const each of this.subscriptions) each.dispose();
  }

  private later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.list(), PAUSE);
  }

  private async ask(params: { uris?: readonly string[]; run?: boolean }): Promise<readonly WireTestedRule[]> {
    const client = await this.server.ready();
    if (client === undefined) return [];
    return (await client.sendRequest<{ rules: readonly WireTestedRule[] }>('ttsr/ruleTests', params)).rules;
  }

  private async list(): Promise<void> {
    const rules = await this.ask({});
    const names = rules.map(({ name }) => name);
    this.controller.items.replace(rules.map((rule) => this.item(rule, names.indexOf(rule.name) === names.lastIndexOf(rule.name))));
  }

  private item(rule: WireTestedRule, isUnique: boolean): vscode.TestItem {
    const key = rule.uri ?? rule.testUri ?? rule.name;
    const uri = vscode.Uri.parse(key, true);
    // Two folders of the workspace, or two packages of a repository, can have rules of one name. The folder is part of the
    // label, since a screen reader reads the description of a test instead of its label.
    const folder = vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, '..'));
    const made = this.controller.createTestItem(key, isUnique ? rule.name : `${rule.name} (${folder})`, uri);
    const [problem] = rule.problems;
    const error = rule.reason ?? problem?.message;
    if (error !== undefined) made.error = `${error.charAt(0).toUpperCase()}${error.slice(1)}`;
    made.range = new vscode.Range(0, 0, 0, 0);
    made.children.replace(
      rule.cases.map((each) => {
        const child = this.controller.createTestItem(each.id, each.title, vscode.Uri.parse(each.uri, true));
        child.range = range(each.range);
        child.sortText = `${each.kind}${each.id.replace(/\d+$/, (digits) => digits.padStart(6, '0'))}`;
        return child;
      }),
    );
    return made;
  }

  /** Runs the tests of the rule or test file at `target`, else of the active editor. */
  private async runFile(target: unknown): Promise<void> {
    const uri =
      typeof target === 'string'
        ? vscode.Uri.parse(target, true)
        : target instanceof vscode.Uri
          ? target
          : vscode.window.activeTextEditor?.document.uri;
    if (uri === undefined || (await this.server.required('Running tests')) === undefined) return;
    await this.list();
    const rules = await this.ask({ uris: [uri.toString()] });
    const items = rules.map((rule) => this.controller.items.get(rule.uri ?? rule.testUri ?? rule.name));
    const found = items.filter((item): item is vscode.TestItem => item !== undefined);
    if (found.length === 0) {
      void vscode.window.showInformationMessage(
        'TTSR: this rule has no tests. Write NAME.test.yml beside it, or mark a block of code in its body by ttsr:fires.',
      );
      return;
    }
    await this.run(new vscode.TestRunRequest(found), new vscode.CancellationTokenSource().token);
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if ((await this.server.required('Running tests')) === undefined) return;
    const run = this.controller.createTestRun(request);
    try {
      const chosen = request.include ?? [...this.controller.items].map(([, item]) => item);
      const byRule = new Map<vscode.TestItem, Set<string> | undefined>();
      for (const item of chosen) {
        if (request.exclude?.includes(item) === true) continue;
        if (item.parent === undefined) byRule.set(item, undefined);
        else if (!byRule.has(item.parent)) byRule.set(item.parent, new Set([item.id]));
        else byRule.get(item.parent)?.add(item.id);
      }
      const counts = { passed: 0, failed: 0, errored: 0, skipped: 0 };
      for (const [item, only] of byRule) {
        if (token.isCancellationRequested) break;
        for (const [, child] of item.children) if (only?.has(child.id) !== false) run.started(child);
        for (const rule of await this.ask({ uris: [item.id], run: true })) this.report(run, item, rule, only, counts);
      }
      run.appendOutput(`${countsText(counts)}\r\n`);
    } finally {
      run.end();
    }
  }

  private report(
    run: vscode.TestRun,
    item: vscode.TestItem,
    rule: WireTestedRule,
    only: ReadonlySet<string> | undefined,
    counts: TestCounts,
  ): void {
    for (const each of rule.cases) {
      const child = item.children.get(each.id);
      if (child === undefined || only?.has(each.id) === false) continue;
      child.range = range(each.range);
      const outcome = OUTCOMES[each.status ?? 'skipped'];
      counts[outcome] += 1;
      if (outcome === 'passed' || outcome === 'skipped') {
        run[outcome](child);
        continue;
      }
      run[outcome](child, message(each));
      // The panel of results is a terminal.
      run.appendOutput(`${rule.name}, ${each.title}: ${each.message ?? ''}\n`.replace(/\r?\n/g, '\r\n'), undefined, child);
    }
    if (rule.reason !== null) run.appendOutput(`${rule.name}: ${rule.reason}\r\n`, undefined, item);
  }
}

/**
 * Returns the message about a failed case, at the case. Only a case that names its condition, offset, or line gets a
 * comparison: VS Code shows a comparison instead of the message.
 */
function message(failed: WireCase): vscode.TestMessage {
  const text = failed.message ?? '';
  const fires = failed.actual?.['fires'] === true;
  const keys = fires ? Object.keys(failed.expected ?? {}) : [];
  const facts = (values: Readonly<Record<string, unknown>> = {}): string =>
    keys.map((key) => `${key}: ${String(values[key])}`).join('\n');
  const made =
    keys.length > 0
      ? vscode.TestMessage.diff(text, facts(failed.expected), facts(failed.actual))
      : new vscode.TestMessage(text);
  made.location = new vscode.Location(vscode.Uri.parse(failed.uri, true), range(failed.range));
  return made;
}

function range({ start, end }: WireRange): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
