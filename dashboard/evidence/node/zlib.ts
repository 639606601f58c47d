// Node's zlib in a page, as far as src/verify.ts uses it.
// Bytes behind the end of deflated data are an error here: nothing that Pawl writes has them.
import { Bytes } from "./buffer.ts";
import { answerTo } from "./questions.ts";

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let i = 0; i < 8; i++) c = (c & 1) === 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

export function crc32(data: Uint8Array): number {
  let c = 0xffffffff;
  for (const b of data) c = table[(c ^ b) & 0xff]! ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

export function inflateRawSync(data: Uint8Array<ArrayBuffer>, o: { readonly maxOutputLength: number }): Bytes {
  return answerTo(`inflate ${data.byteOffset} ${data.length} ${o.maxOutputLength}`, () => inflate(data, o.maxOutputLength));
}

export async function inflate(data: Uint8Array<ArrayBuffer>, bytesMax: number): Promise<Bytes> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw"))) {
    length += piece.length;
    if (length > bytesMax) throw new RangeError("it inflates to more than it says");
    pieces.push(piece);
  }
  const whole = new Bytes(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
