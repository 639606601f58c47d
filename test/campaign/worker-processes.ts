// Owners and workers of one field of the worker campaign, each in a process of its own, and how a field is brought to its end: an honest owner and an honest
// worker finish what the others left, and when nothing moves any more the field is checked.
import { setTimeout as pause } from "node:timers/promises";
import { startChild, type Child } from "../support/child-process.ts";
import { openCampaignStore, type CampaignStore } from "./campaign-store.ts";
import { allRuns, check, isOver } from "./check.ts";
import { seeded, type Random, type Report, type Task } from "./engine-processes.ts";
import type { CrewDuty } from "./programs/crew.ts";
import { readLedger } from "./programs/ledger.ts";

/** Everything stood still for this long: it will not move any more. */
const stillMs = 60_000;
const stillWithBugMs = 4_000;

export class WorkerProcesses {
  readonly random: Random;
  #started = 0;

  readonly field: CampaignStore;
  readonly task: Task;

  private constructor(field: CampaignStore, task: Task) {
    this.field = field;
    this.task = task;
    this.random = seeded(task.seed);
  }
  static async open(task: Task, server?: string): Promise<WorkerProcesses> {
    return new WorkerProcesses(await openCampaignStore(task.store, server), task);
  }

  /** Another one; `crash` is a crash point for it to die at. */
  start(role: CrewDuty["role"], o: Partial<CrewDuty> = {}, crash?: string): Child {
    const { bug } = this.task;
    const duty: CrewDuty = {
      role,
      store: this.field.url,
      ledger: this.field.ledger,
      name: `${role}${++this.#started}`,
      orders: 8,
      holdMs: 40,
      ...(bug === undefined || role === "owner" ? {} : { bug }),
      ...o,
    };
    return startChild("test/campaign/programs/crew.js", {
      args: [JSON.stringify(duty)],
      ...(crash === undefined ? {} : { env: { PAWL_CRASH: crash } }),
    });
  }

  sent(): number {
    return readLedger(this.field.ledger).filter((l) => l.kind === "effect").length;
  }
  /** Until so many more effects have been sent, or nothing is sent any more. */
  async moreSent(n: number, msMax = 5_000): Promise<void> {
    const [until, bound] = [this.sent() + n, Date.now() + msMax];
    while (this.sent() < until && Date.now() < bound) await pause(20);
  }

  async finish(living: readonly Child[], faults: number): Promise<Report> {
    for (const c of living) c.signal("SIGKILL");
    await Promise.all(living.map((c) => c.ended));
    const { field, task } = this;
    const honest = { store: field.url, ledger: field.ledger, name: "last", orders: 0, holdMs: 0 };
    const last = (["owner", "worker"] as const).map((role) =>
      startChild("test/campaign/programs/crew.js", { args: [JSON.stringify({ ...honest, role } satisfies CrewDuty)] }),
    );
    let [seen, since] = ["", Date.now()];
    while (Date.now() - since < (task.bug === undefined ? stillMs : stillWithBugMs)) {
      const rows = await allRuns(field.observer);
      if (rows.every(isOver)) break;
      // Workers move without a Commit of the run.
      const now = `${rows.map((r) => r.stateVersion).join()} ${this.sent()}`;
      if (now !== seen) [seen, since] = [now, Date.now()];
      await pause(150);
    }
    for (const c of last) c.send("stop");
    await Promise.all(last.map((c) => c.ended));
    const verdict = await check(field);
    await field.leave();
    return { ...verdict, faults };
  }
}
