// `pawl witness <file>`: appends the head of every run with new events to a file, a JSON document per line, until interrupted, or
// once. The file belongs on another machine or medium than the store: `pawl verify --witness` and `pawl doctor --verify
// --witness` compare with it. Lines are durable before the next look, and none is ever written over.
import { readWitness } from "../../../client/audit/witness-file.ts";
import { HeadReader, type HeadPass } from "../../../client/audit/head-reader.ts";
import { PawlError } from "../../../errors/error.ts";
import { requirePublicKeys } from "../../../log/seal-key-file.ts";
import { readKeyring } from "../../../events/keyring.ts";
import { appendDurably, readText, replaceText } from "../../../platform/files.ts";
import { writeOut } from "../../../platform/terminal.ts";
import type { JsonOption, StoreOptions } from "../../shared-options.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseDurationMs } from "../../parse-values.ts";
import { listenForInterrupt } from "../../runs/interrupt.ts";
import { printNote, printJson } from "../../output/print.ts";
import { withSession } from "../../session.ts";

export interface WitnessOptions extends JsonOption, StoreOptions {
  readonly once?: boolean;
  readonly every?: string;
  readonly key?: string;
}

const everyMs = 30_000;
/** How often all rows are read again: runs that were imported have old times. */
const fullEveryMs = 3_600_000;

export async function witnessCommand(args: readonly string[], o: WitnessOptions): Promise<number> {
  const file = args[0] ?? "";
  const restMs = parseDurationMs(o.every, "--every") ?? everyMs;
  const seen = readHeads(file);
  const ring = o.key === undefined ? null : readKeyring(requirePublicKeys(o.key), o.key);
  return withSession(o, async ({ store, platform, storeLabel: place, scope }) => {
    const reader = new HeadReader(store, scope, seen, ring);
    const interrupt = listenForInterrupt();
    let [written, lost, fullAt] = [0, 0, Number.NEGATIVE_INFINITY];
    try {
      if (o.once !== true) printNote(`witnessing ${place} in ${file}`);
      for (;;) {
        const full = platform.monotonicMs() - fullAt >= fullEveryMs;
        if (full) fullAt = platform.monotonicMs();
        const pass = await reader.pass(full);
        appendHeads(file, pass);
        reportLost(pass, ring !== null);
        written += pass.heads.length;
        lost += pass.lost.length;
        if (o.once === true) break;
        const rested = new Promise<"rested">((resolve) => void platform.timer(restMs, () => resolve("rested"), true));
        if ((await Promise.race([rested, interrupt.requested])) === "interrupted") break;
      }
    } finally {
      interrupt.stopListening();
    }
    if (o.json === true) printJson({ file, heads: written, lost });
    else writeOut(`${written} heads written to ${file}${lost === 0 ? "" : `, ${lost} that were seen before are gone`}\n`);
    return lost === 0 ? exitCodes.ok : exitCodes.checkFailed;
  });
}

/** The heads that are in the file already. A last line that a crash cut is taken off, so that the next one stands by itself. */
function readHeads(file: string): ReturnType<typeof readWitness>["last"] {
  const text = readFileText(file);
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const { last } = readWitness(whole);
  if (whole.length < text.length) replaceText(file, whole);
  return last;
}

function readFileText(file: string): string {
  try {
    return readText(file) ?? "";
  } catch (e) {
    throw new PawlError("PAWL4068", `${file} cannot be read: ${(e as Error).message}`);
  }
}

function appendHeads(file: string, pass: HeadPass): void {
  if (pass.heads.length === 0) return;
  try {
    appendDurably(file, pass.heads.map((h) => `${JSON.stringify(h)}\n`).join(""));
  } catch (e) {
    throw new PawlError("PAWL4068", `${file} cannot be written: ${(e as Error).message}`);
  }
}

function reportLost(pass: HeadPass, withKey: boolean): void {
  const retention = withKey ? "" : "; if retention removed it, --key <public keys> lets its signed record say so";
  for (const { seen, now } of pass.lost)
    if (now === null) printNote(`run ${seen.runId}: it was seen up to event ${seen.runSeq}, and is not in the store any more${retention}`);
    else
      printNote(
        `run ${seen.runId}: event ${seen.runSeq} was seen with another link, or is gone (the head is ${now.runSeq} now); see pawl doctor`,
      );
}
