// The playground: a rule in its editor, and a sample beside it. Each keystroke in either tries the rule again.

import * as vscode from 'vscode';

import { panelHtml, panelOptions } from '../panelHtml';
import { isRemedy, noServer } from '../remedies';
import type { Server } from '../server';
import { KINDS, requestTrial } from '../trial/protocol';
import { looksLikeRule } from '../trial/testText';
import { PLAYGROUND_PAGE } from './page';
import { renamedUri, Samples, type Renamed, type Sample } from './samples';

/** A message of the page. */
interface PageMessage {
  readonly kind?: unknown;
  readonly sample?: unknown;
  readonly textKind?: unknown;
  readonly chunk?: unknown;
  readonly shown?: unknown;
  readonly line?: unknown;
  readonly command?: unknown;
}

const TITLE = 'TTSR: Playground';
const NEW_RULE = `---
description: What this rule is for.
condition: 'as any\\b'
scope: tool:edit(*.ts), tool:write(*.ts)
---

What the agent should do instead.
`;
const NEW_SAMPLE = 'const price = input as any;\n';

export class Playground implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private readonly samples: Samples;
  private rule: vscode.TextDocument | undefined;
  private sample: Sample = { sample: '', textKind: '', chunk: 16, shown: null };
  private isBusy = false;
  private isDirty = false;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
  ) {
    this.samples = new Samples(context.workspaceState);
    this.subscriptions = [
      vscode.commands.registerCommand('ttsr.openPlayground', (uri?: unknown) => this.open(uri)),
      server.onDidStart(() => void this.update()),
      server.onDidEnd(() => void this.update()),
      vscode.workspace.onDidChangeTextDocument((change) => {
        if (change.document === this.rule) void this.update();
      }),
      // Before the renaming: VS Code shows the file under its new name before onDidRenameFiles.
      vscode.workspace.onWillRenameFiles(({ files }) => this.samples.copy(files)),
      vscode.workspace.onDidRenameFiles(({ files }) => void this.follow(files)),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        const document = editor?.document;
        if (this.panel !== undefined && document !== undefined && document !== this.rule && looksLikeRule(document)) {
          this.use(document);
        }
      }),
    ];
  }

  dispose(): void {
    this.panel?.dispose();
    for (const each of this.subscriptions) each.dispose();
  }

  private async open(uri: unknown): Promise<void> {
    const ruleUri = typeof uri === 'string' ? vscode.Uri.parse(uri, true) : undefined;
    const active =
      ruleUri === undefined
        ? vscode.window.activeTextEditor?.document
        : await vscode.workspace.openTextDocument(ruleUri);
    const isRule = active !== undefined && (ruleUri !== undefined || looksLikeRule(active));
    let document = isRule ? active : undefined;
    const isNew = document === undefined;
    document ??= await vscode.workspace.openTextDocument({ language: 'markdown', content: NEW_RULE });
    await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    if (this.panel === undefined) {
      const panel = vscode.window.createWebviewPanel(
        'ttsr.playground',
        TITLE,
        { viewColumn: vscode.ViewColumn.Two, preserveFocus: false },
        { ...panelOptions(this.context.extensionUri), retainContextWhenHidden: true },
      );
      this.panel = panel;
      panel.onDidDispose(() => {
        // Another panel may be open by now.
        if (this.panel === panel) this.panel = undefined;
      });
      panel.webview.onDidReceiveMessage((message: PageMessage) => this.answer(message));
      this.use(document, isNew ? NEW_SAMPLE : undefined);
      panel.webview.html = panelHtml(panel.webview, this.context.extensionUri, 'playground', PLAYGROUND_PAGE);
    } else {
      this.use(document, isNew ? NEW_SAMPLE : undefined);
      this.focus();
    }
  }

  /** Puts the cursor into the sample. */
  private focus(): void {
    this.panel?.reveal(vscode.ViewColumn.Two, false);
    this.post({ kind: 'focus' });
  }

  private use(document: vscode.TextDocument, newSample?: string): void {
    this.rule = document;
    const kept = this.samples.of(document.uri.toString());
    this.sample = { sample: newSample ?? kept?.sample ?? '', textKind: kept?.textKind ?? '', chunk: 16, shown: null };
    this.post({ kind: 'start', sample: this.sample.sample, textKind: this.sample.textKind });
  }

  private async answer(message: PageMessage): Promise<void> {
    if (message.kind === 'ready') {
      this.post({ kind: 'start', sample: this.sample.sample, textKind: this.sample.textKind });
      this.focus();
      void lockOwnGroup();
    } else if (message.kind === 'try') {
      this.sample = {
        sample: String(message.sample ?? ''),
        textKind: String(message.textKind ?? ''),
        chunk: Number(message.chunk) || 1,
        shown: typeof message.shown === 'number' ? message.shown : null,
      };
      this.keep();
      await this.update();
    } else if (message.kind === 'remedy' && isRemedy(message.command)) {
      await vscode.commands.executeCommand(message.command);
    } else if (message.kind === 'open' && this.rule !== undefined) {
      const line = new vscode.Position(Number(message.line) || 0, 0);
      await vscode.window.showTextDocument(this.rule, {
        viewColumn: vscode.ViewColumn.One,
        selection: new vscode.Range(line, line),
      });
    }
  }

  /** Tries the newest texts. While a request is under way, texts in between are skipped. */
  private async update(): Promise<void> {
    if (this.isBusy) {
      this.isDirty = true;
      return;
    }
    this.isBusy = true;
    try {
      do {
        this.isDirty = false;
        await this.run();
      } while (this.isDirty);
    } finally {
      this.isBusy = false;
    }
  }

  private async run(): Promise<void> {
    const rule = this.rule;
    if (rule === undefined || this.panel === undefined) return;
    const client = await this.server.ready();
    if (client === undefined) return this.post(noServer('The playground', this.server));
    const { sample, textKind, chunk, shown } = this.sample;
    const kind = KINDS.find((each) => each === textKind);
    const began = performance.now();
    try {
      const result = await requestTrial(client, {
        text: sample,
        rule: { uri: client.code2ProtocolConverter.asUri(rule.uri), text: rule.getText() },
        chunk,
        ...(kind === undefined ? {} : { kind }),
        ...(shown === null ? {} : { shown }),
      });
      const milliseconds = performance.now() - began;
      this.post({ kind: 'result', result, rule: vscode.workspace.asRelativePath(rule.uri), sample, milliseconds });
    } catch (error) {
      this.post({ kind: 'failure', message: error instanceof Error ? error.message : String(error) });
    }
  }

  private keep(): void {
    if (this.rule !== undefined && !this.rule.isUntitled) this.samples.keep(this.rule.uri.toString(), this.sample);
  }

  /** Follows a renamed rule, and keeps the sample of the page. */
  private async follow(files: readonly Renamed[]): Promise<void> {
    const renamed = this.rule === undefined ? undefined : renamedUri(this.rule.uri.toString(), files);
    if (this.panel === undefined || renamed === undefined) return;
    this.rule = await vscode.workspace.openTextDocument(vscode.Uri.parse(renamed, true));
    this.keep();
    await this.update();
  }

  private post(message: unknown): void {
    void this.panel?.webview.postMessage(message);
  }
}

/** Locks the group of the playground if nothing else is in it, so that rules open beside the sample and not over it. */
async function lockOwnGroup(): Promise<void> {
  const { activeTab, tabs } = vscode.window.tabGroups.activeTabGroup;
  if (tabs.length === 1 && activeTab?.label === TITLE) {
    await vscode.commands.executeCommand('workbench.action.lockEditorGroup');
  }
}
