// Delivers alerts to a handler: one process at a time (a desk of its own), each alert until the handler has taken it, then never
// again. A handler that fails gets the alert again after a while; projections do not wait for it. Nothing is lost by a crash: what
// was not noted as delivered is delivered again, under the same (runId, eventId).
import type { Platform } from "../platform/platform.ts";
import type { Store } from "../store/port.ts";
import type { ConsumerId } from "../store/shelf.ts";
import { Bell } from "./bell.ts";
import { Desk } from "./desk.ts";
import { Alerts, type StoredAlert } from "./projections.ts";

const pageSize = 100;
const waitMs = { least: 1_000, most: 60_000 };

export class AlertDelivery {
  readonly #desk: Desk;
  readonly #alerts: Alerts;
  readonly #bell: Bell;
  readonly #handler: (alert: StoredAlert) => unknown;
  readonly #onTrouble: (e: unknown) => void;
  #stopping = false;
  #working: Promise<void> | null = null;

  constructor(
    around: {
      readonly store: Store;
      readonly platform: Platform;
      readonly scope: ConsumerId["scope"];
      readonly onTrouble?: (e: unknown) => void;
    },
    handler: (alert: StoredAlert) => unknown,
    leaseMs = 10_000,
  ) {
    // All projectors of a scope share their alerts, so they share this seat.
    this.#desk = new Desk(around.store, around.platform, { scope: around.scope, name: "=alerts" }, leaseMs);
    this.#alerts = new Alerts(around.store, around.scope);
    this.#bell = new Bell(around.platform);
    this.#handler = handler;
    this.#onTrouble = around.onTrouble ?? ((): void => {});
  }

  /** There may be something to deliver. */
  ring(): void {
    this.#bell.ring();
  }
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#bell.ring();
    await this.#working;
  }
  work(): Promise<void> {
    this.#working ??= this.#loop();
    return this.#working;
  }
  /** What is due now; what the handler does not take stays. False when something is left. */
  async once(): Promise<boolean> {
    for (let rival: number | null = null; ;) {
      if ((await this.#alerts.due(1)).length === 0) return true;
      const seat = await this.#desk.take();
      if (seat.kind === "ours") break;
      if (rival !== null && rival !== seat.version) return false; // somebody else is alive, and delivers
      rival = seat.version;
      await this.#bell.wait(Math.min(500, Math.max(1, seat.leftMs)));
      if (this.#stopping) return false;
    }
    try {
      return await this.#round();
    } finally {
      await this.#desk.release();
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
      if (!this.#stopping) await this.#bell.wait(wait);
    }
  }

  /** Every alert that is due, once; true when the handler took them all. */
  async #round(): Promise<boolean> {
    let all = true;
    for (let after: string | undefined; ;) {
      const page = await this.#alerts.due(pageSize, after);
      for (const { alert } of page) {
        if (this.#stopping) return all;
        try {
          await this.#handler(alert);
        } catch (e) {
          all = false;
          this.#onTrouble(e);
          continue;
        }
        if ((await this.#desk.write(this.#alerts.delivered(alert), [])) !== "written") return false;
      }
      if (page.length < pageSize) return all;
      after = page.at(-1)!.key;
    }
  }
}
