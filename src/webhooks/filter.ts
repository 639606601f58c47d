// Which events an endpoint wants: globs over an event's type, in which only `*` is special. Pure and linear, so that no pattern
// can make a delivery slow. Both names of a type count: the log's (RunCompleted) and the one that is sent (pawl.run.completed).
import { PawlError } from "../errors/error.ts";
import { cloudType } from "./cloud-event.ts";

/** What the contract names, for runs and for steps. */
export const defaultEvents: readonly string[] = ["pawl.run.*", "pawl.step.*"];
const patternsMax = 32;
const patternForm = /^[\x21-\x7e]{1,128}$/;

export function checkPatterns(patterns: readonly string[]): readonly string[] {
  if (!Array.isArray(patterns) || patterns.length < 1 || patterns.length > patternsMax)
    throw new PawlError("PAWL5021", `events is a list of 1 to ${patternsMax} patterns`);
  for (const p of patterns)
    if (typeof p !== "string" || !patternForm.test(p))
      throw new PawlError("PAWL5021", `events: ${JSON.stringify(p)} is not 1 to 128 printable ASCII characters`);
  return patterns;
}

export function isWanted(patterns: readonly string[], eventType: string): boolean {
  const sent = cloudType(eventType);
  return patterns.some((p) => matches(p, eventType) || matches(p, sent));
}

/** Greedy with one point of return: a later star makes every earlier one final. */
function matches(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    if (pattern[p] === "*") {
      star = p++;
      mark = t;
    } else if (p < pattern.length && pattern[p] === text[t]) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
