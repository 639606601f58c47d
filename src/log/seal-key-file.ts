// The file of the private key that an engine seals with, and the keyring of its public keys beside it (`<file>.pub`). The
// private key is readable by its owner alone, or it is not used. Rotating writes the new public key first: killed in
// between, the old private key still signs and its ring only knows one key more. No message ever shows a private key.
import { PawlError } from "../errors/error.ts";
import { ensureDir, exists, folderOf, permissionsOf, readText, replaceText } from "../platform/files.ts";
import { ed25519Signer, newEd25519Pem, publicPem, type Signer } from "../platform/crypto/ed25519-pem.ts";
import { keyIdOf, Keyring, readKeyring, rotationText } from "../events/keyring.ts";

export interface SealKey {
  readonly keyId: string;
  readonly signer: Signer;
  /** This key and those it replaced. */
  readonly ring: Keyring;
}

/** The keyring beside a private key. */
export function keyringFile(file: string): string {
  return `${file}.pub`;
}

/** Only its owner may read it. */
const ownerOnly = 0o600;
const ownersFolder = 0o700;
const othersMask = 0o077;

export function newKeyFile(file: string): { readonly keyId: string; readonly publicKey: string } {
  for (const there of [file, keyringFile(file)])
    if (exists(there)) throw new PawlError("PAWL4060", `${there} already exists, and a key is never overwritten`);
  const pem = newEd25519Pem();
  const { publicKey } = ed25519Signer(pem) as Signer;
  withWriteError(file, () => {
    ensureDir(folderOf(file), ownersFolder);
    replaceText(file, pem, ownerOnly);
    replaceText(keyringFile(file), publicPem(publicKey));
  });
  return { keyId: keyIdOf(publicKey), publicKey };
}

export function readKeyFile(file: string): SealKey {
  const signer = signerOf(file);
  const keyId = keyIdOf(signer.publicKey);
  const beside = readText(keyringFile(file));
  const ring = beside === undefined ? new Keyring([signer.publicKey]) : readKeyring(beside, keyringFile(file));
  if (!ring.has(keyId)) throw new PawlError("PAWL4064", `${keyringFile(file)}: it does not have the key of ${file}, ${keyId}`);
  return { keyId, signer, ring };
}

/** The next seals are made by another key, which the one before vouches for. The old private key is gone then. */
export function rotateKeyFile(file: string): { readonly keyId: string; readonly replaced: string; readonly publicKey: string } {
  const old = readKeyFile(file);
  const pem = newEd25519Pem();
  const { publicKey } = ed25519Signer(pem) as Signer;
  const ring = readText(keyringFile(file)) ?? publicPem(old.signer.publicKey);
  withWriteError(file, () => {
    replaceText(keyringFile(file), ring + rotationText(old.signer, publicKey));
    replaceText(file, pem, ownerOnly);
  });
  return { keyId: keyIdOf(publicKey), replaced: old.keyId, publicKey };
}

/** The text of a keyring, checked: of this file, or, if it is a private key, of the one beside it. */
export function publicKeysText(file: string): string {
  const text = fileText(file);
  if (text === undefined) throw new PawlError("PAWL4061", `there is no key file ${file}`);
  if (isPrivate(text)) {
    const { signer } = readKeyFile(file);
    return readText(keyringFile(file)) ?? publicPem(signer.publicKey);
  }
  readKeyring(text, file);
  return text;
}

/** For those who check: a private key is refused, since anyone who has one can seal anything. */
export function requirePublicKeys(file: string): string {
  if (isPrivate(fileText(file) ?? ""))
    throw new PawlError("PAWL4066", `${file} is a private key; the public keys are in ${keyringFile(file)}`);
  return publicKeysText(file);
}

const isPrivate = (text: string): boolean => text.includes("PRIVATE KEY-----");

function signerOf(file: string): Signer {
  const text = fileText(file);
  if (text === undefined) throw new PawlError("PAWL4061", `there is no key file ${file}`);
  const mode = permissionsOf(file);
  if ((mode & othersMask) !== 0)
    throw new PawlError("PAWL4063", `${file} can be read by others than its owner (mode ${mode.toString(8).padStart(4, "0")})`);
  const signer = ed25519Signer(text);
  if (signer === undefined) throw new PawlError("PAWL4062", `${file} is not an Ed25519 private key in PEM without a passphrase`);
  return signer;
}

function fileText(file: string): string | undefined {
  try {
    return readText(file);
  } catch (e) {
    throw new PawlError("PAWL4062", `${file} cannot be read: ${(e as Error).message}`);
  }
}

function withWriteError(file: string, write: () => void): void {
  try {
    write();
  } catch (e) {
    throw new PawlError("PAWL4062", `${file} cannot be written, or its folder cannot be made: ${(e as Error).message}`);
  }
}
