// Delivers alerts to a handler: one process at a time (a lease of its own), each alert until the handler has taken it, then never
// again. A handler that fails gets the alert again after a while; projections do not wait for it. Nothing is lost by a crash: what
// was not noted as delivered is delivered again, under the same (runId, eventId).
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import type { ConsumerId } from "../store/reader-store.ts";
import { Wakeup } from "./wakeup.ts";
import { ConsumerLease } from "./consumer-lease.ts";
import { Alerts, type Alert } from "./projection-rows.ts";

const pageSize = 100;
const waitMs = { least: 1_000, most: 60_000 };

export class AlertDelivery {
  readonly #lease: ConsumerLease;
  readonly #alerts: Alerts;
  readonly #wakeup: Wakeup;
  readonly #handler: (alert: Alert) => unknown;
  readonly #onTrouble: (e: unknown) => void;
  #stopping = false;
  #working: Promise<void> | null = null;

  constructor(
    around: {
      readonly store: FullStore;
      readonly platform: Platform;
      readonly scope: ConsumerId["scope"];
      readonly onTrouble?: (e: unknown) => void;
    },
    handler: (alert: Alert) => unknown,
    leaseMs = 10_000,
  ) {
    // All projectors of a scope share their alerts, so they share this seat.
    this.#lease = new ConsumerLease(around.store, around.platform, { scope: around.scope, name: "=alerts" }, leaseMs);
    this.#alerts = new Alerts(around.store, around.scope);
    this.#wakeup = new Wakeup(around.platform);
    this.#handler = handler;
    this.#onTrouble = around.onTrouble ?? ((): void => {});
  }

  /** There may be something to deliver. */
  notify(): void {
    this.#wakeup.notify();
  }
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wakeup.notify();
    await this.#working;
  }
  work(): Promise<void> {
    this.#working ??= this.#loop();
    return this.#working;
  }
  /** What is due now; what the handler does not take stays. False when something is left. */
  async once(): Promise<boolean> {
    for (let rival: number | null = null; ;) {
      if ((await this.#alerts.undelivered(1)).length === 0) return true;
      const seat = await this.#lease.acquire();
      if (seat.kind === "ours") break;
      if (rival !== null && rival !== seat.version) return false; // somebody else is alive, and delivers
      rival = seat.version;
      await this.#wakeup.wait(Math.min(500, Math.max(1, seat.leftMs)));
      if (this.#stopping) return false;
    }
    try {
      return await this.#round();
    } finally {
      await this.#lease.release();
    }
  }

  async #loop(): Promise<void> {
    let wait = waitMs.least;
    while (!this.#stopping) {
      try {
        wait = (await this.once()) ? waitMs.least : Math.min(wait * 2, waitMs.most);
      } catch (e) {
        this.#onTrouble(e);
      }
      if (!this.#stopping) await this.#wakeup.wait(wait);
    }
  }

  /** Every alert that is due, once; true when the handler took them all. */
  async #round(): Promise<boolean> {
    let all = true;
    for (let after: string | undefined; ;) {
      const page = await this.#alerts.undelivered(pageSize, after);
      for (const { alert } of page) {
        if (this.#stopping) return all;
        try {
          await this.#handler(alert);
        } catch (e) {
          all = false;
          this.#onTrouble(e);
          continue;
        }
        if ((await this.#lease.write(this.#alerts.markDelivered(alert), [])) !== "written") return false;
      }
      if (page.length < pageSize) return all;
      after = page.at(-1)!.key;
    }
  }
}
