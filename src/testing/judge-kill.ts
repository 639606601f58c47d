// The verdict on one kill: what was counted after it, compared with a run that nothing interrupted and with what the step's
// class promises. Pure: who killed, and how, in this process or another, does not matter. It judges every effect of the run, not
// only the killed step's: an effect that happened twice is a finding wherever the kill was.
import {
  allowedCountText,
  meetsExpectation,
  mayNeedPerson,
  promisedCalls,
  promisedEffect,
  remedy,
  type Expectation,
} from "../core/expectation.ts";
import type { GuaranteeClass, StepKindName } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";

export const windows = ["A", "B", "C", "D", "E"] as const;
export type Window = (typeof windows)[number];

/** A step as the log knows it, and where in the file it was called. */
export interface SeenStep {
  readonly stepId: string;
  readonly kind: StepKindName;
  readonly class?: GuaranteeClass;
  /** file:line:column */
  readonly line?: string;
}

/** What was seen of one whole life of a run, kills included. */
export interface Observed {
  /** How it ended; "decision": it waits for a person. */
  readonly end: "COMPLETED" | "FAILED" | "CANCELLED" | "PAUSED" | "decision";
  /** Why it failed or stands. */
  readonly why?: string;
  /** The code of the failure, if it has one. */
  readonly code?: string;
  /** Of a failure: the step happened and its result is lost, which is an answer of verify. */
  readonly resultLost: boolean;
  /** Steps of which nobody knows how they ended. */
  readonly doubts: ReadonlySet<string>;
  /** How often each effect happened in the world, and the steps that caused it. */
  readonly effects: ReadonlyMap<string, { readonly count: number; readonly steps: ReadonlySet<string> }>;
  /** How often each step's function began. */
  readonly calls: ReadonlyMap<string, number>;
  /** How often each step was recorded as done. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly steps: ReadonlyMap<string, SeenStep>;
}

/** Why nothing can be compared with this run: it did not get to an end of its own. */
export function unusablePlainRun(plain: Observed): PawlError | undefined {
  const why = plain.why ?? "the run did not end";
  if (plain.code === "PAWL1017") return new PawlError("PAWL1017", why);
  if (plain.end === "PAUSED") return new PawlError(plain.code === "PAWL1007" ? "PAWL1007" : "PAWL1006", why);
  return undefined;
}

export interface CrashCell {
  /** Where the kill was. */
  readonly step: string;
  readonly window: Window;
  /** Of the killed step; waits have none. */
  readonly class?: GuaranteeClass;
  /** What was counted: an effect of the world, or the step itself (its function's calls, a wait's outcome). */
  readonly effect: string;
  /** The step that caused it; not the killed one when the kill was between its effect and its record. */
  readonly cause: string;
  readonly count: number;
  /** The permitted counts, in words. */
  readonly allowed: string;
  readonly ok: boolean;
  readonly end: Observed["end"];
  /** Where the step was called: file:line:column. */
  readonly line?: string;
  /** What is wrong, and what would fix it. */
  readonly why?: string;
  readonly fix?: string;
}

export interface Kill {
  readonly step: string;
  readonly window: Window;
  /** The nth time this point is passed: two runs may have a step of one name. */
  readonly nth: number;
}

export function judgeKill(
  kill: Kill,
  plain: Observed,
  seen: Observed | undefined,
  expect: Readonly<Record<string, Expectation>>,
): CrashCell[] {
  const step = plain.steps.get(kill.step);
  const base = {
    step: kill.step,
    window: kill.window,
    ...(step?.class === undefined ? {} : { class: step.class }),
    ...(step?.line === undefined ? {} : { line: step.line }),
  };
  if (seen === undefined) {
    const why = "this point was not passed again: the run does not do the same every time";
    return [{ ...base, effect: kill.step, cause: kill.step, count: 0, allowed: "a kill", ok: false, end: plain.end, why }];
  }
  const trouble = endProblem(plain, seen);
  const ended = seen.end === plain.end;
  return countAll(plain, seen, expect).flatMap((c): CrashCell[] => {
    const own = c.steps.has(kill.step);
    const holding = meetsExpectation(c.expectation, c.plain, c.count, ended);
    if (!own && holding) return [];
    const cause = own ? kill.step : ([...c.steps][0] ?? c.effect);
    const culprit = plain.steps.get(cause);
    const why = trouble ?? (holding ? undefined : `${c.effect} ${c.what} ${times(c.count)} instead of ${times(c.plain)}`);
    return [
      {
        ...base,
        ...(culprit?.line === undefined ? {} : { line: culprit.line }),
        effect: c.effect,
        cause,
        count: c.count,
        allowed: allowedCountText(c.expectation, c.plain, ended),
        ok: holding && trouble === undefined,
        end: seen.end,
        ...(why === undefined ? {} : { why }),
        ...(holding || c.count <= c.plain ? {} : { fix: fixText(culprit) }),
      },
    ];
  });
}

/** Something to count: a world's effect, or a step that recorded none. */
interface Counted {
  readonly effect: string;
  readonly what: "happened" | "ran" | "was recorded";
  readonly steps: ReadonlySet<string>;
  readonly expectation: Expectation;
  readonly plain: number;
  readonly count: number;
}

function countAll(plain: Observed, seen: Observed, expect: Readonly<Record<string, Expectation>>): Counted[] {
  const all: Counted[] = [];
  const covered = new Set<string>();
  for (const effect of new Set([...plain.effects.keys(), ...seen.effects.keys()])) {
    const steps = new Set([...(plain.effects.get(effect)?.steps ?? []), ...(seen.effects.get(effect)?.steps ?? [])]);
    if (steps.size === 0 && plain.steps.has(effect)) steps.add(effect); // a world that cannot tell: by name
    for (const s of steps) covered.add(s);
    const classes = [...steps].flatMap((s) => plain.steps.get(s)?.class ?? []);
    all.push({
      effect,
      what: "happened",
      steps,
      expectation: expect[effect] ?? (classes.every((c) => c === "REPEATABLE") && classes.length > 0 ? "at-least-once" : weakest(classes)),
      plain: plain.effects.get(effect)?.count ?? 0,
      count: seen.effects.get(effect)?.count ?? 0,
    });
  }
  for (const [stepId, s] of plain.steps) {
    if (covered.has(stepId)) continue;
    const calls = s.kind === "effect" || (s.kind === "compensation" && s.class !== "ATOMIC");
    const by = calls ? "calls" : "outcomes";
    const undeclared = s.kind === "compensation" && s.class === "UNDECLARED"; // as most are: nothing is said of its calls
    const promised = undeclared ? "at-least-once" : calls && s.class !== undefined ? promisedCalls(s.class) : "once";
    all.push({
      effect: stepId,
      what: calls ? "ran" : "was recorded",
      steps: new Set([stepId]),
      expectation: expect[stepId] ?? promised,
      plain: plain[by].get(stepId) ?? 0,
      count: seen[by].get(stepId) ?? 0,
    });
  }
  return all;
}

/** Of an effect that several steps cause: what the least careful of them promises, but never less than not twice unasked. */
function weakest(classes: readonly GuaranteeClass[]): Expectation {
  return classes.some((c) => promisedEffect(c) === "at-most-once") ? "at-most-once" : "once";
}

/** Another end than the uninterrupted one, unless a class says that a person, or nobody, can know. */
function endProblem(plain: Observed, seen: Observed): string | undefined {
  if (seen.end === plain.end) return undefined;
  const classes = [...seen.doubts].map((s) => plain.steps.get(s)?.class);
  if (seen.end === "decision" && classes.length > 0 && classes.every((c) => c !== undefined && mayNeedPerson(c))) return undefined;
  if (seen.end === "FAILED" && seen.resultLost) return undefined;
  const how = seen.end === "decision" ? "waits for a person" : `is ${seen.end}`;
  return `the run ${how} instead of ${plain.end}${seen.why === undefined ? "" : `: ${seen.why}`}`;
}

function fixText(step: SeenStep | undefined): string {
  if (step?.kind === "compensation" && step.class === "UNDECLARED") return `compensate with { undo } and ${remedy}`;
  if (step?.class === "UNDECLARED") return remedy;
  if (step?.class === "KEYED") return "the receiver did not deduplicate: pass it s.key";
  if (step?.class === "VERIFIED") return "verify said not-completed of something that had happened";
  return "look at what the step's function does outside";
}

const times = (n: number): string => (n === 0 ? "never" : n === 1 ? "once" : n === 2 ? "twice" : `${n} times`);
