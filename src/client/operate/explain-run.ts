// One run with the reason why it is not further: reads what because.ts looks at, and no more of it than the run's state needs. An ended run costs
// nothing beyond its row.
import type { Because } from "../../api/types/operate.ts";
import { isSettled } from "../../core/model.ts";
import { readDrains, readPause } from "../../engine/publish/operator-orders.ts";
import type { InboxRow, RunRow } from "../../store/port.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { becauseOf } from "./because.ts";
import { liveEngines } from "../../engine/publish/live-engines.ts";
import { noTail, readTail, tailMax } from "./log-tail.ts";
import { queuedWhy } from "./why.ts";

export async function explainRun(c: LocalClientDeps, row: RunRow): Promise<Because> {
  const rest = { served: true, ownerAlive: true, unread: false, workflowPaused: null, tail: noTail, nowMs: row.persistedAt };
  if (isSettled(row.status) || row.origin !== "engine") return becauseOf({ row, ...rest });
  const after = Math.max(0, row.headSeq - tailMax);
  const [info, paused, events] = await Promise.all([
    c.store.info(),
    readPause(c.store, c.scope, row.workflow),
    c.store.events({ runId: row.runId, after, limit: tailMax }),
  ]);
  const alive = liveEngines(info, c.scope);
  const owner = row.owner === null ? undefined : alive.find((e) => e.engineId === row.owner);
  const ownerAlive = owner !== undefined;
  const serving = alive.filter((e) => e.serves.some((s) => s.workflow === row.workflow)).map((e) => e.engineId);
  const drains = await readDrains(c.store, c.scope, ownerAlive ? [] : serving);
  // A message that nobody has taken makes a run due that only a message wakes; one that a person must answer, only an answer.
  const mayBeWoken = !ownerAlive && row.status !== "PAUSED";
  const wakes = (m: InboxRow): boolean => !m.taken && (row.waiting !== "decision" || (m.kind === "control" && m.name === "resolve"));
  const unread = mayBeWoken && (await c.store.inbox({ runId: row.runId })).some(wakes);
  const step = row.waiting === "worker" ? await queuedWhy(c, row, info, events) : undefined;
  return becauseOf({
    row,
    nowMs: info.nowMs,
    served: serving.length > 0,
    draining: serving.every((id) => drains.has(id)),
    ownerAlive,
    leaseLeftMs: owner === undefined ? undefined : owner.leaseUntil - info.nowMs,
    unread,
    workflowPaused: paused ?? null,
    tail: readTail(events),
    queued:
      step === undefined
        ? undefined
        : {
            sentence: step.sentence,
            since: step.since === undefined ? row.persistedAt : Date.parse(step.since),
            ...(step.next === undefined ? {} : { until: step.next }),
          },
  });
}
