// What a list says of the effects of its runs: the weakest class of each, and whether one is in doubt. It reads a bounded part of the ledger for each run. Effects
// that may repeat, such as calls of models, count only where there is nothing else; of a run that has nothing there, the first events of its log are looked at. It must never read a whole log: a page of a list
// costs the same, however long its runs are. How often an effect may have happened is the proof's to say, not this.
import type { RunGuarantee } from "../../api/types/operate.ts";
import { guaranteeClasses, type GuaranteeClass } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";
import { readPayload, type StepStartedPayload } from "../../events/payload.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { sameScope } from "../find-run.ts";

const runsMax = 100;
/** The store looks at one more, so that it is known whether there are more. */
const effectsMax = 64;
/** So many events after the first are looked at. */
const eventsMax = 8;

export async function guaranteesOfRuns(
  c: Pick<LocalClientDeps, "store" | "scope">,
  runs: readonly string[],
): Promise<readonly RunGuarantee[]> {
  if (runs.length > runsMax) throw new PawlError("PAWL4011", `runs must be a list of at most ${runsMax} run ids`);
  const found = new Map<string, { weakest: number | undefined; inDoubt: boolean; effects: number }>();
  for (const part of await c.store.ledgerParts({ scope: c.scope, runIds: runs })) {
    const sum = found.get(part.runId) ?? { weakest: undefined, inDoubt: false, effects: 0 };
    if (part.class !== "REPEATABLE") sum.weakest = Math.max(sum.weakest ?? 0, guaranteeClasses.indexOf(part.class));
    sum.inDoubt ||= part.phase === "doubt";
    sum.effects += part.effects;
    found.set(part.runId, sum);
  }
  const asked = [...new Set(runs)];
  const repeating = new Map(
    await Promise.all(asked.filter((runId) => !found.has(runId)).map(async (runId) => [runId, await firstClass(c, runId)] as const)),
  );
  return asked.flatMap((runId) => {
    const sum = found.get(runId);
    const first = repeating.get(runId);
    if (sum === undefined) return first === undefined ? [] : [{ runId, weakest: first }];
    const { weakest, inDoubt, effects } = sum;
    return [
      {
        runId,
        weakest: weakest === undefined ? "REPEATABLE" : guaranteeClasses[weakest]!,
        ...(inDoubt ? { inDoubt } : {}),
        ...(effects > effectsMax ? { more: true as const } : {}),
      },
    ];
  });
}

/** Of a run that has nothing in the ledger: the weakest class that its first steps were begun with. */
async function firstClass(c: Pick<LocalClientDeps, "store" | "scope">, runId: string): Promise<GuaranteeClass | undefined> {
  const row = await c.store.run({ runId });
  // I11: another tenant's run is not found.
  if (row === undefined || !sameScope(row.scope, c.scope) || row.origin === "external") return undefined;
  const events = await c.store.events({ runId, after: 1, limit: eventsMax });
  const classes = events.flatMap((e) => (e.eventType === "StepStarted" ? [readPayload<StepStartedPayload>(e.payload).class] : []));
  return guaranteeClasses[Math.max(...classes.map((x) => guaranteeClasses.indexOf(x as GuaranteeClass)))];
}
