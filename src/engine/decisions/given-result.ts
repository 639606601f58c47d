// What a person says that a step's result is, before it counts: the code that gets it expects what a worker's result is checked for, and a
// decision must name its branches. An answer that does not fit is refused and changes nothing. It must never refuse what only asks for time: a
// schema that answers later is not waited for.
import { decode } from "../../codec/value.ts";
import type { OpenStep } from "../steps/open-step.ts";

/** Why this is no result of the step; null: it may be. `result`: encoded, null where none is given. */
export function problemOfResult(step: OpenStep, result: string | null): string | null {
  const { checkAnswer, queued } = step.spec ?? {};
  try {
    const value = result === null ? undefined : decode(result);
    checkAnswer?.(value);
    // Of a task whose code is elsewhere. That it has no result may be said of any step.
    const parsed = result === null ? undefined : queued?.resultParse?.(value);
    if (parsed instanceof Promise) parsed.catch(() => {});
    return null;
  } catch (e) {
    return e instanceof Error ? e.message : String(e);
  }
}
