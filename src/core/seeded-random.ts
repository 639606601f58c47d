// The randomness of workflow code: a stream of numbers and ids that is the same on every replay of a run, on every machine
// and version of Node. Its outputs are frozen by golden values in its test: changing them would make recorded runs diverge.
// It must never be used for secrets, tokens or event ids.
import { PawlError } from "../errors/error.ts";

export interface SeededRandom {
  /** In [0, 1), 53 bits. */
  random(): number;
  /** In the shape of a v4 UUID. */
  uuid(): string;
}

/** `seedHex` is hex text of any length above zero, such as a run's salt or a digest of its id. */
export function seededRandom(seedHex: string): SeededRandom {
  if (!/^[0-9a-fA-F]+$/.test(seedHex)) throw new PawlError("PAWL3007", "the seed of a run must be hex text");
  const next = sfc32(absorb(seedHex));
  for (let i = 0; i < 16; i++) next();
  return {
    random: () => ((next() >>> 5) * 0x4000000 + (next() >>> 6)) / 0x20000000000000,
    uuid: () => {
      const hex = `${word(next())}${word((next() & 0xffff0fff) | 0x4000)}${word((next() & 0x3fffffff) | 0x80000000)}${word(next())}`;
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
  };
}

/** Folds the whole seed into four words; each digit changes the state, and so does the length. */
function absorb(seedHex: string): Uint32Array {
  const state = new Uint32Array([0x9e3779b9, 0x243f6a88, 0xb7e15162, seedHex.length]);
  for (let i = 0; i < seedHex.length; i += 8) {
    const at = (i >>> 3) & 3;
    const mixed = Math.imul((state[at] as number) ^ Number.parseInt(seedHex.slice(i, i + 8), 16), 0x85ebca6b);
    state[at] = (mixed << 13) | (mixed >>> 19);
  }
  return state;
}

/** Small fast counting generator, 32-bit words. */
function sfc32(state: Uint32Array): () => number {
  let [a, b, c, d] = state as unknown as [number, number, number, number];
  return () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t >>> 0;
  };
}

function word(n: number): string {
  return (n >>> 0).toString(16).padStart(8, "0");
}
