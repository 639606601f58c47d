// The guarantee of a step, derived from what its author supplied and never claimed. The types refuse most contradictions;
// this refuses all of them at run time, for plain JavaScript and for options that come from data. It must never weaken a
// guarantee silently: an option that would have no effect is refused.
import { PawlError } from "../errors/error.ts";
import { unknownName } from "../errors/unknown-name.ts";
import { durationMs, type Duration } from "./duration.ts";
import type { GuaranteeClass } from "./model.ts";
import { isWellFormedText, nameBytesMax, utf8Length } from "./names.ts";

export interface Guarantee {
  readonly class: GuaranteeClass;
  /** The author's key; null = the engine makes one from the step's identity. */
  readonly key: string | null;
  /** How long the receiver remembers the key; "forever" is Number.MAX_SAFE_INTEGER. Only with class KEYED. */
  readonly dedupMs: number | null;
  /** After a dispatch's time limit: how long an effect may still arrive at the receiver (K25). */
  readonly settleMs: number;
  readonly verified: boolean;
}

export interface GuaranteeOptions {
  readonly key?: unknown;
  readonly dedup?: unknown;
  readonly verify?: unknown;
  readonly once?: unknown;
  readonly repeatable?: unknown;
  readonly settle?: unknown;
}

/** How long a request may still be under way after its time limit, unless the author says otherwise (K25). */
export const settleDefaultMs = 5000;

export function deriveGuarantee(o: GuaranteeOptions): Guarantee {
  const once = checkFlag(o.once, "once");
  const repeatable = checkFlag(o.repeatable, "repeatable");
  const keyed = o.key !== undefined;
  const verified = o.verify !== undefined;
  if (verified && typeof o.verify !== "function") throw contradiction("verify must be a function");
  if (once && repeatable) throw contradiction("once and repeatable contradict each other");
  if ((once || repeatable) && (keyed || verified)) {
    throw contradiction(`${once ? "once" : "repeatable"} excludes ${keyed ? "key" : "verify"}`);
  }
  if (o.dedup !== undefined && !keyed) throw contradiction("dedup says how long the receiver remembers the key, and there is no key");
  if (o.settle !== undefined && !keyed && !verified) throw contradiction("settle has a meaning only beside key or verify");

  const key = keyed ? checkEffectKey(o.key) : null;
  const dedupMs = o.dedup === undefined ? null : dedupWindowMs(o.dedup);
  const settleMs = o.settle === undefined ? settleDefaultMs : durationMs(o.settle as Duration, "settle");
  return { class: classOf(keyed, dedupMs !== null, verified, once, repeatable), key, dedupMs, settleMs, verified };
}

function classOf(keyed: boolean, dedup: boolean, verified: boolean, once: boolean, repeatable: boolean): GuaranteeClass {
  if (keyed && dedup) return "KEYED";
  if (verified) return "VERIFIED";
  if (keyed || once) return "AT-MOST-ONCE";
  return repeatable ? "REPEATABLE" : "UNDECLARED";
}

/** A misspelt option would leave a step without the guarantee that its author believes in. */
export function checkOptions(o: unknown, known: ReadonlySet<string>, what: string): void {
  if (typeof o !== "object" || o === null || Array.isArray(o))
    throw new PawlError(
      "PAWL5001",
      `${what} takes an object of options, not ${o === null || o === undefined ? String(o) : Array.isArray(o) ? "a list" : `a ${typeof o}`}`,
    );
  for (const name in o)
    if (!known.has(name) && (o as Record<string, unknown>)[name] !== undefined)
      throw new PawlError("PAWL5001", `${what} ${unknownName("option", name, known)}`);
}

/** Whether a step of this class may simply run again. */
export function mayRepeat(c: GuaranteeClass): boolean {
  return c === "REPEATABLE" || c === "UNDECLARED";
}

/** `false` says the same as leaving it out; anything but a boolean says nothing. */
function checkFlag(value: unknown, what: string): boolean {
  if (value === undefined || value === false) return false;
  if (value === true) return true;
  throw contradiction(`${what} must be true or left out`);
}

function checkEffectKey(key: unknown): string {
  if (typeof key !== "string" || key === "" || !isWellFormedText(key) || utf8Length(key) > nameBytesMax) {
    throw new PawlError("PAWL1001", `a step's key must be non-empty, well-formed text of at most ${nameBytesMax} bytes`);
  }
  return key;
}

function dedupWindowMs(dedup: unknown): number {
  if (dedup === "forever") return Number.MAX_SAFE_INTEGER;
  const ms = durationMs(dedup as Duration, "dedup");
  if (ms === 0) throw contradiction("dedup of no length: leave it out if the receiver does not remember the key");
  return ms;
}

function contradiction(message: string): PawlError {
  return new PawlError("PAWL1005", message);
}
