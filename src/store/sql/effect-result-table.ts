// An effect store over a table on a server: what the servers share. Each word is one statement that commits itself. A session
// that is lost on the way is replaced and the same is asked again, for a while: the first result stays, so a put whose answer
// was lost may simply be put again. It must never say that something is kept without the server's word for it.
import { PawlError } from "../../errors/error.ts";
import type { Platform } from "../../platform/platform.ts";
import type { EffectStore, StoredEffectResult } from "../effect-store.ts";
import { checkEffectResult, checkText } from "../check-text.ts";

/** The table on one kind of server. Both verbs throw what the driver throws. */
export interface EffectResultTable {
  readonly name: string;
  /** Durable when it resolves; nothing happens where the row is there. */
  insert(e: StoredEffectResult): Promise<unknown>;
  /** `version`, `step_id`, `result`, `kept_at` of the one row. */
  find(runId: string, key: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** The session ended before its answer came. */
  isLost(e: unknown): boolean;
  /** Somebody was in the way, and nothing was written. */
  isBusy(e: unknown): boolean;
  toStoreError(e: unknown, during: "statement" | "commit"): PawlError;
  close(): Promise<void>;
}

/** How many sessions may be lost over one word. */
const lostMax = 5;
/** Nothing is asked again after this: an outcome waits for its put. */
const retryMsMax = 5_000;

export function effectStoreOnTable(t: EffectResultTable, platform: Platform): EffectStore {
  let closing: Promise<void> | undefined;
  async function answered<T>(during: "statement" | "commit", ask: () => Promise<T>): Promise<T> {
    const until = platform.monotonicMs() + retryMsMax;
    let lost = 0;
    for (;;) {
      try {
        return await ask();
      } catch (e) {
        const again = t.isLost(e) ? ++lost < lostMax : t.isBusy(e);
        if (again && platform.monotonicMs() < until) continue;
        const told = t.toStoreError(e, during);
        // What the last try met says nothing of those before it.
        throw lost > 0 && during === "commit"
          ? new PawlError(told.page, told.message, { cause: e, outcome: "unknown", data: told.data })
          : told;
      }
    }
  }
  return {
    name: t.name,
    async put(e) {
      checkEffectResult(e);
      await answered("commit", () => t.insert(e));
    },
    async get(runId, key) {
      checkText("kept effect", runId, key);
      const row = await answered("statement", () => t.find(runId, key));
      if (row === undefined) return undefined;
      if (Number(row["version"]) !== 1) throw new PawlError("PAWL3004", `${t.name}: a stored effect result does not have version 1`);
      return {
        version: 1,
        runId,
        key,
        stepId: row["step_id"] as string,
        result: row["result"] as string | null,
        keptAt: Number(row["kept_at"]),
      };
    },
    close: () => (closing ??= t.close()),
  };
}
