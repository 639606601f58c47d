// A real process running one of the programs: its lines, how it ended, signals to it. Whatever a test forgets to end is
// killed by `endAll`, by process id. No test may rely on how long a child takes.
import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { compiledTree } from "./compiled-tree.ts";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lines: readonly string[];
  readonly stderr: string;
}

export interface Child {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** The first line that begins with `start`, from now or before; rejects when the process ends without it. */
  waitForLine(start: string): Promise<string>;
  /** Resolves once standard error holds `text`; rejects when the process ends without it. */
  waitForStderr(text: string): Promise<void>;
  send(line: string): void;
  signal(name: NodeJS.Signals): void;
}

export interface ChildOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

const alive = new Set<ChildProcess>();
const endWithParent = new URL("end-with-parent.mjs", import.meta.url).href;

export function startChild(program: string, o: ChildOptions = {}): Child {
  const env = { ...process.env, ...o.env };
  for (const name of ["PAWL_CRASH", "PAWL_STORE", "PAWL_LOG"]) if (o.env?.[name] === undefined) delete env[name];
  const child = spawn(process.execPath, ["--import", endWithParent, join(compiledTree(), program), ...(o.args ?? [])], {
    env,
    ...(o.cwd === undefined ? {} : { cwd: o.cwd }),
    stdio: ["pipe", "pipe", "pipe"],
  });
  alive.add(child);
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let stderr = "";
  let over: Ended | undefined;
  const told = (): void => {
    for (const w of waiting) w();
  };
  createInterface({ input: child.stdout }).on("line", (text) => {
    lines.push(text);
    told();
  });
  child.stderr.on("data", (d: Buffer) => {
    stderr += String(d);
    told();
  });
  child.stdin.on("error", () => {}); // it may die while a line is on its way
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      alive.delete(child);
      over = { code, signal, lines, stderr };
      told();
      resolve(over);
    });
  });
  const seen = <T>(what: string, find: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = find();
        if (found === undefined && over === undefined) return;
        waiting.delete(look);
        if (found === undefined)
          reject(new Error(`the process ended (${over?.code}, ${over?.signal}) without "${what}": ${lines.join(" | ")} ${stderr}`));
        else resolve(found);
      };
      waiting.add(look);
      look();
    });
  return {
    process: child,
    ended,
    waitForLine: (start) => seen(start, () => lines.find((l) => l.startsWith(start))),
    waitForStderr: async (text) => void (await seen(text, () => (stderr.includes(text) ? true : undefined))),
    send: (line) => void child.stdin.write(`${line}\n`),
    signal: (name) => void child.kill(name),
  };
}

export async function runChild(program: string, o: ChildOptions = {}): Promise<Ended> {
  return startChild(program, o).ended;
}

/** For afterEach: nothing outlives its test. */
export async function killChildren(): Promise<void> {
  const left = [...alive];
  await Promise.all(
    left.map(
      (c) =>
        new Promise<void>((resolve) => {
          c.once("close", () => resolve());
          c.kill("SIGCONT");
          c.kill("SIGKILL");
        }),
    ),
  );
}

/** What it wrote to standard error, without the warnings that a run waits for a person: for programs that answer it themselves. */
export function withoutDecisionNotices(stderr: string): string {
  return stderr.replaceAll(/^pawl warn: run .* waits for a person: .*\n/gm, "");
}

/** At most `max` at a time, first come first served. */
export function limitConcurrency(max: number): <T>(body: () => Promise<T>) => Promise<T> {
  let inside = 0;
  const queue: (() => void)[] = [];
  return async (body) => {
    if (inside >= max) await new Promise<void>((resolve) => queue.push(resolve));
    else inside++;
    try {
      return await body();
    } finally {
      const next = queue.shift();
      if (next === undefined) inside--;
      else next();
    }
  };
}
