// `pawl export`: runs as a file for another store. The file appears under its name when it is whole and on the disk, not before.
// --move takes the runs out of this store first; a move that was not finished is finished by --continue, or
// given back by --undo, and the command says so when it ends early.
import { PawlError } from "../../../errors/error.ts";
import { exists } from "../../../platform/files.ts";
import { writeLines } from "../../../platform/line-files.ts";
import { isTty, writeErr, writeOut } from "../../../platform/terminal.ts";
import type { JsonOption, StoreOptions, YesOption } from "../../shared-options.ts";
import { askConfirmation } from "../../runs/ask-confirmation.ts";
import { countOf } from "../../output/format.ts";
import { exitCodes } from "../../output/report-error.ts";
import { readRunIds } from "../../parse-values.ts";
import { listenForInterrupt } from "../../runs/interrupt.ts";
import { printNote, printJson } from "../../output/print.ts";
import { withSession, type CliSession } from "../../session.ts";

export interface ExportCommandOptions extends YesOption, JsonOption, StoreOptions {
  readonly output?: string;
  readonly all?: boolean;
  readonly move?: boolean;
  readonly continue?: string;
  readonly undo?: string;
}

export async function exportCommand(args: readonly string[], o: ExportCommandOptions): Promise<number> {
  if (o.undo !== undefined) return undo(o.undo, o);
  if (o.all === true ? args.length > 0 : args.length === 0) throw new PawlError("PAWL4011", "name runs, or use --all");
  const ids = o.all === true ? undefined : await readRunIds(args);
  const file = o.output ?? "pawl-export.jsonl.gz";
  if (exists(file) && o.yes !== true) throw new PawlError("PAWL5007", `${file} already exists`);
  const move = o.move === true || o.continue !== undefined;
  return withSession(o, async (s) => {
    const what = ids === undefined ? "all runs" : `${ids.length} runs and their families`;
    if (move && !(await askConfirmation(o, `Move ${what} out of ${s.storeLabel}? They stop here until the file is imported somewhere.`))) {
      printNote("nothing was done");
      return exitCodes.ok;
    }
    return write(s, file, ids, move, o);
  });
}

async function write(
  s: CliSession,
  file: string,
  ids: readonly string[] | undefined,
  move: boolean,
  o: ExportCommandOptions,
): Promise<number> {
  const exportId = o.continue ?? s.platform.uuidV7();
  const out = writeLines(file); // first of all: no run is fenced for a file that cannot be written
  // Printed first: if the process is killed, the id is needed to finish or undo the move.
  if (move) printNote(`export ${exportId}`);
  const interrupt = listenForInterrupt();
  let whole = false;
  const seen = { fenced: 0, runs: 0, events: 0 };
  const live = isTty("err");
  try {
    const lines = s.client.exportRuns({
      exportId,
      move,
      ...(ids === undefined ? {} : { ids }),
      onProgress: (p) => {
        Object.assign(seen, p);
        if (live) writeErr(`\r\u001B[2K${move ? `${p.fenced} runs fenced, ` : ""}${p.runs} written, ${p.events} events`);
      },
    });
    for await (const line of lines) {
      if (interrupt.happened()) break;
      await out.write(line);
    }
    if (!interrupt.happened() && seen.runs > 0) {
      await out.finish();
      whole = true;
    }
  } finally {
    if (live) writeErr("\r\u001B[2K");
    interrupt.stopListening();
    if (!whole) await out.abandon();
    if (move && !whole && seen.fenced > 0)
      printNote(`not finished: pawl export --continue ${exportId} continues it, pawl export --undo ${exportId} takes it back`);
  }
  if (interrupt.happened()) return exitCodes.interrupted;
  if (!whole) throw new PawlError("PAWL4001", "there is no run to export: no file was written");
  if (o.json === true) printJson({ file, exportId, mode: move ? "move" : "copy", runs: seen.runs, events: seen.events });
  else {
    writeOut(`${file}\n`);
    printNote(`${countOf(seen.runs, "run")}, ${countOf(seen.events, "event")}`);
    if (move) printNote(`they continue where the file is imported; to take the move back: pawl export --undo ${exportId}`);
  }
  return exitCodes.ok;
}

async function undo(exportId: string, o: ExportCommandOptions): Promise<number> {
  return withSession(o, async ({ client }) => {
    if (!(await askConfirmation(o, `Undo export ${exportId}? Only if its file was never imported: otherwise its runs would run twice.`))) {
      printNote("nothing was done");
      return exitCodes.ok;
    }
    const { runs } = await client.undoExport(exportId);
    if (runs === 0)
      throw new PawlError("PAWL4001", `no run here was moved by export ${exportId}: pawl inspect of a moved run names its export`);
    if (o.json === true) printJson({ exportId, runs });
    else writeOut(`${runs} runs are active here again\n`);
    return exitCodes.ok;
  });
}
