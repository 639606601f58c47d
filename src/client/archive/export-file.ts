// The lines of an export file: a head, a run on each line with the digest of its text, an end with the digest of all digests.
// A file that was cut short, changed, or is of a later version is refused before anything of it is used. Pure; docs/moving.md
// describes the format for others.
import { PawlError } from "../../errors/error.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { RunCopy } from "../../store/archive.ts";

export const exportVersion = 1;

export interface ExportHead {
  readonly pawl: "export";
  readonly version: typeof exportVersion;
  readonly exportId: string;
  readonly mode: "move" | "copy";
  readonly createdAt: string;
  readonly scope: string;
  readonly from: { readonly store: string; readonly storeId: string };
}

/** A run as it is to be where it arrives, and the hold on it, if there is one. */
export interface ExportedRun extends RunCopy {
  readonly hold: string | null;
}

const linePrefix = '{"sha256":"';
const lineMiddle = '","run":';
const textStart = linePrefix.length + 64 + lineMiddle.length;

export function headLine(h: ExportHead): string {
  return JSON.stringify(h);
}

/** Collects digests as lines are made or read. */
export class ExportDigests {
  runs = 0;
  events = 0;
  /** Of all lines so far: each digest covers the one before. */
  #all = "";

  add(digest: string, events: number): void {
    this.runs++;
    this.events += events;
    this.#all = sha256Hex(`${this.#all}\n${digest}`);
  }

  endLine(): string {
    return JSON.stringify({ end: true, runs: this.runs, events: this.events, sha256: this.#all });
  }
}

export function runLine(run: ExportedRun, digests: ExportDigests): string {
  const text = JSON.stringify(run);
  const digest = sha256Hex(text);
  digests.add(digest, run.events.length);
  return `${linePrefix}${digest}${lineMiddle}${text}}`;
}

function damagedFile(what: string, line: number): PawlError {
  return new PawlError("PAWL4043", `line ${line}: ${what}`, { data: { line } });
}

/** Reads a file's lines: the head first, then each run. Throws PAWL4043 at the first thing that is wrong, and at a missing end. */
export async function readExport(
  lines: AsyncIterable<string>,
  onHead: (h: ExportHead) => void,
  onRun: (r: ExportedRun) => Promise<void> | void,
): Promise<ExportDigests> {
  const digests = new ExportDigests();
  let n = 0;
  let ended = false;
  for await (const line of lines) {
    n++;
    if (ended) throw damagedFile("something follows the end", n);
    if (n === 1) onHead(parseHead(line));
    else if (line.startsWith(linePrefix)) await onRun(parseRunLine(line, n, digests));
    else if (line === digests.endLine()) ended = true;
    else throw damagedFile("neither a run nor the right end: something before it is missing or was changed", n);
  }
  if (!ended) throw damagedFile("the end is missing: the file was cut short, or is still being written", n);
  return digests;
}

function parseHead(line: string): ExportHead {
  let head: (Partial<ExportHead> & { readonly version?: unknown }) | null;
  try {
    head = JSON.parse(line) as Partial<ExportHead> | null;
  } catch {
    throw damagedFile("this is not an export of Pawl", 1);
  }
  if (head?.pawl !== "export") throw damagedFile("this is not an export of Pawl", 1);
  if (head.version !== exportVersion) throw damagedFile(`its version is ${String(head.version)}, and this Pawl reads ${exportVersion}`, 1);
  if (head.mode !== "move" && head.mode !== "copy") throw damagedFile(`its mode is ${String(head.mode)}, and there are move and copy`, 1);
  return head as ExportHead;
}

function parseRun(text: string): ExportedRun | null {
  try {
    return JSON.parse(text) as ExportedRun | null;
  } catch {
    return null;
  }
}

function parseRunLine(line: string, n: number, digests: ExportDigests): ExportedRun {
  const digest = line.slice(linePrefix.length, linePrefix.length + 64);
  const text = line.slice(textStart, -1);
  if (line.slice(linePrefix.length + 64, textStart) !== lineMiddle || !line.endsWith("}") || sha256Hex(text) !== digest)
    throw damagedFile("the run on it was changed", n);
  const run = parseRun(text);
  if (!Array.isArray(run?.events)) throw damagedFile("what stands on it is not a run", n);
  digests.add(digest, run.events.length);
  return run;
}
