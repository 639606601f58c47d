// An effect store as a table in a SQLite file of its own: durable when a put returns, the first result stays. It must not be
// the run store's file: then there would be one transaction for both, and nothing to split.
import type { Platform } from "../../platform/platform.ts";
import type { EffectStore, StoredEffectResult } from "../effect-store.ts";
import { checkEffectResult, checkText } from "../check-text.ts";
import { closeFile, openConnection } from "./wire/driver.ts";
import { retryWhileBusy } from "./wire/writer.ts";

export async function sqliteEffects(path: string, platform: Platform): Promise<EffectStore> {
  const db = await openConnection(path);
  db.exec("pragma journal_mode = wal");
  db.exec("pragma synchronous = full");
  await retryWhileBusy(platform, () =>
    db.exec(
      "create table if not exists pawl_kept (run_id text not null, key text not null, version integer not null, step_id text not null, " +
        "result text, kept_at integer not null, primary key (run_id, key)) strict, without rowid",
    ),
  );
  let put = db.prepare(
    "insert into pawl_kept (run_id, key, version, step_id, result, kept_at) values (?, ?, ?, ?, ?, ?) on conflict do nothing",
  );
  let get = db.prepare("select version, step_id, result, kept_at from pawl_kept where run_id = ? and key = ?");
  return {
    name: "sqlite",
    async put(e) {
      checkEffectResult(e);
      await retryWhileBusy(platform, () => put.run(e.runId, e.key, e.version, e.stepId, e.result, e.keptAt));
    },
    async get(runId, key): Promise<StoredEffectResult | undefined> {
      checkText("kept effect", runId, key);
      const row = get.get(runId, key);
      if (row === undefined) return undefined;
      const { version, step_id: stepId, result, kept_at: keptAt } = row;
      return { version: version as 1, runId, key, stepId: stepId as string, result: result as string | null, keptAt: keptAt as number };
    },
    async close() {
      put = get = undefined as never; // a reference to this store must not keep its statements
      await closeFile(db);
    },
  };
}
