// `pawl evidence`: a run's archive, written to a file. Keys and paths are checked before the store is opened, a file that is
// there is kept unless --yes says otherwise, and what the archive shows and hides, and of which runs, is said in notes.
import { PawlError } from "../../../errors/error.ts";
import { exists, readText, writeBytes } from "../../../platform/files.ts";
import { writeOut } from "../../../platform/terminal.ts";
import { verify } from "../../../verify.ts";
import type { JsonOption, StoreOptions, YesOption } from "../../shared-options.ts";
import { exitCodes } from "../../output/report-error.ts";
import { printNote, printJson } from "../../output/print.ts";
import { withSession } from "../../session.ts";

export interface EvidenceCommandOptions extends YesOption, JsonOption, StoreOptions {
  readonly output?: string;
  readonly withoutPayloads?: boolean;
  readonly redact?: readonly string[];
  readonly redactAs?: string;
  readonly sign?: string;
}

export async function evidenceCommand(args: readonly string[], o: EvidenceCommandOptions): Promise<number> {
  const key = o.sign === undefined ? undefined : readText(o.sign);
  if (o.sign !== undefined && key === undefined) throw new PawlError("PAWL4011", `--sign: there is no file ${o.sign}`);
  return withSession(o, async ({ client }) => {
    const id = args[0] ?? "";
    const run = await client.get(id);
    if (run === undefined) throw new PawlError("PAWL4001", `there is no run ${id}`, { data: { id } });
    const file = o.output ?? `${run.runId}.evidence.zip`;
    if (exists(file) && o.yes !== true) throw new PawlError("PAWL5007", `${file} already exists`);
    const archive = await client.evidence(run.runId, {
      payloads: o.withoutPayloads !== true,
      ...(o.redact === undefined ? {} : { redact: o.redact }),
      ...(o.redactAs === undefined ? {} : { redactAs: o.redactAs as never }),
      ...(key === undefined ? {} : { key }),
    });
    writeBytes(file, archive);
    const { line } = verify(archive);
    const runs = line?.runs.map((r) => r.runId) ?? [run.runId];
    const missing = line?.missing ?? [];
    if (o.json === true) printJson({ file, runId: run.runId, bytes: archive.length, signed: key !== undefined, runs, missing });
    else {
      writeOut(`${file}\n`);
      if (runs.length > 1) printNote(`with the logs of all ${runs.length} runs of its chain: ${runs.join(", ")}`);
      for (const runId of missing) printNote(`it does not include what run ${runId} of its chain sent, so the proof says less`);
      if (key === undefined) printNote("not signed: anybody who has the file could have made it (--sign key.pem)");
      if (run.expiredAt !== undefined) printNote(`retention removed the payloads on ${run.expiredAt}: it includes none`);
      else if (o.withoutPayloads !== true && o.redact === undefined)
        printNote("it includes every payload of the run (--redact, --without-payloads)");
    }
    return exitCodes.ok;
  });
}
