// Schemas of queues, workers, steps and investigations, each tied to its public type. Whether a queue or a step exists is for the verbs
// to say, with their own codes.
import { z } from "zod";
import type { OperationInput } from "../operation-types.ts";
import type { InvestigationView, QueueView, WorkerView } from "../types/queues.ts";
import { count, exact, id, limit, maybe, reason, requestId, textList, textMap, time, waitSeconds } from "./exact.ts";

const who = { by: maybe(id), reason };
const duration = z.union([z.string(), z.number()]);
const health = z.enum(["healthy", "warning", "stale"]);
const cause = z.enum(["stale", "attempts-exhausted", "no-worker", "poison", "by-hand"]);
const closing = z.enum(["resolved", "failed", "cancelled"]);

export const actInputSchema: z.ZodType<OperationInput<"steps.act">> = exact<OperationInput<"steps.act">>()(
  z.strictObject({
    id,
    step: id,
    do: z.enum(["retry", "complete", "resolve", "skip", "fail"]),
    result: maybe(z.unknown()),
    wait: maybe(waitSeconds),
    ...who,
    requestId: maybe(requestId),
  }),
);

export const queueSetSchema: z.ZodType<OperationInput<"queues.set">> = exact<OperationInput<"queues.set">>()(
  z.strictObject({
    name: id,
    concurrency: maybe(z.union([z.int().min(1), z.null()])),
    rate: maybe(z.union([z.strictObject({ limit: z.int().min(1), per: duration, burst: maybe(z.int().min(1)) }), z.null()])),
    aging: maybe(duration),
    ifVersion: maybe(count),
    ...who,
  }),
);
export const queueOrderSchema: z.ZodType<OperationInput<"queues.pause">> = exact<OperationInput<"queues.pause">>()(
  z.strictObject({ name: id, ...who }),
);
export const queueViewSchema: z.ZodType<QueueView> = exact<QueueView>()(
  z.strictObject({
    name: z.string(),
    concurrency: z.union([count, z.null()]),
    rate: z.union([z.strictObject({ limit: count, perMs: count, burst: count }), z.null()]),
    agingMs: count,
    version: count,
    paused: maybe(z.strictObject({ since: time, by: z.string(), reason: z.string() })),
    ready: count,
    claimed: count,
    held: count,
    oldestMs: count,
    workers: count,
    unserved: textList,
    health,
  }),
);
export const workerViewSchema: z.ZodType<WorkerView> = exact<WorkerView>()(
  z.strictObject({
    workerId: z.string(),
    kind: z.enum(["engine", "worker", "remote"]),
    lang: z.string(),
    alive: z.boolean(),
    leaseUntil: time,
    queues: textList,
    works: textList,
    labels: textMap,
    running: count,
  }),
);

const note = z.strictObject({ at: time, by: z.string(), reason: z.string() });
export const investigationViewSchema: z.ZodType<InvestigationView> = exact<InvestigationView>()(
  z.strictObject({
    runId: z.string(),
    n: count,
    why: cause,
    openedAt: time,
    snapshot: z.unknown(),
    notes: z.array(note),
    closed: maybe(z.strictObject({ at: time, by: z.string(), reason: z.string(), as: closing })),
  }),
);
export const investigationsQuerySchema: z.ZodType<OperationInput<"investigations.list">> = exact<OperationInput<"investigations.list">>()(
  z.strictObject({ state: maybe(z.enum(["open", "closed"])), why: maybe(cause), run: maybe(id), limit: maybe(limit) }),
);
export const investigateSchema: z.ZodType<OperationInput<"investigations.open">> = exact<OperationInput<"investigations.open">>()(
  z.strictObject({ id, ...who }),
);
export const closeInvestigationSchema: z.ZodType<OperationInput<"investigations.close">> = exact<OperationInput<"investigations.close">>()(
  z.strictObject({ id, ...who, as: closing }),
);
