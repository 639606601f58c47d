// The lines of an export file: a head, a run on each line with the digest of its text, an end with the digest of all digests.
// A file that was cut short, changed, or is of a later version is refused before anything of it is used. Pure; docs/moving.md
// describes the format for others.
import { PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/hash.ts";
import type { RunCopy } from "../store/archive.ts";

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

const before = '{"sha256":"';
const between = '","run":';
const textAt = before.length + 64 + between.length;

export function headLine(h: ExportHead): string {
  return JSON.stringify(h);
}

/** Collects digests as lines are made or read. */
export class Digests {
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

export function runLine(run: ExportedRun, digests: Digests): string {
  const text = JSON.stringify(run);
  const digest = sha256Hex(text);
  digests.add(digest, run.events.length);
  return `${before}${digest}${between}${text}}`;
}

function damaged(what: string, line: number): PawlError {
  return new PawlError("PAWL4043", `line ${line}: ${what}`, { data: { line } });
}

/** Reads a file's lines: the head first, then each run. Throws PAWL4043 at the first thing that is wrong, and at a missing end. */
export async function readExport(
  lines: AsyncIterable<string>,
  onHead: (h: ExportHead) => void,
  onRun: (r: ExportedRun) => Promise<void> | void,
): Promise<Digests> {
  const digests = new Digests();
  let n = 0;
  let ended = false;
  for await (const line of lines) {
    n++;
    if (ended) throw damaged("something follows the end", n);
    if (n === 1) onHead(headOf(line));
    else if (line.startsWith(before)) await onRun(runOf(line, n, digests));
    else if (line === digests.endLine()) ended = true;
    else throw damaged("neither a run nor the right end: something before it is missing or was changed", n);
  }
  if (!ended) throw damaged("the end is missing: the file was cut short, or is still being written", n);
  return digests;
}

function headOf(line: string): ExportHead {
  let head: (Partial<ExportHead> & { readonly version?: unknown }) | null;
  try {
    head = JSON.parse(line) as Partial<ExportHead> | null;
  } catch {
    throw damaged("this is no export of Pawl", 1);
  }
  if (head?.pawl !== "export") throw damaged("this is no export of Pawl", 1);
  if (head.version !== exportVersion) throw damaged(`its version is ${String(head.version)}, and this Pawl reads ${exportVersion}`, 1);
  if (head.mode !== "move" && head.mode !== "copy") throw damaged(`its mode is ${String(head.mode)}, and there are move and copy`, 1);
  return head as ExportHead;
}

function parsed(text: string): ExportedRun | null {
  try {
    return JSON.parse(text) as ExportedRun | null;
  } catch {
    return null;
  }
}

function runOf(line: string, n: number, digests: Digests): ExportedRun {
  const digest = line.slice(before.length, before.length + 64);
  const text = line.slice(textAt, -1);
  if (line.slice(before.length + 64, textAt) !== between || !line.endsWith("}") || sha256Hex(text) !== digest)
    throw damaged("the run on it was changed", n);
  const run = parsed(text);
  if (!Array.isArray(run?.events)) throw damaged("what stands on it is no run", n);
  digests.add(digest, run.events.length);
  return run;
}
