// `pawl verify`: the verifier on a file, in the words of the command line. All that it finds is the verifier's, which shares
// no code with the rest of the package; no store is opened.
import { PawlError } from "../../errors/error.ts";
import { publicKeysText } from "../../log/key-file.ts";
import { readBytes, readText } from "../../platform/files.ts";
import { writeOut } from "../../platform/terminal.ts";
import { textOf, verify as check } from "../../verify.ts";
import type { Options } from "../command.ts";
import { exitCodes } from "../failure.ts";
import { printJson } from "../print.ts";

export async function verify(args: readonly string[], o: Options): Promise<number> {
  const file = args[0] ?? "";
  const archive = readBytes(file);
  if (archive === undefined) throw new PawlError("PAWL4011", `there is no file ${file}`);
  const signer = o.signer === undefined ? undefined : readText(o.signer);
  if (o.signer !== undefined && signer === undefined) throw new PawlError("PAWL4061", `--signer: there is no file ${o.signer}`);
  const witness = o.witness === undefined ? undefined : readText(o.witness);
  if (o.witness !== undefined && witness === undefined) throw new PawlError("PAWL4065", `--witness: there is no file ${o.witness}`);
  const found = check(archive, { key: o.key === undefined ? undefined : publicKeysText(o.key), signer, witness });
  if (o.json === true) printJson(found);
  else writeOut(textOf(found));
  return found.ok ? exitCodes.ok : exitCodes.checkFailed;
}
