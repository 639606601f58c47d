// `pawl verify`: the verifier on a file, in the words of the command line. All that it finds is the verifier's, which shares
// no code with the rest of the package; no store is opened.
import { writeOut } from "../../../platform/terminal.ts";
import { textOf, verify as check } from "../../../verify.ts";
import type { JsonOption } from "../../shared-options.ts";
import { exitCodes } from "../../output/report-error.ts";
import { printJson } from "../../output/print.ts";
import { readEvidenceFiles, type EvidenceFiles } from "./evidence-files.ts";

export interface VerifyCommandOptions extends JsonOption, EvidenceFiles {}

export async function verifyCommand(args: readonly string[], o: VerifyCommandOptions): Promise<number> {
  const { archive, wanted } = readEvidenceFiles(args[0] ?? "", o);
  const found = check(archive, wanted);
  if (o.json === true) printJson(found);
  else writeOut(textOf(found));
  return found.ok ? exitCodes.ok : exitCodes.checkFailed;
}
