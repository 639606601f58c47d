// SHA-256 (FIPS 180-4), at once: a chain of hashes needs each before the next, and a browser's own
// answers only later. It must never be used for secrets: its time says something about them.

const words = constants();

function constants(): Uint32Array {
  const found: number[] = [];
  for (let n = 2; found.length < 64; n++) if (isPrime(n)) found.push((Math.cbrt(n) * 0x100000000) >>> 0);
  return Uint32Array.from(found);
}

function isPrime(n: number): boolean {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false;
  return true;
}

const rotate = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

export function sha256(data: Uint8Array): string {
  const state = Uint32Array.of(0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19);
  const w = new Uint32Array(64);
  const whole = data.length - (data.length % 64);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0; at < whole; at += 64) block(state, w, view, at);
  const rest = data.subarray(whole);
  const last = new Uint8Array(rest.length < 56 ? 64 : 128);
  last.set(rest);
  last[rest.length] = 0x80;
  const end = new DataView(last.buffer);
  end.setUint32(last.length - 8, Math.floor(data.length / 0x20000000));
  end.setUint32(last.length - 4, (data.length << 3) >>> 0);
  for (let at = 0; at < last.length; at += 64) block(state, w, end, at);
  return Array.from(state, (x) => x.toString(16).padStart(8, "0")).join("");
}

function block(state: Uint32Array, w: Uint32Array, data: DataView, at: number): void {
  for (let i = 0; i < 16; i++) w[i] = data.getUint32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const [a, b] = [w[i - 15]!, w[i - 2]!];
    const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
    const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const t1 = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + words[i]! + w[i]!) | 0;
    const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((x, i) => (state[i] = state[i]! + x));
}
