// What a browser and Node share: fetch, timers, a clock that never goes back, random ids. The HTTP client receives this as a value, so that tests put a
// clock and a network of their own in its place. It must never touch Node.

export interface WebPlatform {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Milliseconds by a clock that never goes back. */
  monotonicMs(): number;
  wallMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason when that is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 to below 1, for the spread of delays. */
  random(): number;
  uuidV4(): string;
}

/** The longest delay that one timer can hold. */
const timerMsMax = 2_147_483_647;

export function webPlatform(): WebPlatform {
  return {
    fetch: (url, init) => fetch(url, init),
    monotonicMs: () => performance.now(),
    wallMs: () => Date.now(),
    sleep,
    random: () => Math.random(),
    uuidV4,
  };
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(Math.max(Math.ceil(ms), 0), timerMsMax),
    );
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** crypto.randomUUID is only on pages that came over https; getRandomValues is everywhere. */
function uuidV4(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
