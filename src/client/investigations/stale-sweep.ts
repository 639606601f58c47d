// Looks for runs that do not get further: every five minutes, a hundred runs at a time, by one process of the tenant. A queued step that nobody has
// taken for an hour, a question that nobody has answered for two days, one that is claimed for half an hour beyond its time, a retry that is half an hour overdue, a step that used up its attempts, a
// run that engines gave up: each gets a record for people. A template may say other times. It must never change a run (TX-13, TX-14).
import type { InvestigationCause } from "../../api/types/queues.ts";
import { durationMs, type Duration } from "../../core/duration.ts";
import { liveEngines } from "../../engine/publish/live-engines.ts";
import { findTemplate } from "../../engine/publish/template-registry.ts";
import type { Cancel } from "../../platform/platform.ts";
import { ConsumerLease } from "../../readers/consumer-lease.ts";
import type { RunRow } from "../../store/port.ts";
import type { ClientContext } from "../client-deps.ts";
import { age } from "../operate/step-why.ts";
import { hasOpen } from "./investigation-rows.ts";
import { openInvestigation } from "./investigation-verbs.ts";

/** Part of an engine's rhythm: a virtual clock passes over timers that are no longer than a second. */
const lookEveryMs = 1_000;
export const sweepEveryMs: number = 5 * 60_000;
export const sweptAtOnce = 100;
const leaseMs = 30_000;
const minute = 60_000;
type StaleAfter = Readonly<Record<"waiting" | "retry" | "claimed" | "question", number>>;
/** Waiting for a worker, for a retry, for a step that was claimed, for a person. */
export const staleAfter: StaleAfter = {
  waiting: 60 * minute,
  retry: 30 * minute,
  claimed: 30 * minute,
  question: 48 * 60 * minute,
};

interface Stale {
  readonly why: InvestigationCause;
  readonly reason: string;
}

export class StaleSweep {
  readonly #c: ClientContext;
  readonly #lease: ConsumerLease;
  readonly #onTrouble: (e: unknown) => void;
  #timer: Cancel | null = null;
  #stopped = false;
  #working: Promise<void> = Promise.resolve();
  #nextAt: number;
  #cursor: string | undefined;
  /** By workflow and version: what a version of a template says never changes. */
  readonly #times = new Map<string, StaleAfter>();

  constructor(c: ClientContext, onTrouble: (e: unknown) => void) {
    this.#c = c;
    this.#onTrouble = onTrouble;
    this.#nextAt = c.platform.uptimeMs() + sweepEveryMs;
    this.#lease = new ConsumerLease(c.store, c.platform, { scope: c.scope, name: "pawl.sweep" }, leaseMs);
  }

  start(): void {
    const { lacks } = this.#c.store;
    if (this.#stopped || lacks?.includes("reader") === true || lacks?.includes("queues") === true) return;
    this.#timer = this.#c.platform.timer(lookEveryMs, () => {
      if (this.#c.platform.uptimeMs() < this.#nextAt) return this.start();
      this.#nextAt = this.#c.platform.uptimeMs() + sweepEveryMs;
      this.#working = this.pass()
        .then(() => {})
        .catch((e: unknown) => this.#onTrouble(e))
        .finally(() => this.start());
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.();
    await this.#working;
  }

  /** One look at the next hundred runs, if no other process does it; how many records were opened. */
  async pass(): Promise<number> {
    const { store, scope } = this.#c;
    if ((await this.#lease.acquire()).kind !== "ours") return 0;
    try {
      const cursor = this.#cursor === undefined ? {} : { cursor: this.#cursor };
      const page = await store.runs({ scope, status: ["RUNNING", "PENDING"], limit: sweptAtOnce, ...cursor });
      this.#cursor = page.cursor;
      let opened = 0;
      for (const row of page.runs) {
        if (this.#stopped) break;
        if (await this.#look(row)) opened++;
      }
      return opened;
    } finally {
      await this.#lease.release().catch(() => {}); // it runs out by itself
    }
  }

  async #look(row: RunRow): Promise<boolean> {
    const { store, scope } = this.#c;
    const found = await this.#staleness(row);
    if (found === null || (await hasOpen(store, scope, row.runId))) return false;
    const { nowMs } = await store.info();
    return (await openInvestigation(this.#c, row, found.why, { at: nowMs, by: "pawl", reason: found.reason })) !== false;
  }

  async #staleness(row: RunRow): Promise<Stale | null> {
    const { store, scope, parts } = this.#c;
    const info = await store.info();
    const since = (at: number): number => info.nowMs - at;
    const after = await this.#timesOf(row);
    if (row.waiting === "retry" && row.dueAt !== null && since(row.dueAt) >= after.retry)
      return { why: "stale", reason: `a retry has been due for ${age(since(row.dueAt))}, and no engine took it` };
    if (row.waiting === "decision") {
      const [first] = (await parts.folds.decisions(row)).filter((d) => d.kind === "failure" || d.kind === "given-up");
      if (first?.kind === "failure") return { why: "attempts-exhausted", reason: "a step failed for good and is held" };
      const asked = (await parts.folds.decisions(row)).find((d) => d.question !== undefined && since(d.since) >= after.question);
      if (asked !== undefined) return { why: "stale", reason: `${asked.question!.name} has asked a person for ${age(since(asked.since))}` };
      if (first?.kind === "given-up") return { why: "poison", reason: "engines gave the run up" };
    }
    const alive = liveEngines(info, scope);
    for (const d of await store.queues.rows({ scope, runId: row.runId, limit: 1_000 })) {
      const able = alive.some((e) => e.works?.queues.includes(d.queue) === true && e.works.tasks.includes(d.task));
      if (d.worker === null && !d.held && since(d.enqueuedAt) >= after.waiting)
        return able
          ? { why: "stale", reason: `${d.stepId} has waited ${age(since(d.enqueuedAt))} on queue ${d.queue}` }
          : {
              why: "no-worker",
              reason: `${d.stepId} has waited ${age(since(d.enqueuedAt))} on queue ${d.queue}, and no worker can do ${d.task}`,
            };
      const from = d.deadlineAt ?? d.claimedAt;
      if (d.worker !== null && from !== null && since(from) >= after.claimed)
        return { why: "stale", reason: `${d.stepId} has been claimed for ${age(since(d.claimedAt ?? from))} by ${d.worker}` };
    }
    return null;
  }

  /** Of the run's template, where it is one and says so. */
  async #timesOf({ workflow, version }: RunRow): Promise<StaleAfter> {
    const slash = workflow.indexOf("/");
    if (slash < 0) return staleAfter;
    const mark = `${workflow}@${version}`;
    const known = this.#times.get(mark);
    if (known !== undefined) return known;
    const found = await findTemplate(this.#c.store, this.#c.scope, workflow.slice(0, slash), workflow.slice(slash + 1), version);
    const { stale = {} } = (found === undefined ? {} : JSON.parse(found.text)) as { readonly stale?: Readonly<Record<string, Duration>> };
    const said = Object.fromEntries(Object.entries(stale).map(([key, time]) => [key, durationMs(time, `stale.${key}`)]));
    const times = { ...staleAfter, ...said };
    if (found !== undefined) this.#times.set(mark, times);
    return times;
  }
}
