// What stands in for the verbs that read many things at once, on a store that leaves them out: the same answers, one thing at a time. The
// memory store answers by these too, so they are the specification.
import { checkText } from "./check-text.ts";
import type { EventPlace, LedgerPart, RunHead, Store } from "./port.ts";

export async function headsOf(s: Store, runIds: readonly string[]): Promise<readonly RunHead[]> {
  checkText("heads", ...runIds);
  const heads: RunHead[] = [];
  for (const runId of new Set(runIds)) {
    const row = await s.run({ runId });
    if (row !== undefined) heads.push({ runId, headSeq: row.headSeq, status: row.status });
  }
  return heads;
}

export async function payloadsOneByOne(
  s: Pick<Store, "events">,
  places: readonly EventPlace[],
): Promise<readonly (EventPlace & { readonly payload: string | null })[]> {
  checkText("payloadsAt", ...places.map((p) => p.runId));
  const found: (EventPlace & { readonly payload: string | null })[] = [];
  for (const { runId, runSeq } of distinctPlaces(places)) {
    const [event] = await s.events({ runId, after: runSeq - 1, limit: 1 });
    if (event?.runSeq === runSeq) found.push({ runId, runSeq, payload: event.payload });
  }
  return found;
}

export function distinctPlaces(places: readonly EventPlace[]): EventPlace[] {
  return [...new Map(places.map((p) => [`${p.runSeq}/${p.runId}`, p])).values()];
}

/** So many records of a key are compared. */
export const reusedAmong = 100;

export async function reusedOneByOne(
  s: Pick<Store, "effects">,
  q: Parameters<NonNullable<Store["reusedKeys"]>>[0],
): Promise<readonly string[]> {
  const reused: string[] = [];
  for (const key of new Set(q.keys)) {
    const { effects } = await s.effects({ scope: q.scope, key, limit: reusedAmong });
    if (new Set(effects.map((e) => e.argsDigest)).size > 1) reused.push(key);
  }
  return reused;
}

/** So many effects of a run are looked at. */
export const ledgerPartAmong = 65;

export async function ledgerOneByOne(
  s: Pick<Store, "effects">,
  q: Parameters<NonNullable<Store["ledgerParts"]>>[0],
): Promise<readonly LedgerPart[]> {
  const parts: LedgerPart[] = [];
  for (const runId of new Set(q.runIds)) {
    const { effects } = await s.effects({ scope: q.scope, runId, limit: ledgerPartAmong });
    for (const { class: guarantee, phase } of new Map(effects.map((e) => [`${e.class} ${e.phase}`, e])).values()) {
      const alike = effects.filter((e) => e.class === guarantee && e.phase === phase);
      parts.push({ runId, class: guarantee, phase, effects: alike.length });
    }
  }
  return parts;
}
