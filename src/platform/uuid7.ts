// Time-ordered ids (UUID version 7): 48 bits of milliseconds, a 12-bit counter, 62 random bits. Ids made by one maker
// sort in the order they were made, also within one millisecond and when the wall clock goes back. Pure but for its sources.

export function uuidV7Maker(wallMs: () => number, randomHex: (bytes: number) => string): () => string {
  let lastMs = -1;
  let counter = 0;
  return () => {
    const nowMs = wallMs();
    if (nowMs > lastMs) {
      lastMs = nowMs;
      // Start in the lower half, so that the counter has room to rise within this millisecond.
      counter = Number.parseInt(randomHex(2), 16) & 0x7ff;
    } else if (++counter > 0xfff) {
      lastMs += 1;
      counter = 0;
    }
    const time = lastMs.toString(16).padStart(12, "0");
    const tail = randomHex(8);
    const variant = ((Number.parseInt(tail[0] ?? "0", 16) & 0x3) | 0x8).toString(16);
    const count = counter.toString(16).padStart(3, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`;
  };
}
