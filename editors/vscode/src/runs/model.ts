// The runs as of the server's last answer. Requests them again after each change, one request at a time.

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';

import { runs, type Session, type Trigger, type Workspace } from './protocol';

export interface FiredTrigger {
  readonly session: Session;
  readonly trigger: Trigger;
}

export class RunsModel implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<readonly string[]>();
  private readonly fired = new vscode.EventEmitter<readonly FiredTrigger[]>();
  private readonly announced = new Map<string, number>();
  private isRequesting = false;
  private isOutdated = false;
  private pending = new Set<string>();

  /** The ids of the sessions that changed. */
  readonly onDidChange = this.changed.event;
  /** Triggers that fired just now, each once. */
  readonly onDidFire = this.fired.event;
  workspaces: readonly Workspace[] = [];
  cleared = false;
  displayedTriggers = 0;
  client: LanguageClient | undefined;

  /** Follows the server of `client`; undefined: no server runs. */
  attach(client: LanguageClient | undefined): void {
    this.client = client;
    this.announced.clear();
    this.workspaces = [];
    this.displayedTriggers = 0;
    this.changed.fire([]);
    if (client === undefined) return;
    client.onNotification('ttsr/runsChanged', (params: { readonly sessions: readonly string[] }) => {
      void this.refresh(params.sessions);
    });
    void this.refresh([]);
  }

  get sessions(): readonly Session[] {
    return this.workspaces.flatMap((workspace) => workspace.sessions);
  }

  /** Returns the trigger as of the server's last answer. */
  newest(fired: FiredTrigger): FiredTrigger {
    const session = this.sessions.find((one) => one.id === fired.session.id);
    const triggers = session?.turns.flatMap((turn) => turn.triggers);
    const trigger = triggers?.find((one) => one.number === fired.trigger.number);
    return session !== undefined && trigger !== undefined ? { session, trigger } : fired;
  }

  dispose(): void {
    this.changed.dispose();
    this.fired.dispose();
  }

  private async refresh(sessions: readonly string[]): Promise<void> {
    for (const session of sessions) this.pending.add(session);
    this.isOutdated = true;
    if (this.isRequesting) return;
    this.isRequesting = true;
    try {
      while (this.isOutdated && this.client !== undefined) {
        this.isOutdated = false;
        const changed = [...this.pending];
        this.pending = new Set();
        const tree = await runs(this.client);
        ({ workspaces: this.workspaces, cleared: this.cleared } = tree);
        this.displayedTriggers = tree.displayedTriggers ?? 0;
        this.changed.fire(changed);
        this.announce();
      }
    } catch {
      // The server has ended; `attach` requests the runs of the next one.
    } finally {
      this.isRequesting = false;
    }
  }

  private announce(): void {
    const newTriggers: FiredTrigger[] = [];
    for (const session of this.sessions) {
      const last = this.announced.get(session.id) ?? -1;
      const triggers = session.turns.flatMap((turn) => turn.triggers).filter((trigger) => trigger.number > last);
      for (const trigger of triggers) {
        if (trigger.live && !trigger.silenced) newTriggers.push({ session, trigger });
      }
      this.announced.set(session.id, Math.max(last, ...triggers.map((trigger) => trigger.number)));
    }
    if (newTriggers.length > 0) this.fired.fire(newTriggers);
  }
}
