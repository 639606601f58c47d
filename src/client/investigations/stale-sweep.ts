// Looks for runs that do not get further (staleness.ts): every five minutes, a hundred runs at a time, by one process of the tenant. Each gets a record for
// people. Where a DAG says so, its run is asked to fail as well, after the record is there. It must never write a run itself, nor requeue anything (TX-13).
import type { PlanStaleness } from "../../engine/definition.ts";
import { readPublished } from "../../engine/publish/published-workflows.ts";
import { isPawlError } from "../../errors/error.ts";
import { jsonObject, jsonValue } from "../../events/payload.ts";
import type { Cancel } from "../../platform/platform.ts";
import { ConsumerLease } from "../../readers/consumer-lease.ts";
import type { RunRow } from "../../store/port.ts";
import type { ClientContext } from "../client-deps.ts";
import { postMessage } from "../messages/post-message.ts";
import { openOne } from "./investigation-rows.ts";
import { openInvestigation } from "./investigation-verbs.ts";
import { staleAfter, stalenessOf } from "./staleness.ts";

/** Part of an engine's rhythm: a virtual clock passes over timers that are no longer than a second. */
const lookEveryMs = 1_000;
export const sweepEveryMs: number = 5 * 60_000;
export const sweptAtOnce = 100;
const leaseMs = 30_000;

export class StaleSweep {
  readonly #c: ClientContext;
  readonly #lease: ConsumerLease;
  readonly #onTrouble: (e: unknown) => void;
  #timer: Cancel | null = null;
  #stopped = false;
  #working: Promise<void> = Promise.resolve();
  #nextAt: number;
  #cursor: string | undefined;
  /** By workflow and version, for one pass: an engine that was started since may say otherwise. */
  readonly #said = new Map<string, PlanStaleness>();

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
      this.#said.clear();
      let opened = 0;
      const troubles: unknown[] = [];
      for (const { runId } of page.runs) {
        if (this.#stopped) break;
        try {
          if (await this.#look(runId)) opened++;
        } catch (e) {
          troubles.push(e); // a run that cannot be looked at must not hide those after it
        }
      }
      if (troubles.length > 0) throw troubles[0];
      return opened;
    } finally {
      await this.#lease.release().catch(() => {}); // it runs out by itself
    }
  }

  async #look(runId: string): Promise<boolean> {
    const { store, scope } = this.#c;
    const row = await store.run({ runId }); // that of the page may be old by now
    if (row === undefined) return false;
    const { then, ...times } = await this.#saidOf(row);
    const found = await stalenessOf(this.#c, row, { ...staleAfter, ...times });
    if (found === null) return false;
    const fails = found.isTime && then === "fail";
    let open = await openOne(store, scope, row.runId);
    const isNew = open === undefined;
    if (open === undefined) {
      const { nowMs } = await store.info();
      const reason = fails ? `${found.reason}: the run is asked to fail` : found.reason;
      const made = await openInvestigation(this.#c, row, found.why, { at: nowMs, by: "pawl", reason });
      if (made === false) return false; // somebody else opened one at this moment; the next pass finds it
      open = made.n;
    }
    if (fails) await this.#fail(row, open, found.reason);
    return isNew;
  }

  /**
   * Durable once it is posted; a process that died before finds its record open, and posts it. It is about the log as it was looked at: a run that has got
   * further is left alone, and looked at again.
   */
  async #fail(row: RunRow, n: number, reason: string): Promise<void> {
    const payload = jsonObject({
      by: jsonValue("pawl"),
      reason: jsonValue(`stale: ${reason}`),
      expectHead: jsonValue(row.headSeq),
    });
    try {
      await postMessage(this.#c, row.runId, "control", "fail", `stale/${n}/${row.headSeq}`, payload);
    } catch (e) {
      if (!isPawlError(e, "PAWL4003")) throw e; // it ended meanwhile
    }
  }

  /** What the run's definition says, as the last engine with that version published it. */
  async #saidOf({ workflow, version }: RunRow): Promise<PlanStaleness> {
    const mark = JSON.stringify([workflow, version]);
    const known = this.#said.get(mark);
    if (known !== undefined) return known;
    const { store, scope } = this.#c;
    const { stale = {} } = (await readPublished(store, scope, { name: workflow, version })) ?? {};
    this.#said.set(mark, stale);
    return stale;
  }
}
