// schedule(): a schedule in code. What it says is kept outside of the object that the user holds, checked when it is made: an expression that
// names no time, an unknown zone, an interval that is too small are refused here, before an engine is opened.
import { durationMs, type Duration } from "../core/duration.ts";
import { checkOptions } from "../core/guarantee.ts";
import { checkName } from "../core/names.ts";
import { PawlError } from "../errors/error.ts";
import { definitionOf } from "../workflow/registry.ts";
import type { AnyWorkflow, InputOf } from "../workflow/types.ts";
import { checkWhen } from "./due-times.ts";
import type { Schedule, ScheduleOpts, StoredWhen, When } from "./types.ts";

const defaultCatchupMs = 3_600_000;
/** `<name>/<due time>` is the id of a run, and has its limit. */
const nameLengthMax = 200;
const whenOptions: ReadonlySet<string> = new Set("cron tz every from until overlap catchup".split(" "));

/** What of a schedule is data, as it is stored. */
export interface ScheduleTerms {
  readonly name: string;
  readonly when: StoredWhen;
  readonly overlap: "skip" | "allow";
  readonly catchupMs: number;
}
export interface CodeSchedule extends ScheduleTerms {
  readonly workflow: AnyWorkflow;
  readonly input: { readonly value: unknown } | { readonly make: (due: Date) => unknown };
}

const made = new WeakMap<Schedule, CodeSchedule>();

/**
 * A schedule for `engine({ schedules })`: at each due time one run of the workflow is started, once over all engines and crashes. Its run is
 * called `<name>/<due time>`. The input is a value, or a function of the due time; with a function only engines that have this code fire it.
 *
 * @example
 * const invoices = schedule("invoices", { cron: "0 9 1 * *", tz: "Europe/Zurich" }, invoicing, (due) => ({ month: due.toISOString().slice(0, 7) }));
 * const app = await engine({ store: "sqlite:./data.db", workflows: [invoicing], schedules: [invoices] });
 */
export function schedule<W extends AnyWorkflow>(
  name: string,
  when: When & ScheduleOpts,
  wf: W,
  ...input: undefined extends InputOf<W>
    ? [input?: InputOf<W> | ((due: Date) => InputOf<W>)]
    : [input: InputOf<W> | ((due: Date) => InputOf<W>)]
): Schedule {
  if (typeof when !== "object" || when === null)
    throw new PawlError("PAWL1040", 'a schedule has either cron, such as "0 9 * * *", or every, such as "15m"');
  checkOptions(when, whenOptions, "schedule()");
  const { overlap, catchup, ...times } = when;
  definitionOf(wf);
  const s: Schedule = Object.freeze({ name: checkScheduleName(name) });
  const given: unknown = input[0];
  made.set(s, {
    ...checkTerms(name, times as When, overlap, catchup),
    workflow: wf,
    input: typeof given === "function" ? { make: given as (due: Date) => unknown } : { value: given },
  });
  return s;
}

/** Whether schedule() made it. */
export function isSchedule(x: unknown): x is Schedule {
  return typeof x === "object" && x !== null && made.has(x as Schedule);
}

export function codeScheduleOf(s: Schedule): CodeSchedule {
  const found = typeof s === "object" && s !== null ? made.get(s) : undefined;
  if (found === undefined) throw new PawlError("PAWL5001", "schedules must be a list of what schedule() returned");
  return found;
}

/** Everything about a schedule that can be refused without knowing its workflow. */
export function checkTerms(name: string, when: When, overlap: unknown, catchup: Duration | undefined): ScheduleTerms {
  if (overlap !== undefined && overlap !== "skip" && overlap !== "allow")
    throw new PawlError("PAWL1040", 'overlap must be "skip" or "allow"');
  return {
    name: checkScheduleName(name),
    when: checkWhen(when),
    overlap: overlap ?? "skip",
    catchupMs: catchup === undefined ? defaultCatchupMs : durationMs(catchup, "catchup"),
  };
}

export function checkScheduleName(name: unknown): string {
  const text = checkName(name, "the schedule's name");
  if (text.length > nameLengthMax) throw new PawlError("PAWL1001", `the schedule's name must have at most ${nameLengthMax} characters`);
  return text;
}

/** One name, one schedule. */
export function codeSchedules(list: readonly Schedule[] | undefined): readonly CodeSchedule[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw new PawlError("PAWL5001", "schedules must be a list of what schedule() returned");
  const all = list.map(codeScheduleOf);
  const names = new Set<string>();
  for (const { name } of all) {
    if (names.has(name)) throw new PawlError("PAWL5050", `two schedules are named ${name}`, { data: { name } });
    names.add(name);
  }
  return all;
}
