// A token as people copy it: `pawl_`, 12 characters of id, 43 of secret, 6 of checksum, read by position. The checksum tells a mistyped
// token from a wrong one without asking the store, and lets scanners find leaked ones. It must never repair a text.
import { Buffer } from "node:buffer";
import { sha256Hex } from "../platform/crypto/hash.ts";
import type { Platform } from "../platform/platform.ts";

const prefix = "pawl_";
const idLength = 12;
const secretLength = 43;
const checksumLength = 6;
const tokenLength = prefix.length + idLength + secretLength + checksumLength;
/** Digits and small letters without those that are easily confused: an id can be read aloud. */
const idAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const idForm = /^[0-9a-hjkmnp-tv-z]{12}$/;
const secretForm = /^[A-Za-z0-9_-]{43}$/;

export interface TokenParts {
  readonly id: string;
  readonly secret: string;
}

export function newTokenId(platform: Platform): string {
  return Array.from(Buffer.from(platform.randomHex(idLength), "hex"), (byte) => idAlphabet[byte % idAlphabet.length]).join("");
}

/** 256 random bits as text. */
export function newTokenSecret(platform: Platform): string {
  return Buffer.from(platform.randomHex(32), "hex").toString("base64url");
}

export function isTokenId(text: unknown): text is string {
  return typeof text === "string" && idForm.test(text);
}

export function tokenText({ id, secret }: TokenParts): string {
  return `${prefix}${id}${secret}${checksum(`${prefix}${id}${secret}`)}`;
}

/** undefined for whatever is not a token of Pawl's. */
export function parseTokenText(text: string): TokenParts | undefined {
  if (text.length !== tokenLength || !text.startsWith(prefix)) return undefined;
  const id = text.slice(prefix.length, prefix.length + idLength);
  const secret = text.slice(prefix.length + idLength, -checksumLength);
  if (!idForm.test(id) || !secretForm.test(secret)) return undefined;
  return text.slice(-checksumLength) === checksum(text.slice(0, -checksumLength)) ? { id, secret } : undefined;
}

function checksum(text: string): string {
  return Buffer.from(sha256Hex(text), "hex").toString("base64url").slice(0, checksumLength);
}
