// Runs one installation at a time. Knows nothing of VS Code.

export class Attempts<Failure> {
  private running: Promise<Failure | undefined> | undefined;

  /** `attempt` resolves to its failure; `report` shows it, and may begin the next attempt by `run`. */
  constructor(
    private readonly attempt: () => Promise<Failure | undefined>,
    private readonly report: (failure: Failure) => Promise<void>,
  ) {}

  /** The attempt that is under way. It ends before its failure is reported, since a message can stay open for hours. */
  get underWay(): Promise<unknown> | undefined {
    return this.running;
  }

  /** Waits for the attempt under way, or makes one; reports the failure only to the caller that began the attempt. */
  async run(): Promise<void> {
    if (this.running !== undefined) {
      await this.running;
      return;
    }
    this.running = this.attempt().finally(() => (this.running = undefined));
    const failure = await this.running;
    if (failure !== undefined) await this.report(failure);
  }
}
