// What a crash may do to an effect, as a rule that can be checked by counting: derived from the step's class, for a receiver
// that keeps its word (GUARANTEES.md). Pure. It never says that something twice is fine unless its author said so.
import type { GuaranteeClass } from "./model.ts";

/** How often an effect may happen, compared with a run that nothing interrupts. */
export type Expectation = "once" | "at-most-once" | "at-least-once";

/** What the class promises of the effect itself, counted where it happens. */
export function promisedEffect(c: GuaranteeClass): Expectation {
  switch (c) {
    case "ATOMIC":
    case "KEYED":
    case "VERIFIED":
      return "once";
    case "AT-MOST-ONCE":
      return "at-most-once";
    case "REPEATABLE":
      return "at-least-once";
    case "UNDECLARED":
      return "once"; // it will not hold: its author must learn that
  }
}

/** What the class promises of a step's function, when only its calls can be counted: a keyed request may be sent again. */
export function promisedCalls(c: GuaranteeClass): Expectation {
  return c === "KEYED" ? "at-least-once" : promisedEffect(c);
}

/**
 * Whether a count holds. `plain` is that of the uninterrupted run. A run that waits for a person, or that failed because only a
 * person can continue, has not got to everything: then less is no breach, more always is.
 */
export function meetsExpectation(e: Expectation, plain: number, count: number, ended: boolean): boolean {
  if (e !== "at-least-once" && count > plain) return false;
  return !ended || e === "at-most-once" || count >= plain;
}

/** The counts that an expectation permits, as people read them: "1", "0 or 1", "at least 1". */
export function allowedCountText(e: Expectation, plain: number, ended: boolean): string {
  if (e === "at-least-once") return ended ? `at least ${plain}` : "any";
  return plain === 0 || (e === "once" && ended) ? String(plain) : plain === 1 ? "0 or 1" : `at most ${plain}`;
}

/** Whether a class may leave it to a person what becomes of the step. */
export function mayNeedPerson(c: GuaranteeClass): boolean {
  return c === "AT-MOST-ONCE" || c === "VERIFIED" || c === "KEYED";
}

/** What its author can supply so that a step which ran twice does not do so unasked. */
export const remedy: string =
  "say what is true of it: { key, dedup } if the receiver deduplicates by s.key, { verify } if it can be asked, { once: true } if it must never be sent twice, { repeatable: true } if twice is fine";
