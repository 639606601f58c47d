// Text made smaller and back. Two versions of the machine's library may make different bytes of one text, so a digest is taken of the text, never
// of these bytes. It must never make a larger text than the caller permits.
import { Buffer } from "node:buffer";
import { deflateRawSync, gzipSync, inflateRawSync } from "node:zlib";

/** Base64 of the deflated UTF-8 bytes. */
export function deflateText(text: string): string {
  return deflateRawSync(text).toString("base64");
}

/** Throws on anything that deflateText did not make, and on a text of more bytes. */
export function inflateText(packed: string, bytesMax: number): string {
  return inflateRawSync(Buffer.from(packed, "base64"), { maxOutputLength: bytesMax }).toString("utf8");
}

/** As browsers accept it in an answer. */
export function gzipped(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gzipSync(bytes));
}
