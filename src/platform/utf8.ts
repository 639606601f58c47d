// Bytes that say they are text, made text.
// It must never put a mark in place of bytes that are not UTF-8.
import { Buffer, isUtf8 } from "node:buffer";

/** Undefined: they are not UTF-8. A mark of byte order at the beginning is no part of the text. */
export function textOfUtf8(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
