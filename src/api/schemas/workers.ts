// Schemas of the worker protocol, each tied to its public type. What a worker sends is bounded here: how many steps in one request, how
// many queues, how long a poll may wait.
import { z } from "zod";
import { durationMsMax } from "../../core/duration.ts";
import type { Verdict } from "../../engine/calls.ts";
import type {
  WorkerClaim,
  WorkerBeat,
  WorkerHello,
  WorkerNoted,
  WorkerPoll,
  WorkerPolled,
  WorkerResult,
  WorkerStops,
  WorkerWelcome,
} from "../types/workers.ts";
import { atMost, count, exact, id, maybe, textList, textMap } from "./exact.ts";
import { guaranteeClassSchema } from "./run.ts";

const place = z.strictObject({ concurrency: z.int().min(1).max(10_000) });
const works = z.array(z.strictObject({ task: id, version: maybe(id) })).max(1_000);
const queues = atMost(100, z.record(z.string().min(1).max(128), place));
export const workerHelloSchema: z.ZodType<WorkerHello> = exact<WorkerHello>()(
  z.strictObject({ lang: z.string().min(1).max(64), works: works.min(1), queues, labels: maybe(atMost(100, textMap)) }),
);
export const workerWelcomeSchema: z.ZodType<WorkerWelcome> = exact<WorkerWelcome>()(
  z.strictObject({ workerId: z.string(), leaseMs: count, beatEveryMs: count, beginWithinMs: count }),
);

const held = { dispatchId: id, token: z.string().min(1).max(256) };
const heldList = z.array(z.strictObject(held)).max(10_000);
type PollInput = { readonly workerId: string } & WorkerPoll;
export const workerPollSchema: z.ZodType<PollInput> = exact<PollInput>()(
  z.strictObject({ workerId: id, free: z.record(z.string(), count), waitMs: z.int().min(0).max(25_000), holds: heldList }),
);
const what = z.enum(["run", "verify", "undo"]);
const workerClaimSchema: z.ZodType<WorkerClaim> = exact<WorkerClaim>()(
  z.strictObject({
    ...held,
    what,
    task: z.string(),
    version: maybe(z.string()),
    queue: z.string(),
    runId: id,
    stepId: z.string(),
    input: maybe(z.unknown()),
    key: z.string(),
    fence: z.string(),
    class: guaranteeClassSchema,
    attempt: z.strictObject({ logical: count, engine: count }),
    timeoutMs: z.union([count, z.null()]),
    beginWithinMs: count,
    lastHeartbeat: maybe(z.unknown()),
    cursor: maybe(z.unknown()),
    carried: maybe(z.unknown()),
    traceparent: maybe(z.string()),
  }),
);
const stops = { cancel: textList, lost: textList };
export const workerPolledSchema: z.ZodType<WorkerPolled> = exact<WorkerPolled>()(
  z.strictObject({ claimed: z.array(workerClaimSchema), ...stops }),
);
export const workerStopsSchema: z.ZodType<WorkerStops> = exact<WorkerStops>()(z.strictObject(stops));

type BeatsInput = { readonly workerId: string; readonly beats: readonly WorkerBeat[] };
export const workerBeatsSchema: z.ZodType<BeatsInput> = exact<BeatsInput>()(
  z.strictObject({
    workerId: id,
    beats: z
      .array(z.strictObject({ ...held, detail: maybe(z.unknown()), cursor: maybe(z.unknown()), carried: maybe(z.unknown()) }))
      .max(10_000),
  }),
);

const verdict = exact<Verdict<unknown>>()(
  z.discriminatedUnion("state", [
    z.strictObject({ state: z.literal("not-completed") }),
    z.strictObject({ state: z.literal("completed-with-result"), result: z.unknown() }),
    z.strictObject({ state: z.literal("completed-result-unavailable") }),
    z.strictObject({ state: z.literal("indeterminate"), reason: maybe(z.string()) }),
  ]),
);
const error = z.strictObject({ name: z.string().max(256), message: z.string().max(65_536), data: maybe(z.unknown()) });
const workerResultSchema: z.ZodType<WorkerResult> = exact<WorkerResult>()(
  z.union([
    z.strictObject({ ...held, ok: z.literal(true), result: maybe(z.unknown()) }),
    z.strictObject({
      ...held,
      ok: z.literal(false),
      error,
      retryable: maybe(z.boolean()),
      retryAfterMs: maybe(z.int().min(0).max(durationMsMax)),
      notSent: maybe(z.literal(true)),
      timedOut: maybe(z.literal(true)),
      notEncodable: maybe(z.literal(true)),
    }),
    z.strictObject({ ...held, verdict }),
    z.strictObject({ ...held, yield: z.unknown(), carried: maybe(z.unknown()) }),
    z.strictObject({ ...held, back: z.literal(true) }),
  ]),
);
type ResultsInput = { readonly workerId: string; readonly results: readonly WorkerResult[] };
export const workerResultsSchema: z.ZodType<ResultsInput> = exact<ResultsInput>()(
  z.strictObject({ workerId: id, results: z.array(workerResultSchema).min(1).max(1_000) }),
);
export const workerNotedSchema: z.ZodType<WorkerNoted> = exact<WorkerNoted>()(
  z.strictObject({ noted: z.array(z.strictObject({ dispatchId: z.string(), as: z.enum(["recorded", "known", "late", "lost"]) })) }),
);
type LeaveInput = { readonly workerId: string; readonly holds?: WorkerPoll["holds"] };
export const workerLeaveSchema: z.ZodType<LeaveInput> = exact<LeaveInput>()(z.strictObject({ workerId: id, holds: maybe(heldList) }));
export const leftSchema: z.ZodType<{ readonly left: true }> = exact<{ readonly left: true }>()(z.strictObject({ left: z.literal(true) }));
