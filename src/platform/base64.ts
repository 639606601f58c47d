// Base64 without Buffer: the codec and the HTTP client run in browsers too. Bytes to text and back, in the standard alphabet, and in the one for
// URLs, which has no padding. Reading takes both alphabets and stops at the padding, as Node does; it must never throw on odd text and never
// return memory that others share.

const standard = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const standardCodes = codesOf(standard);
const urlCodes = codesOf(`${standard.slice(0, 62)}-_`);
const padding = 0x3d;
/** By character code: the six bits it stands for; 64 for a character that stands for none. */
const sixBits = sixBitsTable();
const ascii = new TextDecoder();

function codesOf(alphabet: string): Uint8Array {
  return Uint8Array.from(alphabet, (c) => c.charCodeAt(0));
}

function sixBitsTable(): Uint8Array {
  const table = new Uint8Array(128).fill(64);
  for (const codes of [standardCodes, urlCodes]) for (const [value, code] of codes.entries()) table[code] = value;
  return table;
}

/** Base64 of exactly the bytes that the view covers. */
export function base64(bytes: Uint8Array): string {
  return write(bytes, standardCodes, true);
}

/** Base64 for URLs and file names: "-" and "_", no padding. */
export function base64Url(bytes: Uint8Array): string {
  return write(bytes, urlCodes, false);
}

/** A plain Uint8Array with memory of its own, never a view into a shared pool. Characters of neither alphabet are left out. */
export function bytesFromBase64(text: string): Uint8Array {
  const end = text.indexOf("=") < 0 ? text.length : text.indexOf("=");
  const out = new Uint8Array(Math.floor((end * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    const six = code < 128 ? sixBits[code]! : 64;
    if (six === 64) continue;
    bits = ((bits << 6) | six) & 0xffffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out[at++] = (bits >> held) & 0xff;
  }
  return at === out.length ? out : out.slice(0, at);
}

/** A Node Buffer; always false where there is none. */
export function isNodeBuffer(bytes: Uint8Array): boolean {
  return (globalThis as { Buffer?: { isBuffer(o: unknown): boolean } }).Buffer?.isBuffer(bytes) === true;
}

function write(bytes: Uint8Array, codes: Uint8Array, padded: boolean): string {
  const whole = bytes.length - (bytes.length % 3);
  const rest = bytes.length - whole;
  const out = new Uint8Array((whole / 3) * 4 + (rest === 0 ? 0 : padded ? 4 : rest + 1));
  let at = 0;
  for (let i = 0; i < whole; i += 3) {
    const bits = (bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!;
    out[at++] = codes[bits >> 18]!;
    out[at++] = codes[(bits >> 12) & 63]!;
    out[at++] = codes[(bits >> 6) & 63]!;
    out[at++] = codes[bits & 63]!;
  }
  if (rest > 0) {
    const bits = (bytes[whole]! << 16) | ((bytes[whole + 1] ?? 0) << 8);
    out[at++] = codes[bits >> 18]!;
    out[at++] = codes[(bits >> 12) & 63]!;
    if (rest === 2) out[at++] = codes[(bits >> 6) & 63]!;
  }
  if (padded) while (at < out.length) out[at++] = padding;
  return ascii.decode(out);
}
