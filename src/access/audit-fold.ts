// Refusals and reads of payloads are counted, not listed one by one: per minute, principal, token, run and operation. However many callers
// probe however many runs, what is kept of a minute stays small: past a limit the run, and then the caller, is left out of the count.
import type { AuditedAct } from "./audit-types.ts";
import type { AuditEntry } from "./audit-rows.ts";

const countsMax = 1_000;

interface Count {
  readonly entry: AuditEntry;
  times: number;
}

export class AuditCounts {
  #counts = new Map<string, Count>();

  get size(): number {
    return this.#counts.size;
  }

  add(type: "denied" | "read", act: AuditedAct, status?: number, code?: string): void {
    const full: AuditedAct = {
      operation: act.operation,
      ...(act.principal === undefined ? {} : { principal: act.principal }),
      ...(act.tokenId === undefined ? {} : { tokenId: act.tokenId }),
      ...(act.runId === undefined ? {} : { runId: act.runId }),
    };
    const { runId: _, ...withoutRun } = full;
    const forms: readonly AuditedAct[] = [full, withoutRun, { operation: act.operation }];
    for (const [i, kept] of forms.entries()) {
      const key = JSON.stringify([type, kept.operation, kept.principal, kept.tokenId, kept.runId, status, code]);
      const found = this.#counts.get(key);
      if (found !== undefined) {
        found.times++;
        return;
      }
      // The last form has as many as there are operations and codes.
      if (this.#counts.size >= countsMax && i < forms.length - 1) continue;
      const ended = { ...(status === undefined ? {} : { status }), ...(code === undefined ? {} : { code }) };
      this.#counts.set(key, { entry: { type, act: kept, ...ended }, times: 1 });
      return;
    }
  }

  /** What was counted since the last time. */
  take(): AuditEntry[] {
    const taken = [...this.#counts.values()].map(({ entry, times }) => ({ ...entry, times }));
    this.#counts = new Map();
    return taken;
  }
}
