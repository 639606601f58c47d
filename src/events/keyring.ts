// The public keys that seals are checked with. A keyring file is PEM text: the first key is the one that its reader trusts; a
// key that replaced it stands below, after a line `Replaces: <key id> <signature>` that the replaced key signed. So a reader who
// once compared the first key can follow every rotation. It must never accept a key that no accepted key vouches for.
import { PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { ed25519Checker, ed25519PublicKey, publicPem, type Signer } from "../platform/crypto/ed25519-pem.ts";

const encoder = new TextEncoder();

/** The first 16 hex digits of the SHA-256 of the public key's SPKI form. */
export function keyIdOf(publicKey: string): string {
  return sha256Hex(new Uint8Array(Buffer.from(publicKey, "base64"))).slice(0, 16);
}

export class Keyring {
  readonly #checks = new Map<string, (data: Uint8Array, signature: string) => boolean>();

  constructor(publicKeys: readonly string[]) {
    for (const key of publicKeys) this.#checks.set(keyIdOf(key), ed25519Checker(key));
  }
  get keyIds(): readonly string[] {
    return [...this.#checks.keys()];
  }
  has(keyId: string): boolean {
    return this.#checks.has(keyId);
  }
  /** Whether the key of this id is in the ring, and made this signature of the text. */
  accepts(keyId: string, text: string, signature: string): boolean {
    return this.#checks.get(keyId)?.(encoder.encode(text), signature) === true;
  }
}

/** What a replaced key signs: that this key follows it. */
const replaces = (publicKey: string): string => `pawl.key.replaced-by\n${publicKey}`;

/** The text that `pawl keys rotate` appends to a keyring. */
export function rotationText(old: Signer, publicKey: string): string {
  return `Replaces: ${keyIdOf(old.publicKey)} ${old.sign(encoder.encode(replaces(publicKey)))}\n${publicPem(publicKey)}`;
}

/** `where` names the file in what is thrown. */
export function readKeyring(text: string, where: string): Keyring {
  const bad = (why: string): PawlError => new PawlError("PAWL4064", `${where}: ${why}`);
  const keys: string[] = [];
  const blocks = /(?:^Replaces: (\S+) (\S+)\s+)?(-----BEGIN [A-Z ]+-----[\s\S]*?-----END [A-Z ]+-----)/gm;
  for (const [, replaced, signature, pem] of text.matchAll(blocks)) {
    const key = ed25519PublicKey(pem ?? "");
    if (key === undefined) throw bad("it holds something other than Ed25519 public keys in PEM");
    if (keys.length > 0) {
      const vouched = replaced !== undefined && new Keyring(keys).accepts(replaced, replaces(key), signature ?? "");
      if (!vouched) throw bad(`no key above it vouches for key ${keyIdOf(key)}`);
    }
    keys.push(key);
  }
  if (keys.length === 0) throw bad("there is no public key in it");
  return new Keyring(keys);
}
