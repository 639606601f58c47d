// Every run that a test leaves behind is put to the proof: its evidence must verify, and every table must say what its log says,
// whatever the test did to its engines. So the checks hold over all that the tests make engines do, and a rule that is too
// strict or an engine that is too lax shows at once. It must never be asked about a store whose rows the test itself has forged.
import { verifyStore } from "../../src/client/audit/verify-store.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { localClient } from "../../src/client/local-client.ts";
import { checkLimits } from "../../src/core/limits.ts";
import type { Platform } from "../../src/platform/platform.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { textOf, verify } from "../../src/verify.ts";

export async function verifyAllRuns(store: FullStore, platform: Platform): Promise<void> {
  const whole = await verifyStore(store, defaultScope);
  if (!whole.ok) throw new Error(`a table does not say what the log says:\n${JSON.stringify(whole.findings, null, 1)}`);
  const client = localClient({ store, platform, scope: defaultScope, limits: checkLimits(), engine: null, retainMs: null });
  for (const { runId, workflow, purgedAt } of (await client.list({ limit: 1_000 })).runs) {
    if (purgedAt !== undefined) continue; // retention took its log
    const found = verify(await client.evidence(runId));
    if (found.ok) continue;
    const lines = (await client.events(runId)).map((e) => `${e.runSeq} ${e.persistedAt} ${e.eventType} ${JSON.stringify(e.payload)}`);
    throw new Error(`the evidence of ${workflow} does not verify:\n${textOf(found)}${lines.join("\n")}`);
  }
}
