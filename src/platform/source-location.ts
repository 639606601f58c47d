// Where in a user's file something was called, and how that place looks: a file, a line, the lines around it. Read from the
// stack, so it is a courtesy and never the truth: where a stack says nothing there is no place. Pawl's own files are passed over.
import { dirname, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { readText } from "./files.ts";

export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The folder that all of Pawl lies in, as it runs now: src, or dist. */
const ownFolder = resolve(dirname(fileURLToPath(import.meta.url)), "..") + sep;
const framesMax = 30;
const frame = /(?:\(|at (?:async )?)((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^()]*?):(\d+):(\d+)\)?$/;

/** A stack that was taken and not read: V8 makes its text when it is asked for, which costs more than taking it. */
export type CallerStack = Error;

export function callerStack(): CallerStack {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = framesMax;
  const stack = new Error("where");
  Error.stackTraceLimit = limit;
  return stack;
}

/** Who called into Pawl: the first place of the stack outside of it, in a file of the user's if there is one. */
export function userLocation(stack: CallerStack): SourceLocation | undefined {
  return foreignPlace(stack.stack ?? "");
}
export function callerLocation(): SourceLocation | undefined {
  return userLocation(callerStack());
}

/** Where an error was thrown, in a file of the user's. */
export function thrownAt(e: unknown): SourceLocation | undefined {
  return e instanceof Error ? foreignPlace(e.stack ?? "") : undefined;
}

function foreignPlace(stack: string): SourceLocation | undefined {
  const foreign = stack.split("\n").flatMap((line) => {
    const found = frame.exec(line.trim());
    if (found === null) return [];
    const file = pathOf(found[1] ?? "");
    return file === undefined || file.startsWith(ownFolder) ? [] : [{ file, line: Number(found[2]), column: Number(found[3]) }];
  });
  return foreign.find((p) => !p.file.includes(`${sep}node_modules${sep}`)) ?? foreign[0];
}

function pathOf(text: string): string | undefined {
  try {
    return text.startsWith("file:") ? fileURLToPath(text) : text;
  } catch {
    return undefined;
  }
}

/** `order.ts:12:9`, from here. */
export function locationText(p: SourceLocation): string {
  const near = relative(process.cwd(), p.file);
  return `${near === "" || near.startsWith("..") ? p.file : near}:${p.line}:${p.column}`;
}

const contextLines = 2;

/** The place and the lines around it, with a mark under the column; only the place where the file cannot be read. */
export function codeFrame(p: SourceLocation): string {
  const lines = readText(p.file)?.split("\n");
  if (lines?.[p.line - 1] === undefined) return locationText(p);
  const from = Math.max(1, p.line - contextLines);
  const to = Math.min(lines.length, p.line + contextLines);
  const width = String(to).length;
  const shown = [locationText(p)];
  for (let n = from; n <= to; n++) {
    shown.push(`${n === p.line ? ">" : " "} ${String(n).padStart(width)} | ${lines[n - 1] ?? ""}`.trimEnd());
    if (n === p.line) shown.push(`  ${" ".repeat(width)} | ${" ".repeat(Math.max(0, p.column - 1))}^`);
  }
  return shown.join("\n");
}
