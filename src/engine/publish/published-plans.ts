// The graphs of DAGs, in a collection of the store, by digest: written by the engines that serve them, read by callers that do not have the code.
// A row never changes, since its key is the digest of what it says. A graph that is too large is left out: only the code has it then.
import type { PlanData } from "../../core/plan-data.ts";
import type { Scope } from "../../core/model.ts";
import type { FullStore } from "../../store/full-store.ts";
import { scopedCollection } from "../../store/keys.ts";
import type { Definition } from "../definition.ts";

const planTextMax = 900_000;
/** Every store takes this much in one write; more only where its limits permit. */
const surelyTakenMax = 32_768;
const collectionOf = (scope: Scope): string => scopedCollection("plans", scope);

export async function publishPlans(store: FullStore, scope: Scope, definitions: readonly Definition[]): Promise<void> {
  const plans = new Map(definitions.flatMap((d) => (d.plan === undefined ? [] : [[d.plan.digest, d.plan] as const])));
  if (plans.size === 0) return;
  const collection = collectionOf(scope);
  for (const row of await store.kv.get(collection, [...plans.keys()])) plans.delete(row.key);
  const texts = [...plans].map(([key, plan]) => ({ collection, key, value: JSON.stringify(plan) }));
  const small = texts.filter((t) => t.value.length <= surelyTakenMax);
  if (small.length > 0) await store.kv.put(small);
  for (const t of texts.filter(({ value }) => value.length > surelyTakenMax && value.length <= planTextMax)) {
    // A store that does not take it keeps no engine from opening: the code has the graph.
    await store.kv.put([t]).catch(() => {});
  }
}

/** undefined: no engine has published it. */
export async function readPlan(store: FullStore, scope: Scope, digest: string): Promise<PlanData | undefined> {
  if (store.lacks?.includes("reader") === true) return undefined;
  const [row] = await store.kv.get(collectionOf(scope), [digest]);
  return row === undefined ? undefined : (JSON.parse(row.value) as PlanData);
}
