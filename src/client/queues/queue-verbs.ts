// Queues in process: what there is, limits, pause and resume, and who works. A change raises the version of the queue's row, under which every claim is
// made; a pause then waits as long as an engine may act on what it read before. It must never touch a dispatch.
import type { AskedBy, QueueSettings, QueueView, WorkerView } from "../../api/types/queues.ts";
import { durationMs } from "../../core/duration.ts";
import { checkOptions } from "../../core/guarantee.ts";
import { liveEngines } from "../../engine/publish/live-engines.ts";
import { PawlError } from "../../errors/error.ts";
import { toTimeText } from "../../events/envelope.ts";
import { missingFacet } from "../../store/full-store.ts";
import type { EngineRow, QueueChange, StoredQueue, StoreInfo } from "../../store/port.ts";
import { isOfTenant } from "../../store/rules.ts";
import { checkQueueName } from "../../workflow/queue-options.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { statedBy } from "../stated-by.ts";
import { closeNames } from "../../errors/unknown-name.ts";
import type { QueueVerbs } from "./types.ts";

/** An engine begins a step of its own on a queue whose state it read within this time. */
const pauseMs = 600;
const countMax = 10_000;
/** So many of the oldest dispatches are looked at for queues without a row. */
const lookedAt = 1_000;
const runningMax = 1_000;
export const staleAfterMs: number = 30 * 60_000;
const settingNames: ReadonlySet<string> = new Set(["concurrency", "rate", "aging"]);
const textMax = 512;

export function queueVerbs(c: LocalClientDeps): QueueVerbs {
  const list = async (): Promise<readonly QueueView[]> => {
    if (c.store.lacks?.includes("queues") === true) return [];
    const { queues: table } = c.store;
    const [known, waiting, info] = await Promise.all([
      table.list(c.scope),
      table.rows({ scope: c.scope, limit: lookedAt }),
      c.store.info(),
    ]);
    const names = new Set(known.map((q) => q.queue));
    // Steps may wait on a queue that nobody has served yet: it has no row.
    const unserved = [...new Set(waiting.map((d) => d.queue))].filter((q) => !names.has(q)).map(withoutRow);
    const all = [...known, ...unserved].sort((a, b) => (a.queue < b.queue ? -1 : 1));
    return Promise.all(all.map((q) => viewOf(c, q, info)));
  };
  const change = async (queue: string, what: QueueChange, ifVersion?: number): Promise<QueueView> => {
    if (c.store.lacks?.includes("queues") === true) throw missingFacet(c.store.name, "queues", "a queue");
    const changed = await c.store.queues.configure(c.scope, checkQueueName(queue, "the queue's name"), what, ifVersion);
    if (changed === "moved")
      throw new PawlError("PAWL4083", `queue ${queue} was changed by somebody else since version ${ifVersion ?? 0}`, { data: { queue } });
    return viewOf(c, changed, await c.store.info());
  };
  /** One that nobody has heard of is a misspelt one: an order about it would do nothing. `set` makes one ahead of time. */
  const assertKnown = async (queue: string): Promise<void> => {
    if (c.store.lacks?.includes("queues") === true) throw missingFacet(c.store.name, "queues", "a queue");
    const [rows, waiting, info] = await Promise.all([
      c.store.queues.list(c.scope),
      c.store.queues.rows({ scope: c.scope, queue, limit: 1 }),
      c.store.info(),
    ]);
    const known = new Set([...rows.map((q) => q.queue), ...liveEngines(info, c.scope).flatMap((e) => e.works?.queues ?? [])]);
    if (!known.has(queue) && waiting.length === 0) throw noQueue(queue, known);
  };
  return {
    list,
    set: async (queue, settings, o) => {
      askedBy(c, o);
      return change(queue, { config: checkSettings(settings) }, o.ifVersion);
    },
    pause: async (queue, o) => {
      const paused = askedBy(c, o);
      await assertKnown(checkQueueName(queue, "the queue's name"));
      await change(queue, { paused });
      await new Promise<void>((resolve) => void c.platform.timer(pauseMs, resolve, true));
      return find(await list(), queue);
    },
    resume: async (queue, o) => {
      askedBy(c, o);
      await assertKnown(queue);
      return change(queue, { paused: null });
    },
    workers: () => workers(c),
  };
}

/** Who asks, and why: both are needed (TX-15). */
export function askedBy(c: Pick<LocalClientDeps, "by">, o: AskedBy): { readonly by: string; readonly reason: string } {
  const by = statedBy(c.by, o?.by, "/by");
  const fits = (text: unknown): text is string => typeof text === "string" && text.trim() !== "" && text.length <= textMax;
  if (!fits(o?.reason)) throw new PawlError("PAWL4090", `this needs a reason of at most ${textMax} characters`);
  if (!fits(by)) throw new PawlError("PAWL4011", "by is missing: who asks for this");
  return { by, reason: o.reason };
}

function withoutRow(queue: string): StoredQueue {
  return { queue, config: { concurrency: null, rate: null, agingMs: 60_000 }, paused: null, version: 0 };
}

function find(all: readonly QueueView[], name: string): QueueView {
  const found = all.find((q) => q.name === name);
  if (found === undefined)
    throw noQueue(
      name,
      all.map((q) => q.name),
    );
  return found;
}
function noQueue(queue: string, known: Iterable<string>): PawlError {
  const close = closeNames(queue, known);
  const meant = close.length === 0 ? "" : `; did you mean ${close.join(" or ")}?`;
  return new PawlError("PAWL4131", `there is no queue ${queue}${meant}`, {
    data: { queue, ...(close.length === 0 ? {} : { close: close.join(", ") }) },
  });
}

function checkSettings(s: QueueSettings): NonNullable<QueueChange["config"]> {
  checkOptions(s, settingNames, "a queue");
  const { concurrency, rate, aging } = s;
  const count = (n: unknown, what: string): number => {
    if (typeof n !== "number" || !Number.isSafeInteger(n) || n < 1)
      throw new PawlError("PAWL4011", `${what} must be a whole number of at least 1`);
    return n;
  };
  return {
    ...(concurrency === undefined ? {} : { concurrency: concurrency === null ? null : count(concurrency, "concurrency") }),
    ...(rate === undefined
      ? {}
      : {
          rate:
            rate === null
              ? null
              : {
                  limit: count(rate.limit, "rate.limit"),
                  perMs: durationMs(rate.per, "rate.per"),
                  burst: count(rate.burst ?? 1, "rate.burst"),
                },
        }),
    ...(aging === undefined ? {} : { agingMs: durationMs(aging, "aging") }),
  };
}

const serves = (e: EngineRow, queue: string): boolean => e.works?.queues.includes(queue) === true;

async function viewOf(c: LocalClientDeps, q: StoredQueue, info: StoreInfo): Promise<QueueView> {
  const depth = await c.store.queues.depth(c.scope, q.queue, countMax);
  const serving = liveEngines(info, c.scope).filter((e) => serves(e, q.queue));
  const known = new Set(serving.flatMap((e) => e.works?.tasks ?? []));
  const oldestMs = depth.oldestAt === null ? 0 : Math.max(0, info.nowMs - depth.oldestAt);
  return {
    name: q.queue,
    ...q.config,
    version: q.version,
    ...(q.paused === null ? {} : { paused: { since: toTimeText(q.paused.at), by: q.paused.by, reason: q.paused.reason } }),
    ready: depth.ready,
    claimed: depth.claimed,
    held: depth.held,
    oldestMs,
    workers: serving.length,
    unserved: Object.keys(depth.byTask).filter((t) => !known.has(t)),
    health: healthOf(oldestMs, staleAfterMs),
  };
}

/** Stale at the threshold, a warning from four fifths of it on (TX-14). */
export function healthOf(waitedMs: number, thresholdMs: number): QueueView["health"] {
  if (waitedMs >= thresholdMs) return "stale";
  return waitedMs >= thresholdMs * 0.8 ? "warning" : "healthy";
}

async function workers(c: LocalClientDeps): Promise<readonly WorkerView[]> {
  const info = await c.store.info();
  const all = info.engines.filter((e) => isOfTenant(e, c.scope) && e.works !== undefined && e.works !== null);
  const views = await Promise.all(all.map((e) => workerView(c, e, info.nowMs)));
  return [...views.filter((w) => w.alive), ...views.filter((w) => !w.alive)];
}

async function workerView(c: LocalClientDeps, e: EngineRow, nowMs: number): Promise<WorkerView> {
  const rows =
    c.store.lacks?.includes("queues") === true ? [] : await c.store.queues.rows({ scope: c.scope, worker: e.engineId, limit: runningMax });
  return {
    workerId: e.engineId,
    kind: e.kind ?? "engine",
    lang: e.works?.lang ?? "",
    alive: !e.dead && e.leaseUntil > nowMs,
    leaseUntil: toTimeText(e.leaseUntil),
    queues: e.works?.queues ?? [],
    works: e.works?.tasks ?? [],
    labels: e.works?.labels ?? {},
    running: rows.length,
  };
}
