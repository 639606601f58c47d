// What a name and an id may be. Guards the key's preimage (no '|', D-071, D-072), every bind of every store (no U+0000, no
// lone surrogate), and the reserved word RUN (D-069). It must never repair a text: it takes it verbatim or refuses it.
import { PawlError } from "../errors/error.ts";

export const nameBytesMax: number = 512;

/** On every supported Node, and twice as fast as a pattern; the compiler's library is older. */
interface WellFormed {
  isWellFormed(): boolean;
}

/** False on lone surrogates, and on U+0000, which one driver or another cuts at. */
export function isWellFormedText(text: string): boolean {
  return (text as unknown as WellFormed).isWellFormed() && !text.includes("\0");
}

/** Bytes of `text` in UTF-8; a lone surrogate counts three, as its replacement character would. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c < 0x80) continue;
    if (c < 0x800) bytes += 1;
    else if (c >= 0xd800 && c <= 0xdbff && isLow(text.charCodeAt(i + 1))) {
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}

/** An id that a caller gives: any well-formed text without '|' and control characters. */
export function checkId(text: unknown, what: string): string {
  if (typeof text !== "string") throw nameError(what, `must be text, not ${text === null ? "null" : typeof text}`);
  if (text === "") throw nameError(what, "must not be empty");
  if (hasRefusedCharacter(text)) throw nameError(what, "must not contain '|' or control characters");
  if (!isWellFormedText(text)) throw nameError(what, "must be well-formed UTF-16");
  if (text.length > nameBytesMax || (text.length * 3 > nameBytesMax && utf8Length(text) > nameBytesMax)) {
    throw nameError(what, `must be at most ${nameBytesMax} bytes of UTF-8`);
  }
  return text;
}

/** A name that an author gives: as an id, and not the word that stands for the run itself in keys. */
export function checkName(text: unknown, what: string): string {
  const name = checkId(text, what);
  if (name === "RUN") throw nameError(what, "must not be RUN, which is reserved");
  return name;
}

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export function isUuidV4(text: unknown): text is string {
  return typeof text === "string" && uuidV4.test(text);
}

function hasRefusedCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c < 0x20 || c === 0x7f || c === 0x7c) return true;
  }
  return false;
}

function isLow(c: number): boolean {
  return c >= 0xdc00 && c <= 0xdfff;
}

function nameError(what: string, why: string): PawlError {
  return new PawlError("PAWL1001", `${what} ${why}`);
}
