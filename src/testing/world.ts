// The world outside the engine, where effects are counted: what a step did is recorded here, and nowhere is it read by an
// engine. In memory; under `pawl crashtest` in a file that outlives the killed process. A record with a key is kept once, as a
// receiver that deduplicates would. It must never forget by itself, and must never take a record of the dead.
import { currentZone } from "../platform/run-context.ts";
import { appendText, readText } from "../platform/files.ts";
import { env } from "../platform/terminal.ts";
import { EngineKilled } from "./killable-engine.ts";

/** What a crash matrix needs of a world. */
export interface World {
  /**
   * Called by a step's function when its effect happens. The same key again is not a second effect.
   *
   * @example
   * await ctx.step("charge", (s) => outside.record("charge", s.key), { key: "order-17", dedup: "24h" });
   */
  record(effect: string, key?: string): void;
  /**
   * How often an effect happened.
   *
   * @example
   * expect(outside.count("charge")).toBe(1);
   */
  count(effect: string): number;
  /**
   * Forgets everything; without it, counts are compared with what was there before.
   *
   * @example
   * outside.reset();
   */
  reset?(): void;
}

export interface RecordingWorld extends World {
  /**
   * How often an effect was asked for, repeated keys included.
   *
   * @example
   * expect(outside.asked("charge")).toBe(2);
   */
  asked(effect: string): number;
  /**
   * Whether an effect with this key happened: what an honest `verify` asks.
   *
   * @example
   * const verify = async (s: StepScope) =>
   *   outside.has("charge", s.key) ? { state: "completed-result-unavailable" } : { state: "not-completed" };
   */
  has(effect: string, key: string): boolean;
  /**
   * Every effect that happened, and the steps that caused it.
   *
   * @example
   * expect([...outside.effects().keys()]).toEqual(["charge"]);
   */
  effects(): ReadonlyMap<string, ReadonlySet<string>>;
  /**
   * Forgets everything.
   *
   * @example
   * outside.reset();
   */
  reset(): void;
}

/** The file that the world lies in, when another process is the one that looks. */
export const worldVariable = "PAWL_WORLD";

interface Line {
  readonly effect: string;
  readonly key?: string;
  readonly step?: string;
}

/**
 * A world outside the engine where effects are counted, for `crashMatrix` and `pawl crashtest`.
 *
 * @example
 * const outside = world();
 * await ctx.step("mail", () => outside.record("mail"));
 */
export function world(): RecordingWorld {
  const kept: Line[] = [];
  const lines = (): readonly Line[] => {
    const file = env(worldVariable);
    return file === undefined ? kept : readWorld(file);
  };
  const of = (effect: string): Line[] => lines().filter((l) => l.effect === effect);
  return {
    record: (effect, key) => {
      const zone = currentZone();
      if (zone?.alive() === false) throw new EngineKilled(`${effect} of an engine that is dead`);
      const step = zone?.stepId ?? undefined;
      const line: Line = { effect, ...(key === undefined ? {} : { key }), ...(step === undefined ? {} : { step }) };
      const file = env(worldVariable);
      if (file === undefined) kept.push(line);
      else appendText(file, `${JSON.stringify(line)}\n`);
    },
    count: (effect) => countEffects(of(effect)),
    asked: (effect) => of(effect).length,
    has: (effect, key) => of(effect).some((l) => l.key === key),
    effects: () => effectsIn(lines()),
    reset: () => void kept.splice(0),
  };
}

/** Keys once each, and everything without one. */
function countEffects(lines: readonly Line[]): number {
  return new Set(lines.flatMap((l) => (l.key === undefined ? [] : [l.key]))).size + lines.filter((l) => l.key === undefined).length;
}

function effectsIn(lines: readonly Line[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { effect, step } of lines) {
    const steps = found.get(effect) ?? new Set();
    if (step !== undefined) steps.add(step);
    found.set(effect, steps);
  }
  return found;
}

/** The lines of a world that lies in a file; a line that a kill cut off is not there. */
function readWorld(file: string): Line[] {
  return (readText(file) ?? "").split("\n").flatMap((text) => {
    try {
      return text === "" ? [] : [JSON.parse(text) as Line];
    } catch {
      return [];
    }
  });
}

/** A world in a file, as it is found now: how often each effect happened, and the steps that caused it. */
export function worldIn(file: string): Pick<RecordingWorld, "count" | "effects"> {
  const lines = readWorld(file);
  return { count: (effect) => countEffects(lines.filter((l) => l.effect === effect)), effects: () => effectsIn(lines) };
}
