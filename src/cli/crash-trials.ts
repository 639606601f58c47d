// The trials of `pawl crashtest`: for each kill a process that dies there and another that continues, on a store of their own, and
// what was seen of both together: the log by the second, calls and effects by files that outlive the first.
import { PawlError } from "../errors/error.ts";
import { catalogue, type Code } from "../errors/catalogue.ts";
import { openStore } from "../open.ts";
import { joinPath } from "../platform/files.ts";
import { startProgram, type ProgramEnd, type RunningProgram } from "../platform/child-process.ts";
import type { Platform } from "../platform/platform.ts";
import { windows, type Kill, type Observed, type Window } from "../testing/judge-kill.ts";
import type { TestDb } from "../testing/test-engine.ts";
import { worldIn, worldVariable } from "../testing/world.ts";
import { throwAwayFile, throwAwayOn, type ThrowAway } from "../throw-away.ts";
import { fromReportEnd, readReport, type ReportLine, type ChildRequest } from "./crash-report.ts";

/** Makes the tables of the user's own before a life, and puts back what lies elsewhere after it. */
export interface TrialHooks {
  readonly setup?: (db: TestDb) => unknown;
  readonly reset?: (db: TestDb) => unknown;
}

export interface TrialOptions {
  readonly target: string;
  readonly input: unknown;
  readonly signals: ChildRequest["signals"];
  /** null: a throw-away SQLite file for each life; else a server, where each life has a schema or a database of its own. */
  readonly store: string | null;
  readonly hooks: TrialHooks;
  /** Where files may be thrown away. */
  readonly dir: string;
  /** How long one process may take. */
  readonly limitMs: number;
  readonly platform: Platform;
}

export interface TrialResult {
  readonly workflow: string;
  readonly killed: boolean;
  readonly seen: Observed;
  readonly points: readonly Kill[];
}

const isServer = (url: string): boolean => /^(postgres|postgresql|mysql|mariadb):/.test(url);
/** A successor's virtual clock starts this much later than the last moment that its predecessor reported. */
const laterMs = 1_000;
const beginMs = 1_800_000_000_000;

export class CrashTrials {
  readonly #o: TrialOptions;
  readonly #running = new Set<RunningProgram>();
  #count = 0;

  constructor(o: TrialOptions) {
    this.#o = o;
  }

  /** Kills whatever runs now. */
  killAll(): void {
    for (const p of this.#running) p.kill();
  }

  async runOne(kill: Kill | undefined): Promise<TrialResult> {
    const name = `life-${++this.#count}`;
    const at = (ending: string): string => joinPath(this.#o.dir, `${name}.${ending}`);
    const place = await this.#place(at("db"));
    try {
      return await this.#lived(at, place.url, kill);
    } finally {
      await this.#o.hooks.reset?.(dbOf(place));
      await place.remove();
    }
  }

  /** Where one life's store lies, with the user's tables in it. */
  async #place(file: string): Promise<ThrowAway> {
    const { store, hooks } = this.#o;
    const place = store === null ? throwAwayFile(file) : await throwAwayOn(store);
    if (place === undefined)
      throw new PawlError("PAWL5002", "--store takes the URL of a server, postgres://… or mysql://…; SQLite is tested on files of its own");
    if (hooks.setup === undefined) return place;
    try {
      // A file of which the store is not the first owner would be refused.
      if (store === null) await (await openStore(place.url, this.#o.platform)).close();
      await hooks.setup(dbOf(place));
    } catch (e) {
      await place.remove();
      throw e;
    }
    return place;
  }

  async #lived(at: (ending: string) => string, url: string, kill: Kill | undefined): Promise<TrialResult> {
    const { target, input, signals } = this.#o;
    const wanted: ChildRequest = {
      target,
      ...(input === undefined ? {} : { input }),
      signals,
      store: url,
      real: isServer(url),
      tenantId: `crashtest-${this.#o.platform.randomHex(8)}`,
      startMs: beginMs,
      report: at("report"),
    };
    const world = at("world");
    let killed = false;
    if (kill !== undefined) {
      const end = await this.#process(wanted, world, `${kill.step}:${kill.window}#${kill.nth}`);
      killed = end.signal === "SIGKILL";
      if (!killed) throwReportedError(readReport(wanted.report), end);
    }
    const last = Math.max(beginMs, ...readReport(wanted.report).map((l) => ("passed" in l ? l.at : 0)));
    const end = await this.#process(killed ? { ...wanted, startMs: last + laterMs } : wanted, world, undefined);
    return trialResult(readReport(wanted.report), end, worldIn(world), killed);
  }

  async #process(wanted: ChildRequest, world: string, crash: string | undefined): Promise<ProgramEnd> {
    const program = new URL(`./crash-child${import.meta.url.slice(import.meta.url.lastIndexOf("."))}`, import.meta.url);
    const running = startProgram(program, [JSON.stringify(wanted)], { PAWL_CRASH: crash, PAWL_STORE: undefined, [worldVariable]: world });
    this.#running.add(running);
    let late = false;
    const cancel = this.#o.platform.timer(this.#o.limitMs, () => {
      late = true;
      running.kill();
    });
    try {
      const end = await running.ended;
      if (late) throw new PawlError("PAWL5032", `the run did not end within ${this.#o.limitMs} ms of real time`);
      return end;
    } finally {
      cancel();
      this.#running.delete(running);
    }
  }
}

function dbOf({ sql }: ThrowAway): TestDb {
  return { sql: async (strings, ...values) => (await sql.query(strings, values)) as never };
}

/** The failure that a process reported, or left behind. */
function throwReportedError(lines: readonly ReportLine[], end: ProgramEnd): void {
  for (const l of lines)
    if ("error" in l) throw new PawlError(l.error.code in catalogue ? (l.error.code as Code) : "PAWL5010", l.error.message);
  if (end.code !== 0)
    throw new PawlError("PAWL5031", `the process ended with ${end.code ?? end.signal}: ${end.err.trim().slice(0, 2_000)}`);
}

function trialResult(lines: readonly ReportLine[], end: ProgramEnd, world: ReturnType<typeof worldIn>, killed: boolean): TrialResult {
  throwReportedError(lines, end);
  const calls = new Map<string, number>();
  const passed = new Map<string, number>();
  const points: Kill[] = [];
  let workflow = "";
  let log: ReturnType<typeof fromReportEnd> | undefined;
  const places = new Map<string, string>();
  for (const l of lines) {
    if ("begun" in l) calls.set(l.begun, (calls.get(l.begun) ?? 0) + 1);
    if ("called" in l) places.set(l.called, l.line);
    if ("workflow" in l) workflow = l.workflow;
    if ("end" in l) log = fromReportEnd(l.end);
    if (!("passed" in l)) continue;
    const nth = (passed.get(l.passed) ?? 0) + 1;
    passed.set(l.passed, nth);
    const window = l.passed.slice(-1) as Window;
    if (windows.includes(window)) points.push({ step: l.passed.slice(0, -2), window, nth });
  }
  if (log === undefined) throw new PawlError("PAWL5031", "the process ended without a result");
  const effects = new Map([...world.effects()].map(([name, steps]) => [name, { count: world.count(name), steps }]));
  return { workflow, killed, points, seen: { ...log, calls, effects } };
}
