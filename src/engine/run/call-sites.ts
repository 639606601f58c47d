// Where in the user's code each call is, by its kind and name, for error messages. A stack costs as much as a step, so each call of a
// workflow is looked at once in a process, and only so many of them: it is a courtesy, never the truth. A stack is kept unread until somebody asks, or
// until the same call comes again: a run that has just been taken over must not wait for it. It must not be kept longer, for it keeps what it was called with.
import { callerStack, locationText, userLocation, type CallerStack } from "../../platform/source-location.ts";
import type { Definition } from "../definition.ts";

const callSitesMax = 100;
type Place = string | CallerStack | undefined;
const known = new WeakMap<Definition, Map<string, Place>>();

/** Called by the code, directly: the stack is taken the first time, and read the second. */
export function noteCallSite(d: Definition | null, call: string): void {
  if (d === null) return;
  let places = known.get(d);
  if (places === undefined) known.set(d, (places = new Map()));
  if (places.has(call)) readPlace(places, call);
  else if (places.size < callSitesMax) places.set(call, callerStack());
}

/** `step charge (order.ts:12:9)` */
export function withCallSite(d: Definition | null, call: string): string {
  const places = d === null ? undefined : known.get(d);
  const place = places === undefined ? undefined : readPlace(places, call);
  return place === undefined ? call : `${call} (${place})`;
}

function readPlace(places: Map<string, Place>, call: string): string | undefined {
  const place = places.get(call);
  if (typeof place !== "object") return place;
  const location = userLocation(place);
  const text = location === undefined ? undefined : locationText(location);
  places.set(call, text);
  return text;
}
