// Types of retention and moving: policies take durations and nothing else, verbs answer with their public shapes. Guards what users
// write against a change that would break them. Compiled, never run.
import { engine, type EngineOpts, type RetentionPolicy } from "../../src/index.ts";
import { connect, type HoldView, type ImportReport, type RetentionReport } from "../../src/client.ts";

const policy: RetentionPolicy = { keepPayloads: "30d", keepRuns: 1_000, keepKeys: "400d" };
const opts: EngineOpts = { retention: { ...policy, every: "1h" } };
void engine(opts);
// @ts-expect-error a duration has a unit
const noUnit: RetentionPolicy = { keepRuns: "90" };
// @ts-expect-error there is no such part
const noPart: RetentionPolicy = { keepEvents: "90d" };
void [noUnit, noPart];

async function use(): Promise<void> {
  const client = await connect();
  const held: HoldView = await client.hold("o-1", { by: "ann", reason: "case 17" });
  // @ts-expect-error who and why, both
  await client.release("o-1", { by: "ann" });
  const report: RetentionReport = await client.applyRetention(policy, { dryRun: true, onProgress: (r) => void r.looked });
  const lines: AsyncIterable<string> = client.exportRuns({ ids: ["o-1"], move: true });
  const imported: ImportReport = await client.importRuns(() => lines);
  void [held.since, report.kept.held, imported.added];
}
void use;
