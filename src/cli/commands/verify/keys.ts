// `pawl keys`: the keys that engines seal with. `new` makes a private key and the file of public keys beside it, `list` says
// which keys a file holds, `rotate` replaces the private key by one that the old one vouches for. No store is opened, and no
// private key is ever shown.
import { PawlError } from "../../../errors/error.ts";
import { newKeyFile, publicKeysText, keyringFile, rotateKeyFile } from "../../../log/seal-key-file.ts";
import { readKeyring } from "../../../events/keyring.ts";
import { publicPem } from "../../../platform/crypto/ed25519-pem.ts";
import { writeOut } from "../../../platform/terminal.ts";
import type { JsonOption } from "../../shared-options.ts";
import { exitCodes } from "../../output/report-error.ts";
import { printNote, printJson } from "../../output/print.ts";

export type KeysOptions = JsonOption;

export async function keysCommand(args: readonly string[], o: KeysOptions): Promise<number> {
  const [action, file = ""] = args;
  if (!["new", "list", "rotate"].includes(String(action)))
    throw new PawlError("PAWL4011", "pawl keys takes new, list or rotate, and then the key file: pawl keys new <file>");
  if (file === "") throw new PawlError("PAWL4011", `name the key file: pawl keys ${action} <file>`);
  if (action === "new") return made(file, newKeyFile(file), o);
  if (action === "rotate") return made(file, rotateKeyFile(file), o);
  return list(file, o);
}

function made(file: string, k: { readonly keyId: string; readonly publicKey: string; readonly replaced?: string }, o: KeysOptions): number {
  const publicKeys = keyringFile(file);
  if (o.json === true)
    printJson({ file, publicKeys, keyId: k.keyId, publicKey: k.publicKey, ...(k.replaced === undefined ? {} : { replaced: k.replaced }) });
  else {
    writeOut(`key ${k.keyId}${k.replaced === undefined ? "" : `, replaces ${k.replaced}`}\n${publicPem(k.publicKey)}`);
    printNote(`${file} is private: keep it where engines can read it and the store's users cannot`);
    printNote(`${publicKeys} is for those who check: pawl verify --key ${publicKeys}`);
  }
  return exitCodes.ok;
}

function list(file: string, o: KeysOptions): number {
  const { keyIds } = readKeyring(publicKeysText(file), file);
  if (o.json === true) printJson({ file, keyIds });
  else keyIds.forEach((id, i) => writeOut(`${id}  ${i === 0 ? "the first key: compare this id" : `vouched for by a key above it`}\n`));
  return exitCodes.ok;
}
