// Node's crypto in a page, as far as src/verify.ts uses it: SHA-256 at once, Ed25519 by the browser.
// Keys of another kind are named and never accepted.
import { Bytes } from "./buffer.ts";
import { answerTo } from "./questions.ts";
import { sha256 } from "./sha256.ts";

/** The DER form of every Ed25519 public key begins with this. */
const ed25519Prefix = "302a300506032b6570032100";
const ed25519Length = 44;

export interface KeyObject {
  readonly asymmetricKeyType: string;
  export(o: unknown): Bytes;
}

export function hash(_algorithm: string, data: string | Uint8Array, _encoding: string): string {
  return sha256(typeof data === "string" ? new TextEncoder().encode(data) : data);
}

export function createPublicKey(given: string | { readonly key: Uint8Array }): KeyObject {
  const der = typeof given === "string" ? ofPem(given) : new Bytes(given.key);
  const isEd25519 = der.length === ed25519Length && der.subarray(0, 12).toString("hex") === ed25519Prefix;
  if (!isEd25519 && der[0] !== 0x30) throw new Error("this is no public key");
  return { asymmetricKeyType: isEd25519 ? "ed25519" : "unknown", export: () => der };
}

function ofPem(text: string): Bytes {
  const body = /-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----/.exec(text)?.[1];
  if (body === undefined) throw new Error("this is no public key in PEM");
  return Bytes.from(body, "base64");
}

/** Whether this browser can check signatures at all; known after the first one. */
export const ed25519 = { missing: false };

export function verify(_algorithm: null, data: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  const spki = key.export({});
  const name = `ed25519 ${spki.toString("hex")} ${sha256(data)} ${new Bytes(signature).toString("hex")}`;
  return answerTo(name, async () => {
    try {
      const known = await crypto.subtle.importKey("spki", spki, { name: "Ed25519" }, false, ["verify"]);
      return await crypto.subtle.verify({ name: "Ed25519" }, known, new Bytes(signature), new Bytes(data));
    } catch (e) {
      if (e instanceof DOMException && e.name === "NotSupportedError") ed25519.missing = true;
      return false;
    }
  });
}
