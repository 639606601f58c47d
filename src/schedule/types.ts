// The public shapes of schedules: when one is due, what it starts, and how it stands. Types only. Times are `Date` or RFC 3339 text where a
// user gives them, and text in every answer, in process and over HTTP alike.
import type { Duration } from "../core/duration.ts";

/** When a schedule is due. */
export type When = (
  | {
      /** Five fields: minute, hour, day, month, weekday; six with the second first; or a name such as "@daily". */
      cron: string;
      /** The time zone of the wall clock that `cron` speaks of, such as "Europe/Zurich"; UTC unless given. */
      tz?: string;
    }
  | {
      /** So much elapsed time between two due times, at least one second. */
      every: Duration;
      /** The first due time; one interval after the schedule was put, unless given. */
      from?: Date | string;
    }
) & {
  /** The last moment at which it may be due. */
  until?: Date | string;
};

export interface ScheduleOpts {
  /** While the run of the last fire is still open: skip this one (the default), or start another run beside it. */
  overlap?: "skip" | "allow";
  /** How late the last missed fire may still be made up; 1h unless given. Earlier missed fires are recorded, not run. */
  catchup?: Duration;
}

/** A schedule in code: made by `schedule()`, given to `engine({ schedules })`. */
export interface Schedule {
  readonly name: string;
}

/** What became of one due time. */
export interface FireView {
  readonly due: string;
  readonly did: "started" | "skipped" | "missed" | "failed";
  /** When that was recorded. */
  readonly at: string;
  readonly runId?: string;
  /** Why nothing was started, or who asked for it. */
  readonly because?: string;
  /** One record of many missed due times: all from `due` to before this time. */
  readonly before?: string;
}

export interface ScheduleView {
  readonly name: string;
  readonly when: {
    readonly cron?: string;
    readonly tz?: string;
    readonly everyMs?: number;
    readonly from?: string;
    readonly until?: string;
  };
  readonly overlap: "skip" | "allow";
  readonly catchupMs: number;
  readonly workflow: string;
  /** "code": a function makes the input, and only engines that have it fire this schedule. */
  readonly input: "value" | "code";
  /** Absent while it is paused, and when it is over. */
  readonly nextAt?: string;
  readonly lastRunId?: string;
  readonly paused?: { readonly since: string; readonly by?: string; readonly reason?: string };
  /** An engine that is alive was opened with it. One that left the code stays until somebody removes it. */
  readonly inCode: boolean;
  /** What became of its last due times, newest first. */
  readonly fires: readonly FireView[];
  /** What people asked of it last, newest first: at most ten. */
  readonly orders: readonly ScheduleOrderView[];
}

/** Who asked what of a schedule, and why. */
export interface ScheduleOrderView {
  readonly order: "put" | "pause" | "resume" | "fire";
  readonly at: string;
  readonly by?: string;
  readonly reason?: string;
}

/** A schedule that a client puts. Its input is data: a function needs `schedule()` and an engine. */
export interface NewSchedule {
  readonly name: string;
  readonly when: When;
  readonly workflow: string;
  readonly input?: unknown;
  readonly overlap?: "skip" | "allow";
  readonly catchup?: Duration;
  readonly by?: string;
  readonly reason?: string;
}

/** Why an operator asks; `by` is the caller where somebody is authenticated. */
export interface ScheduleOrder {
  readonly reason?: string;
  readonly by?: string;
}
export interface FiredSchedule {
  readonly name: string;
  readonly due: string;
  readonly runId: string;
}

/** The verbs of schedules. */
export interface ScheduleVerbs {
  /**
   * Adds a schedule, or changes the one that has its name. What it starts is a workflow that engines have published, with this input. Changed
   * or not, it stays paused if it is paused.
   *
   * @example
   * await client.schedules.put({
   *   name: "nightly-report",
   *   when: { cron: "0 2 * * *", tz: "Europe/Zurich" },
   *   workflow: "report",
   *   input: { kind: "daily" },
   * });
   */
  put(s: NewSchedule): Promise<ScheduleView>;
  /**
   * All schedules of this tenant by name, each with its last five due times.
   *
   * @example
   * for (const s of await client.schedules.list()) console.log(s.name, s.nextAt ?? "paused or over");
   */
  list(): Promise<readonly ScheduleView[]>;
  /**
   * One schedule with what became of its due times, newest first: the last 20, or `fires` of them, up to 1000.
   *
   * @example
   * const { fires } = await client.schedules.get("nightly-report");
   */
  get(name: string, o?: { readonly fires?: number }): Promise<ScheduleView>;
  /**
   * Stops a schedule from firing. When this returns no fire can begin any more; runs that it started continue.
   *
   * @example
   * await client.schedules.pause("nightly-report", { by: "ann", reason: "the warehouse is down" });
   */
  pause(name: string, o?: ScheduleOrder): Promise<ScheduleView>;
  /**
   * Lets a paused schedule fire again, from its next due time on. What was due meanwhile is recorded as missed.
   *
   * @example
   * await client.schedules.resume("nightly-report", { by: "ann", reason: "the warehouse is back" });
   */
  resume(name: string, o?: ScheduleOrder): Promise<ScheduleView>;
  /**
   * Removes a schedule and the record of its due times. Runs that it started stay. One that is still in code comes back with the next engine
   * that has it: pause it instead, or take it out of the code first.
   *
   * @example
   * await client.schedules.remove("nightly-report", { by: "ann", reason: "replaced by hourly-report" });
   */
  remove(name: string, o: ScheduleOrder & { readonly reason: string }): Promise<{ readonly removed: true }>;
  /**
   * Starts its workflow now, besides its due times, even while it is paused. Refused while its last run is open, unless it allows overlap. The
   * same `requestId` starts one run.
   *
   * @example
   * const { runId } = await client.schedules.fire("nightly-report", { by: "ann", reason: "asked for by the board" });
   */
  fire(name: string, o?: ScheduleOrder & { readonly requestId?: string }): Promise<FiredSchedule>;
}

/** `When` as it is stored, all times in milliseconds. */
export type StoredWhen = ({ readonly cron: string; readonly tz: string } | { readonly everyMs: number; readonly from?: number }) & {
  readonly until?: number;
};
