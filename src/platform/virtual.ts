// A machine for tests: its clocks stand still until advance() moves them, its timers fire in due order, its ids come
// from a seed, so that the same seed gives the same trace. Turns run on the real event loop, because K15's promise about
// microtasks is the event loop's own. It must never read a real clock or real randomness.
import type { Cancel, Platform } from "./platform.ts";
import { uuidV7Maker } from "./uuid7.ts";

export interface VirtualPlatform extends Platform {
  /** Moves all clocks by `ms`, firing due timers in order; work they wake settles before the next one fires. */
  advance(ms: number): Promise<void>;
  /** Lets turns, microtasks and due timers run until nothing moves, without moving the clocks. */
  settle(): Promise<void>;
  /** Moves all clocks by `ms` at once, as for a machine that slept: whatever is due then fires once, late, in due order. */
  leap(ms: number): Promise<void>;
  /** How long until the next timer is due that was armed for longer than `ms`; undefined when there is none. */
  untilTimer(ms: number): number | undefined;
  /** Shifts the wall clock alone, forward or back: what an operator or a time server does. */
  skew(ms: number): void;
  /** Stops the process for `ms`: wall clock and uptime continue, the monotonic clock and timers do not. Below 0: a test's store goes back. */
  suspend(ms: number): void;
  /** How many timers are armed. */
  timers(): number;
  /** Nothing moves until the answer is called: something real is under way, such as a statement on a server. */
  hold(): Cancel;
  /** Called at every crash point; a test may throw from it. */
  onHit?: ((point: string) => void) | undefined;
}

interface Armed {
  readonly dueMs: number;
  /** How long it was armed for. */
  readonly forMs: number;
  readonly fn: () => void;
}

/** Each virtual machine is a boot of its own. */
let boots = 0;

/** Rounds of the real event loop without a call to the platform, after which nothing more is expected to happen. */
const quietRounds = 8;

/** A machine for tests: its clock moves only when a test moves it, and its ids come from a seed. */
export function virtualPlatform(opts: { startMs?: number; seed?: number } = {}): VirtualPlatform {
  let wall = opts.startMs ?? 1_800_000_000_000;
  let mono = 0;
  let up = 1_000_000;
  let calls = 0;
  const boot = `virtual-${wall}-${++boots}`;
  let held = 0;
  let released: (() => void)[] = [];
  const armed = new Set<Armed>();
  const hex = seededHex(opts.seed ?? 1);

  const next = (): Armed | undefined => {
    let first: Armed | undefined;
    // A Set keeps insertion order, so timers due at the same time fire in the order they were armed.
    for (const t of armed) if (first === undefined || t.dueMs < first.dueMs) first = t;
    return first;
  };
  const move = (ms: number): void => {
    wall += ms;
    mono += ms;
    up += ms;
  };
  const fireDue = (untilMs: number): boolean => {
    const first = next();
    if (first === undefined || first.dueMs > untilMs) return false;
    armed.delete(first);
    move(Math.max(0, first.dueMs - mono));
    first.fn();
    return true;
  };
  const quiet = async (): Promise<void> => {
    for (let still = 0; still < quietRounds; still++) {
      const before = calls;
      await new Promise<void>((resolve) => (held === 0 ? setImmediate(resolve) : released.push(resolve)));
      if (calls !== before) still = -1;
    }
  };
  const platform: VirtualPlatform = {
    wallMs: () => Math.floor(wall),
    monotonicMs: () => mono,
    uptimeMs: () => up,
    bootId: () => boot,
    timer(ms: number, fn: () => void): Cancel {
      calls++;
      const t: Armed = { dueMs: mono + Math.max(0, ms), forMs: ms, fn };
      armed.add(t);
      return () => void armed.delete(t);
    },
    turn(fn: () => void): void {
      calls++;
      setImmediate(() => {
        calls++;
        fn();
      });
    },
    uuidV4(): string {
      const h = hex(16);
      const variant = ((Number.parseInt(h[16] ?? "0", 16) & 0x3) | 0x8).toString(16);
      return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-${variant}${h.slice(17, 20)}-${h.slice(20)}`;
    },
    uuidV7: uuidV7Maker(() => Math.floor(wall), hex),
    randomHex: hex,
    hit(point: string): void {
      platform.onHit?.(point);
    },
    async advance(ms: number): Promise<void> {
      const untilMs = mono + ms;
      await quiet();
      while (fireDue(untilMs)) await quiet();
      move(Math.max(0, untilMs - mono));
      await quiet();
    },
    async settle(): Promise<void> {
      await platform.advance(0);
    },
    async leap(ms: number): Promise<void> {
      await quiet();
      move(ms);
      await platform.settle();
    },
    untilTimer(ms: number): number | undefined {
      let least: number | undefined;
      for (const t of armed) if (t.forMs > ms && (least === undefined || t.dueMs - mono < least)) least = t.dueMs - mono;
      return least;
    },
    skew(ms: number): void {
      wall += ms;
    },
    suspend(ms: number): void {
      wall += ms;
      up += ms;
    },
    timers: () => armed.size,
    hold(): Cancel {
      held++;
      let mine = true;
      return () => {
        if (!mine) return;
        mine = false;
        held--;
        calls++;
        if (held > 0) return;
        const waiting = released;
        released = [];
        for (const go of waiting) go();
      };
    },
  };
  return platform;
}

/** Every half of a drawn number as text: tests draw tokens at every poll of every engine. */
const halves: readonly string[] = Array.from({ length: 65_536 }, (_, n) => n.toString(16).padStart(4, "0"));

/** A small fast generator (sfc32), good enough for ids in tests and the same on every machine. */
function seededHex(seed: number): (bytes: number) => string {
  let a = 0x9e3779b9 | 0;
  let b = 0x243f6a88 | 0;
  let c = (0xb7e15162 ^ seed) | 0;
  let d = 1;
  const draw = (): number => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return t;
  };
  for (let i = 0; i < 16; i++) draw();
  return (bytes) => {
    let text = "";
    while (text.length < bytes * 2) {
      const t = draw();
      text += halves[t >>> 16]! + halves[t & 0xffff]!;
    }
    return text.length === bytes * 2 ? text : text.slice(0, bytes * 2);
  };
}
