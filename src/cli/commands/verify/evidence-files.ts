// An archive of evidence and what it is to be checked with, read from files.
// It opens no store, and must never accept a private key.
import { PawlError } from "../../../errors/error.ts";
import { requirePublicKeys } from "../../../log/seal-key-file.ts";
import { isDirectory, readBytes, readText } from "../../../platform/files.ts";
import { isZip, type VerifyOptions } from "../../../verify.ts";

export interface EvidenceFiles {
  readonly key?: string;
  readonly signer?: string;
  readonly witness?: string;
}

export function readEvidenceFiles(file: string, o: EvidenceFiles): { readonly archive: Uint8Array; readonly wanted: VerifyOptions } {
  if (isDirectory(file)) throw new PawlError("PAWL4067", `${file} is a folder`);
  const archive = readBytes(file);
  if (archive === undefined) throw new PawlError("PAWL4011", `there is no file ${file}`);
  const signer = o.signer === undefined ? undefined : readText(o.signer);
  if (o.signer !== undefined && signer === undefined) throw new PawlError("PAWL4061", `--signer: there is no file ${o.signer}`);
  const witness = o.witness === undefined ? undefined : readText(o.witness);
  if (o.witness !== undefined && witness === undefined) throw new PawlError("PAWL4065", `--witness: there is no file ${o.witness}`);
  const key = o.key === undefined ? undefined : requirePublicKeys(o.key);
  if (!isZip(archive)) throw new PawlError("PAWL4067", `${file} is not a zip: there is nothing to check`);
  return { archive, wanted: { key, signer, witness } };
}
