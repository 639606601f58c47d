// `pawl crashtest`: runs the workflow of a file once to find every point at which it could die, then once more for each of them
// in a process that is killed exactly there and in another that continues; counts what happened outside and compares it with what
// each step's class promises. On a server each life has a schema or a database of its own; nothing else is changed.
import { PawlError } from "../../../errors/error.ts";
import { removePath, temporaryDir } from "../../../platform/files.ts";
import { codeFrame } from "../../../platform/source-location.ts";
import { systemPlatform } from "../../../platform/system.ts";
import { colourAllowed, isTty, writeErr, writeOut } from "../../../platform/terminal.ts";
import { judgeKill, unusablePlainRun, windows, type CrashCell, type Kill, type Window } from "../../../testing/judge-kill.ts";
import { allHold, plainRunText, plainRun, type PlainRun } from "../../../testing/plain-run.ts";
import { matrixTable } from "../../../testing/matrix-table.ts";
import type { JsonOption, ParamOption, TimeoutOption } from "../../shared-options.ts";
import { type TrialHooks, CrashTrials, type TrialResult } from "../../crash-trials.ts";
import type { ChildRequest } from "../../crash-report.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseJsonOption, parseDurationMs, readValueOption } from "../../parse-values.ts";
import { listenForInterrupt } from "../../runs/interrupt.ts";
import { loadUserModule } from "../../runs/load-file.ts";
import { paint } from "../../output/colors.ts";
import { tintOf } from "../../output/tint.ts";
import { printNote, printJson } from "../../output/print.ts";

export interface CrashtestOptions extends JsonOption, ParamOption, TimeoutOption {
  readonly input?: string;
  readonly signal?: readonly string[];
  readonly step?: readonly string[];
  readonly window?: readonly string[];
  readonly expectEnd?: string;
  readonly setup?: string;
  readonly store?: string;
}

const limitMs = 60_000;
/** Kills under way at once. */
const atOnce = 2;

export async function crashtestCommand(args: readonly string[], o: CrashtestOptions): Promise<number> {
  const target = args[0] ?? "";
  const asked = parseKills(o);
  const input = await readValueOption(o, "input");
  const dir = temporaryDir();
  const interrupt = listenForInterrupt();
  const lives = new CrashTrials({
    target,
    input,
    signals: (o.signal ?? []).map(signalOf),
    store: o.store ?? null,
    hooks: await hooksOf(o.setup),
    dir,
    limitMs: parseDurationMs(o.timeout, "--timeout") ?? limitMs,
    platform: systemPlatform(),
  });
  try {
    const outcome = await Promise.race([matrix(lives, asked, target, expectedEnd(o)), interrupt.requested]);
    if (outcome === "interrupted") {
      lives.killAll();
      printNote("interrupted: no result");
      return exitCodes.interrupted;
    }
    return show(outcome, o);
  } finally {
    interrupt.stopListening();
    removePath(dir);
  }
}

interface Outcome {
  readonly workflow: string;
  readonly plain: PlainRun;
  readonly kills: number;
  readonly cells: readonly CrashCell[];
}

async function matrix(
  lives: CrashTrials,
  asked: (k: Kill) => boolean,
  target: string,
  expected: PlainRun["end"] | undefined,
): Promise<Outcome> {
  const plain = await lives.runOne(undefined);
  const problem = unusablePlainRun(plain.seen);
  if (problem !== undefined) throw problem;
  const ended = plainRun(plain.seen, expected);
  if (!ended.asExpected) return { workflow: plain.workflow, plain: ended, kills: 0, cells: [] };
  const kills = plain.points.filter(asked);
  if (kills.length === 0) throw new PawlError("PAWL4011", `${target}: the run has no such step and window`);
  const cells: CrashCell[][] = [];
  const bar = progress(plain.workflow, kills.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let i = next++; i < kills.length; i = next++) {
      const kill = kills[i]!;
      cells[i] = await tryKill(lives, kill, plain);
      bar.done(kill);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, lane));
  } finally {
    bar.end();
  }
  return { workflow: plain.workflow, plain: ended, kills: kills.length, cells: cells.flat() };
}

/** A life that could not be lived is a finding, not the end of the test. */
async function tryKill(lives: CrashTrials, kill: Kill, plain: TrialResult): Promise<CrashCell[]> {
  try {
    const { killed, seen } = await lives.runOne(kill);
    return judgeKill(kill, plain.seen, killed ? seen : undefined, {});
  } catch (e) {
    const why = e instanceof Error ? e.message : String(e);
    return judgeKill(kill, plain.seen, undefined, {}).map((c) => ({ ...c, why }));
  }
}

function parseKills(o: CrashtestOptions): (k: Kill) => boolean {
  const at = (o.window ?? []).map((w) => w.toUpperCase());
  for (const w of at) if (!windows.includes(w as Window)) throw new PawlError("PAWL4011", `--window takes A, B, C, D or E, not ${w}`);
  return (k) => (o.step === undefined || o.step.includes(k.step)) && (at.length === 0 || at.includes(k.window));
}

const ends = ["COMPLETED", "FAILED", "CANCELLED", "decision"] as const;

function expectedEnd(o: CrashtestOptions): PlainRun["end"] | undefined {
  const given = o.expectEnd;
  const end = ends.find((e) => e.toLowerCase() === given?.toLowerCase());
  if (given !== undefined && end === undefined)
    throw new PawlError("PAWL4011", `--expect-end takes COMPLETED, FAILED, CANCELLED or decision, not ${given}`);
  return end;
}

/** A file that exports `setup(db)`, `reset(db)` or both. */
async function hooksOf(path: string | undefined): Promise<TrialHooks> {
  if (path === undefined) return {};
  const { setup, reset } = await loadUserModule(path);
  const isHook = (f: unknown): boolean => f === undefined || typeof f === "function";
  if ((setup === undefined && reset === undefined) || !isHook(setup) || !isHook(reset))
    throw new PawlError("PAWL5005", `${path}: it must export a function setup(db), a function reset(db), or both`, { data: { path } });
  const named = (name: string, hook: unknown): TrialHooks[keyof TrialHooks] =>
    hook === undefined
      ? undefined
      : async (db) => {
          try {
            await (hook as (db: unknown) => unknown)(db);
          } catch (e) {
            const why = e instanceof Error ? e.message : String(e);
            throw new PawlError("PAWL5005", `${path}: ${name}(db) failed: ${why}`, { cause: e, data: { path } });
          }
        };
  const hooks = { setup: named("setup", setup), reset: named("reset", reset) };
  return { ...(hooks.setup && { setup: hooks.setup }), ...(hooks.reset && { reset: hooks.reset }) };
}

function signalOf(text: string): ChildRequest["signals"][number] {
  const at = text.indexOf("=");
  if (at === 0) throw new PawlError("PAWL4011", `--signal takes name=json, not ${JSON.stringify(text)}`);
  if (at < 0) return { name: text, payload: null };
  return { name: text.slice(0, at), payload: parseJsonOption(text.slice(at + 1), "--signal") };
}

/** A bar on a terminal, a line at the end elsewhere; on standard error. */
function progress(workflow: string, total: number): { done(k: Kill): void; end(): void } {
  const live = isTty("err");
  const width = 24;
  let count = 0;
  const draw = (text: string): void => {
    const full = Math.round((count / total) * width);
    writeErr(`\r\u001B[K${"█".repeat(full)}${"░".repeat(width - full)} ${count}/${total} ${text}`);
  };
  if (live) draw(workflow);
  return {
    done: (k) => {
      count++;
      if (live) draw(`killed in ${k.step}, window ${k.window}`);
    },
    end: () => {
      if (live) writeErr("\r\u001B[K");
    },
  };
}

function show({ workflow, plain, kills, cells }: Outcome, o: CrashtestOptions): number {
  const ok = allHold(cells);
  if (o.json === true) printJson({ workflow, store: storeName(o), plain, kills, ok, cells });
  else {
    const p = paint(colourAllowed("out"));
    const tint = tintOf(colourAllowed("out"));
    writeOut(`${plainRunText(plain, cells, tint)}\n`);
    if (cells.length === 0) return exitCodes.checkFailed;
    writeOut(`${p.bold(workflow)} killed ${kills} times, ${storeName(o)}, in real processes\n\n${matrixTable(cells, tint, frameOf)}`);
    const bad = new Set(cells.filter((c) => !c.ok).map((c) => `${c.step} ${c.window}`)).size;
    writeOut(
      ok ? `\n${p.green("✔")} every effect kept what its class promises\n` : `\n${p.red("✘")} ${bad} of ${kills} kills broke a promise\n`,
    );
  }
  return ok ? exitCodes.ok : exitCodes.checkFailed;
}

/** Never the whole URL: it may hold a password. */
function storeName(o: CrashtestOptions): string {
  return o.store === undefined ? "sqlite" : (o.store.split(":")[0] ?? "sqlite");
}

/** The lines around a step's call, if its file can be read. */
function frameOf(line: string): string {
  const at = /^(.*):(\d+):(\d+)$/.exec(line);
  if (at === null) return "";
  return codeFrame({ file: at[1] ?? "", line: Number(at[2]), column: Number(at[3]) })
    .split("\n")
    .slice(1)
    .map((l) => `    ${l}\n`)
    .join("");
}
