// Verbs that read many things in one statement, for the stores that speak SQL: heads of runs, payloads of events, keys that were used twice, classes of effects.
// Each thing is looked up by its own part of the statement, so that no plan depends on how many there are. Statements come in few sizes: what
// is missing to the next one is filled with the last.
import type { EffectPhase, GuaranteeClass, RunStatus } from "../../core/model.ts";
import { checkText } from "../check-text.ts";
import type { FullStore } from "../full-store.ts";
import { scopeKey } from "../keys.ts";
import { distinctPlaces, ledgerPartAmong, reusedAmong } from "../one-by-one.ts";
import type { EventPlace, LedgerPart, RunHead } from "../port.ts";
import { type Dialect, marks, type SqlRow, textValue } from "./dialect.ts";

const idsAtOnce = 256;
const partsAtOnce = 32;

/** As many as the next power of two. */
function padded<T>(some: readonly T[]): T[] {
  const size = 2 ** Math.ceil(Math.log2(some.length));
  return Array.from({ length: size }, (_, i) => some[Math.min(i, some.length - 1)]!);
}

function* portions<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let i = 0; i < all.length; i += size) yield padded(all.slice(i, i + size));
}

export function sqlManyAtOnce(d: Dialect): Pick<FullStore, "heads" | "payloadsAt" | "reusedKeys" | "ledgerParts"> {
  return {
    async heads(runIds) {
      checkText("heads", ...runIds);
      const heads: RunHead[] = [];
      for (const ids of portions([...new Set(runIds)], idsAtOnce)) {
        const rows = await d.read(`select run_id, head_seq, status from ${d.table("runs")} where run_id in (${marks(ids)})`, ids);
        for (const r of rows)
          heads.push({ runId: textValue(r["run_id"]), headSeq: Number(r["head_seq"]), status: textValue(r["status"]) as RunStatus });
      }
      return heads;
    },
    async payloadsAt(places) {
      checkText("payloadsAt", ...places.map((p) => p.runId));
      const found = new Map<string, EventPlace & { readonly payload: string | null }>();
      const one = `select run_id, run_seq, payload from ${d.table("events")} where run_id = ? and run_seq = ?`;
      for (const some of portions(distinctPlaces(places), partsAtOnce)) {
        const text = some.map(() => one).join(" union all ");
        for (const r of await d.read(
          text,
          some.flatMap((p) => [p.runId, p.runSeq]),
        )) {
          const place = toPlace(r);
          const payload = r["payload"] === null ? null : textValue(r["payload"]);
          found.set(`${place.runSeq}/${place.runId}`, { ...place, payload });
        }
      }
      return [...found.values()];
    },
    async reusedKeys({ scope, keys }) {
      checkText("reusedKeys", scope.tenantId, scope.projectId, scope.environmentId, ...keys);
      const digests = new Map<string, Set<string | null>>();
      const column = d.effectKeyColumn;
      const newest = `select ${column} as k, args_digest from ${d.table("effects")} where scope = ? and ${column} = ? order by run_id desc, seq limit ${reusedAmong}`;
      for (const some of portions([...new Set(keys)], partsAtOnce)) {
        const text = some.map((_, i) => `select * from (${newest}) q${i}`).join(" union all ");
        const rows = await d.read(
          text,
          some.flatMap((key) => [d.scopeValue(scopeKey(scope)), key]),
        );
        for (const r of rows) {
          const key = textValue(r["k"]);
          const digest = r["args_digest"] === null ? null : textValue(r["args_digest"]);
          digests.set(key, (digests.get(key) ?? new Set()).add(digest));
        }
      }
      return [...digests].flatMap(([key, known]) => (known.size > 1 ? [key] : []));
    },
    async ledgerParts({ scope, runIds }) {
      checkText("ledgerParts", scope.tenantId, scope.projectId, scope.environmentId, ...runIds);
      const found = new Map<string, LedgerPart>();
      // The primary key leads to the rows of a run; its tenant is checked, never looked up by.
      const first = `select run_id, class, phase from ${d.table("effects")} where run_id = ? and scope = ? order by seq limit ${ledgerPartAmong}`;
      for (const some of portions([...new Set(runIds)], partsAtOnce)) {
        const text = some
          .map((_, i) => `select run_id, class, phase, count(*) as n from (${first}) q${i} group by run_id, class, phase`)
          .join(" union all ");
        const values = some.flatMap((runId) => [runId, d.scopeValue(scopeKey(scope))]);
        for (const r of await d.read(text, values)) {
          const [runId, guarantee, phase] = [textValue(r["run_id"]), textValue(r["class"]), textValue(r["phase"])];
          const part = { runId, class: guarantee as GuaranteeClass, phase: phase as EffectPhase, effects: Number(r["n"]) };
          found.set(`${guarantee} ${phase} ${runId}`, part);
        }
      }
      return [...found.values()];
    },
  };
}

function toPlace(r: SqlRow): EventPlace {
  return { runId: textValue(r["run_id"]), runSeq: Number(r["run_seq"]) };
}
