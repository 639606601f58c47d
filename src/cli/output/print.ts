// What goes to standard output, and the notes beside it. JSON is compact in a pipe and indented on a terminal; values of
// users are printed as the codec writes them, so that none of them (a BigInt, a Map, NaN) can break the output.
import { encode } from "../../codec/value.ts";
import { isTty, writeErr, writeOut } from "../../platform/terminal.ts";
import { withoutControlChars } from "./format.ts";

const boundless = { valueBytesMax: Number.MAX_SAFE_INTEGER, depthMax: 100_000 };

export function jsonText(value: unknown, indented: boolean): string {
  const compact = encode(value, boundless, "output");
  return indented ? JSON.stringify(JSON.parse(compact), null, 2) : compact;
}

/** One document for --json. */
export function printJson(value: unknown): void {
  writeOut(`${jsonText(value, isTty("out"))}\n`);
}

/** One line for --jsonl. */
export function printJsonLine(value: unknown): void {
  writeOut(`${jsonText(value, false)}\n`);
}

/** A value for people: text as it is, everything else as JSON; nothing for nothing. */
export function printValue(value: unknown): void {
  if (value === undefined) return;
  writeOut(`${typeof value === "string" ? value : jsonText(value, true)}\n`);
}

/** A note beside the data, on standard error. */
export function printNote(text: string): void {
  writeErr(`${withoutControlChars(text)}\n`);
}
