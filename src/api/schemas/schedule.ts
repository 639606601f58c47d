// Schemas of schedules, each tied to its public type. Whether an expression or a zone exists is for the verbs to say,
// with their own code.
import { z } from "zod";
import type { FiredSchedule, ScheduleView } from "../../schedule/types.ts";
import type { OperationInput } from "../operation-types.ts";
import type { PutSchedule } from "../types/schedule.ts";
import { count, exact, id, limit, maybe, reason, requestId, time } from "./exact.ts";

const duration = z.union([z.string(), z.number()]);
const overlap = z.enum(["skip", "allow"]);
const who = { by: maybe(id), reason: maybe(reason) };

export const putScheduleSchema: z.ZodType<PutSchedule> = exact<PutSchedule>()(
  z.strictObject({
    name: id,
    when: z.strictObject({
      cron: maybe(z.string()),
      tz: maybe(z.string()),
      every: maybe(duration),
      from: maybe(time),
      until: maybe(time),
    }),
    workflow: id,
    input: maybe(z.unknown()),
    overlap: maybe(overlap),
    catchup: maybe(duration),
    ...who,
  }),
);
export const getScheduleSchema: z.ZodType<OperationInput<"schedules.get">> = exact<OperationInput<"schedules.get">>()(
  z.strictObject({ name: id, fires: maybe(limit) }),
);
export const scheduleOrderSchema: z.ZodType<OperationInput<"schedules.pause">> = exact<OperationInput<"schedules.pause">>()(
  z.strictObject({ name: id, ...who }),
);
export const fireScheduleSchema: z.ZodType<OperationInput<"schedules.fire">> = exact<OperationInput<"schedules.fire">>()(
  z.strictObject({ name: id, ...who, requestId: maybe(requestId) }),
);
export const removeScheduleSchema: z.ZodType<OperationInput<"schedules.remove">> = exact<OperationInput<"schedules.remove">>()(
  z.strictObject({ name: id, by: maybe(id), reason }),
);

const told = { by: maybe(z.string()), reason: maybe(z.string()) };
export const scheduleViewSchema: z.ZodType<ScheduleView> = exact<ScheduleView>()(
  z.strictObject({
    name: z.string(),
    when: z.strictObject({
      cron: maybe(z.string()),
      tz: maybe(z.string()),
      everyMs: maybe(count),
      from: maybe(time),
      until: maybe(time),
    }),
    overlap,
    catchupMs: count,
    workflow: z.string(),
    input: z.enum(["value", "code"]),
    nextAt: maybe(time),
    lastRunId: maybe(z.string()),
    paused: maybe(z.strictObject({ since: time, ...told })),
    inCode: z.boolean(),
    fires: z.array(
      z.strictObject({
        due: time,
        did: z.enum(["started", "skipped", "missed", "failed"]),
        at: time,
        runId: maybe(z.string()),
        because: maybe(z.string()),
        before: maybe(time),
      }),
    ),
    orders: z.array(z.strictObject({ order: z.enum(["put", "pause", "resume", "fire"]), at: time, ...told })),
  }),
);
export const firedScheduleSchema: z.ZodType<FiredSchedule> = exact<FiredSchedule>()(
  z.strictObject({ name: z.string(), due: time, runId: z.string() }),
);
