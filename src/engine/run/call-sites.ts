// Where in the user's code each call is, by its kind and name, for error messages. A stack costs as much as a step, so each call of a
// workflow is looked at once in a process, and only so many of them: it is a courtesy, never the truth.
import { callerLocation, locationText } from "../../platform/source-location.ts";
import type { Definition } from "../definition.ts";

const callSitesMax = 100;
const known = new WeakMap<Definition, Map<string, string | undefined>>();

/** Called by the code, directly: the stack is read the first time. */
export function noteCallSite(d: Definition | null, call: string): void {
  if (d === null) return;
  let places = known.get(d);
  if (places === undefined) known.set(d, (places = new Map()));
  if (places.size >= callSitesMax || places.has(call)) return;
  const place = callerLocation();
  places.set(call, place === undefined ? undefined : locationText(place));
}

/** `step charge (order.ts:12:9)` */
export function withCallSite(d: Definition | null, call: string): string {
  const place = d === null ? undefined : known.get(d)?.get(call);
  return place === undefined ? call : `${call} (${place})`;
}
