// A PNG with a palette made of one in full colour, at about a third of its size: the pictures of the documentation are kept in the repository. Colours beyond 256 take the
// nearest that is there, which nobody sees in pictures of text. Reads only what Chromium writes: 8 bits, no interlacing. For `npm run screenshots`.
import { crc32, deflateSync, inflateSync } from "node:zlib";

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const coloursMax = 256;
/** The grounds and inks of the page are kept as they are. */
const exactMax = 120;

export function withPalette(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const counts = new Map<number, number>();
  for (const rgb of pixels) counts.set(rgb, (counts.get(rgb) ?? 0) + 1);
  const palette = paletteOf(counts);
  const index = new Map<number, number>(palette.map((rgb, i) => [rgb, i]));
  const rows = Buffer.alloc((width + 1) * height);
  pixels.forEach((rgb, i) => {
    let at = index.get(rgb);
    if (at === undefined) index.set(rgb, (at = nearest(palette, rgb)));
    rows[Math.floor(i / width) * (width + 1) + 1 + (i % width)] = at;
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((rgb) => [rgb >> 16, (rgb >> 8) & 255, rgb & 255]));
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The most frequent colours; of colours that are nearly equal the rarer ones are left out first. */
function paletteOf(counts: ReadonlyMap<number, number>): readonly number[] {
  const byCount = [...counts].toSorted((a, b) => b[1] - a[1]).map(([rgb]) => rgb);
  for (let apart = 0; ; apart += 6) {
    const chosen: number[] = [];
    for (const rgb of byCount) {
      if (chosen.length < exactMax || chosen.every((c) => distance(c, rgb) > apart * apart)) chosen.push(rgb);
      if (chosen.length > coloursMax) break;
    }
    if (chosen.length <= coloursMax) return chosen;
  }
}

function nearest(palette: readonly number[], rgb: number): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  palette.forEach((c, i) => {
    const d = distance(c, rgb);
    if (d < least) [best, least] = [i, d];
  });
  return best;
}

function distance(a: number, b: number): number {
  const [r, g, blue] = [(a >> 16) - (b >> 16), ((a >> 8) & 255) - ((b >> 8) & 255), (a & 255) - (b & 255)];
  return r * r + g * g + blue * blue;
}

function decode(png: Buffer): { readonly width: number; readonly height: number; readonly pixels: readonly number[] } {
  const parts: Buffer[] = [];
  let [width, height, bytes] = [0, 0, 3];
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") {
      [width, height, bytes] = [data.readUInt32BE(0), data.readUInt32BE(4), data[9] === 6 ? 4 : 3];
      if (data[8] !== 8 || (data[9] !== 2 && data[9] !== 6) || data[12] !== 0) throw new RangeError("this picture has another format");
    }
    if (type === "IDAT") parts.push(data);
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const line = width * bytes;
  const pixels: number[] = [];
  let above = new Uint8Array(line);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (line + 1)]!;
    const row = Uint8Array.from(raw.subarray(y * (line + 1) + 1, (y + 1) * (line + 1)));
    for (let x = 0; x < line; x++) {
      const [left, up, corner] = [x < bytes ? 0 : row[x - bytes]!, above[x]!, x < bytes ? 0 : above[x - bytes]!];
      row[x] = row[x]! + [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!;
    }
    for (let x = 0; x < line; x += bytes) pixels.push((row[x]! << 16) | (row[x + 1]! << 8) | row[x + 2]!);
    above = row;
  }
  return { width, height, pixels };
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(named.length + 8);
  out.writeUInt32BE(data.length, 0);
  named.copy(out, 4);
  out.writeUInt32BE(crc32(named), named.length + 4);
  return out;
}
