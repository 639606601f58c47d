// The terminal and the process around a command: its streams, arguments, environment, interrupts and exit code. The only
// place that reads process.argv or process.env for users. It must never format anything itself.
import { createInterface } from "node:readline";
import type { Cancel } from "./platform.ts";

export type OutStream = "out" | "err";

const guarded = new Set<OutStream>();

function streamOf(stream: OutStream): NodeJS.WriteStream {
  const s = stream === "out" ? process.stdout : process.stderr;
  if (!guarded.has(stream)) {
    guarded.add(stream);
    // A reader that left early (`pawl events | head`) is not a failure of the command.
    s.on("error", (e: NodeJS.ErrnoException) => {
      if (e.code === "EPIPE") process.exit(process.exitCode ?? 0);
      throw e;
    });
  }
  return s;
}

export function writeOut(text: string): void {
  streamOf("out").write(text);
}

export function writeErr(text: string): void {
  streamOf("err").write(text);
}

export function isTty(stream: OutStream | "in"): boolean {
  return (stream === "in" ? process.stdin.isTTY : streamOf(stream).isTTY) === true;
}

/** The width of the terminal, or 80 where there is none. */
export function columns(): number {
  return process.stdout.columns ?? 80;
}

/** NO_COLOR wins over everything, FORCE_COLOR over what the stream is. */
export function colourAllowed(stream: OutStream): boolean {
  if ((env("NO_COLOR") ?? "") !== "") return false;
  const force = env("FORCE_COLOR");
  if (force !== undefined && force !== "") return force !== "0";
  return isTty(stream) && env("TERM") !== "dumb";
}

/** All of standard input as text. */
export async function readStdin(): Promise<string> {
  process.stdin.setEncoding("utf8");
  let text = "";
  for await (const chunk of process.stdin) text += String(chunk);
  return text;
}

/** Resolves when standard input ends. Somebody else reads it. */
export function stdinEnd(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
}

/** Standard input, line by line. A line ends with a line feed and nothing else: JSON text may hold whatever others end at. */
export async function* stdinLines(): AsyncGenerator<string> {
  process.stdin.setEncoding("utf8");
  let rest = "";
  for await (const piece of process.stdin) {
    const lines = (rest + String(piece)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** The next line of standard input, without its end; undefined when there is none. For questions on a terminal. */
export function readLine(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin });
    let line: string | undefined;
    lines.once("line", (text) => {
      line = text;
      lines.close();
    });
    lines.once("close", () => resolve(line));
  });
}

/** Resolves when everything written so far has left this process. */
export async function flush(): Promise<void> {
  for (const stream of ["out", "err"] as const) await new Promise<void>((resolve) => void streamOf(stream).write("", () => resolve()));
}

/** Calls `fn` on SIGINT and SIGTERM instead of ending the process, until cancelled. */
export function onInterrupt(fn: (signal: "SIGINT" | "SIGTERM") => void): Cancel {
  const onInt = (): void => fn("SIGINT");
  const onTerm = (): void => fn("SIGTERM");
  process.on("SIGINT", onInt);
  process.on("SIGTERM", onTerm);
  return () => {
    process.off("SIGINT", onInt);
    process.off("SIGTERM", onTerm);
  };
}

/** Resolves when nothing keeps the process alive any more, with the code that it would end with. */
export function untilQuiet(): Promise<number> {
  return new Promise((resolve) => process.once("beforeExit", (code) => resolve(code)));
}

export function exit(code: number): never {
  process.exit(code);
}

/** The code with which the process will end by itself, once nothing keeps it alive. */
export function setExitCode(code: number): void {
  process.exitCode = code;
}

/** The arguments after the program's name. */
export function argv(): string[] {
  return process.argv.slice(2);
}

export function env(name: string): string | undefined {
  return process.env[name];
}
