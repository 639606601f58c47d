// `pawl verify`: the verifier on a file, in the words of the command line. All that it finds is the verifier's, which shares
// no code with the rest of the package; no store is opened.
import { PawlError } from "../../../errors/error.ts";
import { requirePublicKeys } from "../../../log/seal-key-file.ts";
import { isDirectory, readBytes, readText } from "../../../platform/files.ts";
import { writeOut } from "../../../platform/terminal.ts";
import { isZip, textOf, verify as check } from "../../../verify.ts";
import type { JsonOption } from "../../shared-options.ts";
import { exitCodes } from "../../output/report-error.ts";
import { printJson } from "../../output/print.ts";

export interface VerifyCommandOptions extends JsonOption {
  readonly key?: string;
  readonly signer?: string;
  readonly witness?: string;
}

export async function verifyCommand(args: readonly string[], o: VerifyCommandOptions): Promise<number> {
  const file = args[0] ?? "";
  if (isDirectory(file)) throw new PawlError("PAWL4067", `${file} is a folder`);
  const archive = readBytes(file);
  if (archive === undefined) throw new PawlError("PAWL4011", `there is no file ${file}`);
  const signer = o.signer === undefined ? undefined : readText(o.signer);
  if (o.signer !== undefined && signer === undefined) throw new PawlError("PAWL4061", `--signer: there is no file ${o.signer}`);
  const witness = o.witness === undefined ? undefined : readText(o.witness);
  if (o.witness !== undefined && witness === undefined) throw new PawlError("PAWL4065", `--witness: there is no file ${o.witness}`);
  const key = o.key === undefined ? undefined : requirePublicKeys(o.key);
  if (!isZip(archive)) throw new PawlError("PAWL4067", `${file} is not a zip: there is nothing to check`);
  const found = check(archive, { key, signer, witness });
  if (o.json === true) printJson(found);
  else writeOut(textOf(found));
  return found.ok ? exitCodes.ok : exitCodes.checkFailed;
}
