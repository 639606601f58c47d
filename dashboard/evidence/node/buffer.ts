// Node's Buffer in a page, as far as src/verify.ts uses it.
// It must answer as Node's does: the verdict of the page is the verdict of `pawl verify`.

export class Bytes extends Uint8Array<ArrayBuffer> {
  constructor(data: number | ArrayLike<number> | ArrayBuffer, from?: number, length?: number) {
    super(data as ArrayBuffer, from, length);
  }
  static override from(this: void, data: unknown, second?: unknown, third?: unknown): Bytes {
    if (typeof data === "string") return ofText(data, typeof second === "string" ? second : "utf8");
    if (data instanceof ArrayBuffer) return new Bytes(data, second as number | undefined, third as number | undefined);
    return new Bytes(data as ArrayLike<number>);
  }
  static alloc(size: number): Bytes {
    return new Bytes(size);
  }

  override subarray(from?: number, to?: number): Bytes {
    return super.subarray(from, to) as Bytes; // made by this class
  }

  readUInt16LE(at: number): number {
    return this.#view(at, 2).getUint16(0, true);
  }
  readUInt32LE(at: number): number {
    return this.#view(at, 4).getUint32(0, true);
  }
  #view(at: number, size: number): DataView {
    if (at < 0 || at + size > this.length) throw new RangeError("the bytes end before");
    return new DataView(this.buffer, this.byteOffset + at, size);
  }

  override toString(encoding = "utf8", from = 0, to: number = this.length): string {
    const part = this.subarray(from, to);
    if (encoding === "utf8") return new TextDecoder("utf-8", { ignoreBOM: true }).decode(part);
    if (encoding === "hex") return Array.from(part, (b) => b.toString(16).padStart(2, "0")).join("");
    let text = "";
    for (let i = 0; i < part.length; i += 8_192) text += String.fromCharCode(...part.subarray(i, i + 8_192));
    return encoding === "base64" ? btoa(text) : text;
  }

  compare(other: Uint8Array, otherFrom = 0, otherTo: number = other.length, from = 0, to: number = this.length): number {
    const [a, b] = [this.subarray(from, to), other.subarray(otherFrom, otherTo)];
    for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
    return Math.sign(a.length - b.length);
  }
  equals(other: Uint8Array): boolean {
    return this.compare(other) === 0;
  }

  override lastIndexOf(what: number | Uint8Array, from: number = this.length): number {
    if (typeof what === "number") return super.lastIndexOf(what, from);
    for (let at = Math.min(from, this.length - what.length); at >= 0; at--) if (this.#isAt(at, what)) return at;
    return -1;
  }
  override includes(what: number | Uint8Array): boolean {
    return typeof what === "number" ? super.includes(what) : this.lastIndexOf(what) >= 0;
  }
  #isAt(at: number, what: Uint8Array): boolean {
    for (let i = 0; i < what.length; i++) if (this[at + i] !== what[i]) return false;
    return true;
  }
}

function ofText(text: string, encoding: string): Bytes {
  if (encoding !== "base64") return new Bytes(new TextEncoder().encode(text));
  // As Node reads it: both alphabets, and nothing after the first sign of the end.
  const clean = text
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .split("=", 1)[0]!
    .replaceAll(/[^A-Za-z0-9+/]/g, "");
  const whole = clean.length % 4 === 1 ? clean.slice(0, -1) : clean;
  return new Bytes(Array.from(atob(whole), (c) => c.charCodeAt(0)));
}

export function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((b) => b < 0x80);
}
