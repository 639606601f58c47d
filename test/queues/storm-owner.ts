// The owner's side of a storm: runs whose Commits dispatch, end, withdraw, hold, drop and settle, and put rows under a condition. One Commit
// of a run at a time, as an engine does. It remembers what each dispatch came to by its own doing; workers do the rest.
import type { Commit, CommitAnswer, DispatchRef, DispatchWrite, RunRow } from "../../src/store/port.ts";
import { commitOne, create, event, next, rowOf } from "../../src/store/suite/build.ts";
import { dispatch } from "../../src/store/suite/queues/build.ts";
import { queues, type Storm, tasks } from "./storm.ts";

/** `waits`: for a worker, or for its end by one. `ended`, `dropped`: a Commit took it away. */
export type Fate = "waits" | "ended" | "dropped";

export interface StormRun {
  readonly runId: string;
  readonly fates: Map<number, Fate>;
  settled: boolean;
}
interface LiveRun extends StormRun {
  row: RunRow;
  /** Those that the owner runs itself. */
  own: DispatchRef[];
  held: boolean;
}

export class StormOwner {
  readonly all: StormRun[] = [];
  dispatched = 0;
  readonly #s: Storm;
  readonly #idle: LiveRun[] = [];
  #made = 0;
  /** The version of a row that many Commits expect something of. */
  #counter = 0;

  constructor(s: Storm) {
    this.#s = s;
  }

  async begin(n: number): Promise<void> {
    for (let i = 0; i < n; i++) await this.#newRun();
  }

  async #newRun(): Promise<void> {
    const runId = `storm-${++this.#made}`;
    const store = this.#s.store();
    await commitOne(store, create(runId, { owner: "engine-1", fence: { epoch: 1, token: runId } }, { status: "RUNNING" }));
    const run: LiveRun = { runId, fates: new Map(), settled: false, row: await rowOf(store, runId), own: [], held: false };
    this.all.push(run);
    this.#idle.push(run);
  }

  /** One Commit of one run. */
  async act(): Promise<void> {
    const run = this.#idle.splice(this.#s.random(this.#idle.length), 1)[0];
    if (run === undefined) return new Promise((resolve) => setImmediate(resolve));
    try {
      await this.#commit(run);
    } finally {
      if (!run.settled) this.#idle.push(run);
    }
    if (run.settled) await this.#newRun();
  }

  async #commit(run: LiveRun): Promise<void> {
    const { random } = this.#s;
    const dice = random(100);
    if (dice < 50) return this.#ask(run, { dispatches: this.#dispatches(run) });
    if (dice < 60) return this.#ask(run, { ends: run.own.splice(0), dispatches: this.#dispatches(run) });
    if (dice < 75) return this.#ask(run, { withdraws: this.#some(run) });
    if (dice < 83) return this.#ask(run, { held: !run.held });
    if (dice < 87) return this.#ask(run, { drop: true, dispatches: this.#dispatches(run) });
    if (dice < 94) {
      const puts = [{ collection: "storm", key: "counter", value: "v", expect: this.#counter }];
      return this.#ask(run, { puts, dispatches: this.#dispatches(run) });
    }
    return this.#ask(run, { status: "COMPLETED", ...(random(2) === 0 ? { drop: true } : {}) });
  }

  #some(run: LiveRun): DispatchRef[] {
    const waiting = [...run.fates].filter(([, fate]) => fate === "waits").map(([seq]) => seq);
    const chosen = Array.from({ length: 3 }, () => waiting[this.#s.random(Math.max(1, waiting.length))]);
    return [...new Set(chosen)].filter((seq) => seq !== undefined).map((seq) => ({ seq, what: "run" }));
  }

  #dispatches(run: LiveRun): DispatchWrite[] {
    const { random } = this.#s;
    return Array.from({ length: 1 + random(4) }, (_, i) => {
      const own = random(10) === 0;
      const queue = own || random(2) === 0 ? queues.open : queues.limited;
      return dispatch(run.row.headSeq + i + 1, {
        queue,
        task: tasks[random(tasks.length)]!,
        priority: random(3),
        timeoutMs: random(5) === 0 ? 1 : null,
        expiresAt: random(5) === 0 ? Date.now() + 5 : null,
        ...(own ? { claimed: { worker: "engine-1", token: `own-${run.runId}-${run.row.headSeq + i + 1}` } } : {}),
      });
    });
  }

  async #ask(run: LiveRun, more: Partial<Commit>): Promise<void> {
    const dispatches = more.dispatches ?? [];
    const events = dispatches.map((d) => event(d.seq));
    const c = next(run.row, { status: "RUNNING", events, ...more });
    let answer: CommitAnswer | undefined;
    do [answer] = (await this.#s.store().commit([c])).answers;
    while (answer?.kind === "busy");
    if (answer?.kind === "unmet") {
      this.#counter = answer.rows[0]?.version ?? 0;
      return;
    }
    if (answer?.kind !== "committed") {
      this.#s.problem("broken", `a Commit of ${run.runId} was answered ${JSON.stringify(answer)}`);
      run.settled = true;
      return;
    }
    if (more.puts !== undefined) this.#counter++;
    run.row = { ...run.row, stateVersion: run.row.stateVersion + 1, headSeq: events.at(-1)?.runSeq ?? run.row.headSeq };
    if (more.held !== undefined) run.held = more.held;
    for (const e of more.ends ?? []) run.fates.set(e.seq, "ended");
    if (more.drop === true) {
      for (const [seq, fate] of run.fates) if (fate === "waits") run.fates.set(seq, "dropped");
      run.own = [];
    }
    for (const d of dispatches) {
      this.dispatched++;
      run.fates.set(d.seq, "waits");
      if (d.claimed !== undefined) run.own.push({ seq: d.seq, what: d.what });
    }
    if (c.status === "COMPLETED") run.settled = true;
  }
}
