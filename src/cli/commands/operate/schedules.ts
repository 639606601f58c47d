// `pawl schedules`: which there are, when they fire next and what became of their due times; pausing, resuming, firing, putting and removing one. What
// it changes goes through the client, with who asked and why.
import type { NewSchedule, ScheduleView } from "../../../client/types.ts";
import { PawlError } from "../../../errors/error.ts";
import { writeOut } from "../../../platform/terminal.ts";
import { clip, formatTable, formatTime, withoutControlChars } from "../../output/format.ts";
import { printJson, printNote } from "../../output/print.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseCount, readValueOption } from "../../parse-values.ts";
import { withSession, type CliSession } from "../../session.ts";
import type { JsonOption, LimitOption, ParamOption, StoreOptions, WhoOptions } from "../../shared-options.ts";

export interface SchedulesOptions extends WhoOptions, ParamOption, LimitOption, JsonOption, StoreOptions {
  readonly cron?: string;
  readonly tz?: string;
  readonly every?: string;
  readonly from?: string;
  readonly until?: string;
  readonly overlap?: string;
  readonly catchup?: string;
  readonly workflow?: string;
  readonly input?: string;
  readonly requestId?: string;
}

const verbs = ["list", "get", "pause", "resume", "fire", "remove", "put"] as const;
type Verb = (typeof verbs)[number];

export async function schedulesCommand(args: readonly string[], o: SchedulesOptions): Promise<number> {
  const [verb = "list", name] = args;
  if (!verbs.includes(verb as Verb))
    throw new PawlError("PAWL4011", `schedules takes list, get, pause, resume, fire, remove or put, not ${JSON.stringify(verb)}`);
  if (verb !== "list" && name === undefined) throw new PawlError("PAWL4011", `schedules ${verb} needs a schedule's name`);
  return withSession(o, (s) => act(s, verb as Verb, name ?? "", o));
}

async function act({ client, platform }: CliSession, verb: Verb, name: string, o: SchedulesOptions): Promise<number> {
  const { schedules } = client;
  const who = { ...(o.by === undefined ? {} : { by: o.by }), ...(o.reason === undefined ? {} : { reason: o.reason }) };
  switch (verb) {
    case "list":
      return list(await schedules.list(), o, platform.wallMs());
    case "get": {
      const fires = parseCount(o.limit, "--limit", 1);
      return show(await schedules.get(name, fires === undefined ? {} : { fires }), o, platform.wallMs());
    }
    case "pause":
    case "resume":
      return say(await schedules[verb](name, who), o, `${name} is ${verb === "pause" ? "paused" : "not paused"}`);
    case "put": {
      const view = await schedules.put({ ...(await newSchedule(name, o)), ...who });
      return say(view, o, `${name} is due next at ${view.nextAt ?? "no time"}`);
    }
    case "fire": {
      const fired = await schedules.fire(name, { ...who, ...(o.requestId === undefined ? {} : { requestId: o.requestId }) });
      return say(fired, o, `started run ${fired.runId}`);
    }
    case "remove":
      return say({ name, ...(await schedules.remove(name, { ...who, reason: o.reason ?? "" })) }, o, `${name} is removed`);
  }
}

async function newSchedule(name: string, o: SchedulesOptions): Promise<NewSchedule> {
  if (o.workflow === undefined) throw new PawlError("PAWL4011", "--workflow is missing: what the schedule starts");
  const { cron, tz, every, from, until, overlap, catchup } = o;
  const when = Object.fromEntries(Object.entries({ cron, tz, every, from, until }).filter(([, v]) => v !== undefined));
  const input = await readValueOption(o, "input");
  return {
    name,
    when: when as unknown as NewSchedule["when"],
    workflow: o.workflow,
    ...(input === undefined ? {} : { input }),
    ...(overlap === undefined ? {} : { overlap: overlap as "skip" }),
    ...(catchup === undefined ? {} : { catchup: catchup as `${number}s` }),
  };
}

function list(schedules: readonly ScheduleView[], o: SchedulesOptions, nowMs: number): number {
  if (o.json === true) printJson({ schedules });
  else if (schedules.length === 0) printNote("no schedules");
  else
    writeOut(
      formatTable(
        schedules.map((s) => [
          withoutControlChars(s.name),
          whenText(s),
          withoutControlChars(s.workflow),
          nextText(s),
          lastText(s, nowMs),
          s.inCode ? "in code" : "",
        ]),
      ),
    );
  return exitCodes.ok;
}

function show(s: ScheduleView, o: SchedulesOptions, nowMs: number): number {
  if (o.json === true) {
    printJson(s);
    return exitCodes.ok;
  }
  writeOut(`${withoutControlChars(s.name)}  ${whenText(s)}  ${withoutControlChars(s.workflow)}  ${nextText(s)}\n`);
  if (s.fires.length > 0)
    writeOut(formatTable(s.fires.map((f) => [`  ${f.due}`, f.did, f.runId ?? "", clip(withoutControlChars(f.because ?? ""), 100)])));
  for (const { order, at, by, reason } of s.orders)
    writeOut(
      `  ${formatTime(at, nowMs)}  ${order}${by === undefined ? "" : ` by ${withoutControlChars(by)}`}${reason === undefined ? "" : `: ${clip(withoutControlChars(reason), 100)}`}\n`,
    );
  return exitCodes.ok;
}

function say(value: unknown, o: SchedulesOptions, text: string): number {
  if (o.json === true) printJson(value);
  else writeOut(`${withoutControlChars(text)}\n`);
  return exitCodes.ok;
}

function whenText({ when }: ScheduleView): string {
  return when.cron === undefined ? `every ${(when.everyMs ?? 0) / 1000} s` : withoutControlChars(`${when.cron} ${when.tz ?? ""}`);
}
function nextText({ nextAt, paused }: ScheduleView): string {
  if (paused !== undefined) return `paused${paused.reason === undefined ? "" : `: ${clip(withoutControlChars(paused.reason), 40)}`}`;
  return nextAt === undefined ? "over" : `next ${nextAt}`;
}
function lastText({ fires: [last] }: ScheduleView, nowMs: number): string {
  return last === undefined ? "not due yet" : `${last.did} ${formatTime(last.due, nowMs)}`;
}
