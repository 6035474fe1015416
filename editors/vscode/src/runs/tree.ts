// The view of runs: workspace folder (if there are several), session, turn, trigger. Finished sessions are dimmed.

import * as vscode from 'vscode';

import type { RunsModel } from './model';
import type { Session, Trigger, Turn, Workspace } from './protocol';

export type Node =
  | { readonly kind: 'workspace'; readonly workspace: Workspace }
  | { readonly kind: 'session'; readonly session: Session; readonly newest: boolean }
  | { readonly kind: 'turn'; readonly session: Session; readonly turn: Turn }
  | { readonly kind: 'trigger'; readonly session: Session; readonly turn: Turn; readonly trigger: Trigger };

const DIMMED = 'ttsr-dimmed';

export class RunsTree implements vscode.TreeDataProvider<Node>, vscode.FileDecorationProvider {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly model: RunsModel) {
    model.onDidChange(() => this.changed.fire(undefined));
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) {
      const [only, ...others] = this.model.workspaces;
      if (only === undefined) return [];
      if (others.length > 0) return this.model.workspaces.map((workspace) => ({ kind: 'workspace', workspace }));
      return sessionsOf(only);
    }
    switch (node.kind) {
      case 'workspace':
        return sessionsOf(node.workspace);
      case 'session':
        return [...node.session.turns].reverse().map((turn) => ({ kind: 'turn', session: node.session, turn }));
      case 'turn':
        return node.turn.triggers.map((trigger) => ({ ...node, kind: 'trigger', trigger }));
      case 'trigger':
        return [];
    }
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'workspace':
        return workspaceItem(node.workspace);
      case 'session':
        return sessionItem(node.session, node.newest);
      case 'turn':
        return turnItem(node.session, node.turn);
      case 'trigger':
        return triggerItem(node);
    }
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    return uri.scheme === DIMMED ? { color: new vscode.ThemeColor('descriptionForeground') } : undefined;
  }
}

function sessionsOf(workspace: Workspace): Node[] {
  return workspace.sessions.map((session, index) => ({ kind: 'session', session, newest: index === 0 }));
}

function workspaceItem(workspace: Workspace): vscode.TreeItem {
  const item = new vscode.TreeItem(workspace.name, vscode.TreeItemCollapsibleState.Expanded);
  item.id = workspace.uri;
  item.iconPath = new vscode.ThemeIcon('root-folder');
  return item;
}

function sessionItem(session: Session, newest: boolean): vscode.TreeItem {
  const working = session.state === 'working';
  const item = new vscode.TreeItem(
    session.agent,
    working || newest ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = session.id;
  const uninspected = session.uninspected > 0 ? [`${session.uninspected} not inspected`] : [];
  const state = working ? [] : [session.state];
  item.description = [clock(session.started), count(session.triggers), ...uninspected, ...state].join(' · ');
  item.iconPath = new vscode.ThemeIcon(working ? 'sync~spin' : session.state === 'failed' ? 'circle-slash' : 'pass');
  const since = new Date(session.started).toLocaleString();
  const coverage = session.coverage === null ? '' : `\n${session.coverage}`;
  item.tooltip = `${session.agent}, since ${since}: ${count(session.triggers)}${coverage}`;
  item.contextValue = 'session';
  if (!working) item.resourceUri = dimmed(session.id);
  item.command = { command: 'ttsr.openTranscript', title: 'Open Transcript', arguments: [{ kind: 'session', session }] };
  return item;
}

function turnItem(session: Session, turn: Turn): vscode.TreeItem {
  // A narrow side bar truncates a line at its end, so the time is at the start.
  const item = new vscode.TreeItem(
    `${clock(turn.started)} ${turn.title}`,
    turn.triggers.length > 0 ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.None,
  );
  // VS Code keeps an item that had no children collapsed. Another id makes it a new item.
  item.id = `${session.id}/${turn.id}${turn.triggers.length > 0 ? '' : '/empty'}`;
  if (turn.triggers.length > 0) item.description = count(turn.triggers.length);
  item.tooltip = [turn.title, turn.outcome ?? 'under way'].join('\n');
  item.iconPath = new vscode.ThemeIcon(turn.state === 'working' ? 'comment-unresolved' : 'comment');
  item.contextValue = 'turn';
  if (session.state !== 'working') item.resourceUri = dimmed(item.id);
  return item;
}

function triggerItem(node: Node & { readonly kind: 'trigger' }): vscode.TreeItem {
  const { session, trigger } = node;
  const item = new vscode.TreeItem(trigger.rule, vscode.TreeItemCollapsibleState.None);
  item.id = `${session.id}#${trigger.number}`;
  const outcome = trigger.outcome === null ? [] : [SHORT.get(trigger.outcome) ?? trigger.outcome];
  item.description = [...outcome, `${trigger.matched} — ${trigger.surface}`].join(' · ');
  item.tooltip = trigger.message;
  const color = trigger.interrupts ? 'list.warningForeground' : 'charts.blue';
  // A narrow side bar truncates the description, but shows the icon.
  item.iconPath = new vscode.ThemeIcon(trigger.silenced ? 'bell-slash' : outcomeIcon(trigger.outcome), new vscode.ThemeColor(color));
  item.contextValue = `${trigger.silenced ? 'silencedTrigger' : 'trigger'}${trigger.targetUri === null ? '' : ' target'}`;
  if (session.state !== 'working' || trigger.silenced) item.resourceUri = dimmed(item.id);
  item.command = { command: 'ttsr.openTranscript', title: 'Show in Transcript', arguments: [node] };
  return item;
}

function dimmed(id: string): vscode.Uri {
  return vscode.Uri.from({ scheme: DIMMED, path: `/${id}` });
}

function clock(time: number): string {
  return new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

function count(triggers: number): string {
  return triggers === 0 ? 'no triggers' : triggers === 1 ? '1 trigger' : `${triggers} triggers`;
}

/** Short forms of the outcomes that are too long for the description of an item. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['would have been interrupted', 'would interrupt'],
  ['would have been reminded', 'would remind'],
]);

/** Returns the icon of an outcome of the server. */
function outcomeIcon(outcome: string | null): string {
  switch (outcome) {
    case 'denied':
      return 'circle-slash';
    case 'interrupted':
      return 'stop-circle';
    case 'reminded':
      return 'mail';
    case 'would have been interrupted':
    case 'would have been reminded':
      return 'eye';
    case 'did not run':
      return 'debug-step-over';
    default:
      return 'zap';
  }
}
