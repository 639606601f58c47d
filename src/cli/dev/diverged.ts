// Runs that the new code cannot continue: their log and the code disagree, so they are paused. Each is shown once, with both sides; one action starts
// it again on the new code, as a new run of the same id and input. What the old run has done outside, the new one treats by class.
import type { Client } from "../../client/types.ts";
import { PawlError } from "../../errors/error.ts";
import type { Platform } from "../../platform/platform.ts";
import { startInputOf } from "./lab.ts";

export interface DivergedRun {
  readonly runId: string;
  readonly workflowId: string;
  readonly workflow: string;
  /** Both sides: what is recorded, and what the code calls. */
  readonly reason: string;
  readonly since: string;
}

const lookMs = 1_000;

export class DivergedRuns {
  readonly #client: Client;
  readonly #platform: Platform;
  readonly #onFound: (run: DivergedRun) => void;
  #known: readonly DivergedRun[] = [];
  #closed = false;

  constructor(client: Client, platform: Platform, onFound: (run: DivergedRun) => void) {
    this.#client = client;
    this.#platform = platform;
    this.#onFound = onFound;
    this.#later();
  }

  get runs(): readonly DivergedRun[] {
    return this.#known;
  }

  close(): void {
    this.#closed = true;
  }

  /** One of them, or all: each gets a new run on the new code. */
  async startAgain(id?: string): Promise<readonly { readonly workflowId: string; readonly runId: string }[]> {
    const wanted = (await this.#find()).filter((r) => id === undefined || r.workflowId === id || r.runId === id);
    if (id !== undefined && wanted.length === 0) throw new PawlError("PAWL4011", `${id} is not paused by a change of the code`);
    const started: { workflowId: string; runId: string }[] = [];
    for (const { workflowId, workflow, runId } of wanted) {
      const run = await this.#client.get(runId);
      const input = run === undefined ? undefined : await startInputOf(this.#client, run);
      const asked = { workflow, id: workflowId, ...(input === undefined ? {} : { input }) };
      const made = await this.#client.start({ ...asked, onConflict: "restart", reason: "start again on the new code (pawl dev)" });
      started.push({ workflowId, runId: made.runId });
    }
    await this.#find();
    return started;
  }

  async #find(): Promise<readonly DivergedRun[]> {
    const open = (await this.#client.decisions({ limit: 1_000 })).filter((d) => d.kind === "diverged" && d.answered !== true);
    const before = new Set(this.#known.map((r) => `${r.runId} ${r.since}`));
    this.#known = open.map(({ runId, workflowId, workflow, reason, since }) => ({ runId, workflowId, workflow, reason, since }));
    for (const run of this.#known) if (!before.has(`${run.runId} ${run.since}`)) this.#onFound(run);
    return this.#known;
  }

  #later(): void {
    this.#platform.timer(lookMs, () => {
      if (this.#closed) return;
      this.#find()
        .catch(() => {}) // between two children
        .finally(() => this.#later());
    });
  }
}
