// Time-ordered ids (UUID version 7): 48 bits of milliseconds, a 12-bit counter, 62 random bits. Ids made by one maker
// sort in the order they were made, also within one millisecond and when the wall clock goes back. Pure but for its sources.
const lowSpan = 0x1_0000;
/** The digit that marks the variant, by two random bits. */
const variants = "89ab";

export function uuidV7Maker(wallMs: () => number, randomHex: (bytes: number) => string): () => string {
  let lastMs = -1;
  let counter = 0;
  /** The upper 32 of the time's 48 bits, and their text: new once a minute. */
  let high = -1;
  let highText = "";
  return () => {
    const nowMs = wallMs();
    const random = randomHex(10);
    if (nowMs > lastMs) {
      lastMs = nowMs;
      // Start in the lower half, so that the counter has room to rise within this millisecond.
      counter = ((digit(random, 0) & 7) << 8) | (digit(random, 1) << 4) | digit(random, 2);
    } else if (++counter > 0xfff) {
      lastMs += 1;
      counter = 0;
    }
    if (Math.floor(lastMs / lowSpan) !== high) {
      high = Math.floor(lastMs / lowSpan);
      highText = high.toString(16).padStart(8, "0");
    }
    const low = (lowSpan + (lastMs % lowSpan)).toString(16).slice(1);
    const variant = variants[digit(random, 3) & 3]!;
    return `${highText}-${low}-${(0x7000 + counter).toString(16)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
  };
}

/** The value of a lower-case hex digit. */
function digit(hex: string, at: number): number {
  const c = hex.charCodeAt(at);
  return c <= 0x39 ? c - 0x30 : c - 0x57;
}
