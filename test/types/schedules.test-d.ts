// Type tests of schedules: the input is the workflow's, as a value or as a function of the due time. `npm run types` compiles this file and
// nothing ever runs it, so that a line marked as an error which no longer is one fails the check.
import { z } from "zod";
import { schedule, workflow, type Engine, type EngineOpts, type Schedule, type ScheduleView } from "../../src/index.ts";

type Eq<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(_proof?: T): void => {};

const report = workflow({ name: "report", input: z.object({ day: z.string() }) }, async () => 1);
const sweep = workflow({ name: "sweep" }, async () => 1);

export function code(): void {
  const made = schedule("a", { cron: "0 9 * * *", tz: "Europe/Zurich" }, report, { day: "x" });
  is<Eq<typeof made, Schedule>>();
  schedule("a", { every: "15m", from: new Date(0), until: "2030-01-01T00:00:00Z", overlap: "allow", catchup: "1h" }, report, (due) => {
    is<Eq<typeof due, Date>>();
    return { day: due.toISOString() };
  });
  schedule("a", { every: 60_000 }, sweep);
  // @ts-expect-error the workflow has an input
  schedule("a", { every: "1m" }, report);
  // @ts-expect-error of another type
  schedule("a", { every: "1m" }, report, { day: 7 });
  // @ts-expect-error the function must make it
  schedule("a", { every: "1m" }, report, () => ({ day: 7 }));
  // @ts-expect-error it makes it at once
  schedule("a", { every: "1m" }, report, async () => ({ day: "x" }));
  // @ts-expect-error one or the other
  schedule("a", {}, sweep);
  // @ts-expect-error no such duration
  schedule("a", { every: "1 minute" }, sweep);
  // @ts-expect-error skip or allow
  schedule("a", { every: "1m", overlap: "queue" }, sweep);
}

export async function verbs(app: Engine): Promise<void> {
  is<Eq<Exclude<EngineOpts["schedules"], undefined>, readonly Schedule[]>>();
  const all = await app.schedules.list();
  is<Eq<typeof all, readonly ScheduleView[]>>();
  const { runId } = await app.schedules.fire("a", { by: "ann", reason: "now" });
  is<Eq<typeof runId, string>>();
  await app.schedules.put({ name: "b", when: { cron: "@daily" }, workflow: "report", input: { day: "x" } });
  // @ts-expect-error to remove one needs a reason
  await app.schedules.remove("a", {});
}
