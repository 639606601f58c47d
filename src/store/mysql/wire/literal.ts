// Values as SQL text, for statements of many rows: a text per batch costs one round trip, a prepared one per size of batch
// costs two. Right only under the session's settings (utf8mb4, backslash escapes on), which the pool sets and nobody
// else touches. Text with U+0000 or a lone surrogate never gets here (store/check-text.ts). It must never see a user's SQL.
import { sha256Hex } from "../../../platform/crypto/hash.ts";

/** A value that no statement can carry; the content is at fault. */
export class UnwritableValue extends Error {}

/** A value that the server computes. */
export interface Raw {
  readonly sql: string;
}
export type Literal = string | number | boolean | null | Raw;

const special = /['\\]/g;

export function lit(v: Literal): string {
  if (v === null) return "null";
  if (typeof v === "number") {
    if (!Number.isFinite(v)) throw new UnwritableValue("a number that is not finite");
    return String(v);
  }
  if (typeof v === "boolean") return v ? "1" : "0";
  if (typeof v === "object") return v.sql;
  return v.includes("'") || v.includes("\\") ? `'${v.replaceAll(special, String.raw`\$&`)}'` : `'${v}'`;
}

/** `(a, b, c)`: one row of values, or the list of an `in`. */
export function tuple(values: readonly Literal[]): string {
  return `(${values.map(lit).join(",")})`;
}

/** `(a, b), (c, d)` */
export function tuples(rows: readonly (readonly Literal[])[]): string {
  return rows.map(tuple).join(",");
}

/** What a key column holds of one text: itself, or its hash where an index could not hold it. Injective: see the mark. */
const hashMark = "\u0001";
export const keyBytesMax = 512;
export const scopeBytesMax = 255;

export function keyText(text: string, bytesMax: number = keyBytesMax): string {
  const fits = text.length * 3 <= bytesMax || Buffer.byteLength(text) <= bytesMax;
  return fits && !text.startsWith(hashMark) ? text : `${hashMark}${sha256Hex(text)}`;
}

export function isHashed(key: string): boolean {
  return key.startsWith(hashMark);
}
