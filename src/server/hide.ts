// What a caller without the scope `payloads` is not shown. Values that workflows and their users made, and what errors said, are taken out of an answer,
// and each object that lost some lists them: `hidden: ["/result"]`. It must never change the object that it was given: others may hold it.
import type { Operation } from "../api/operations.ts";

/** Where answers carry such values: path by path, "*" for each item of a list. */
const payloadPlaces: Readonly<Partial<Record<Operation, readonly (readonly string[])[]>>> = {
  "runs.start": [
    ["end", "result"],
    ["end", "error"],
  ],
  "runs.events": [["items", "*", "payload"]],
  "runs.update": [["answer"]],
  "updates.get": [["answer"], ["result"]],
  "effects.list": [
    ["items", "*", "result"],
    ["items", "*", "error"],
  ],
  "decisions.list": [
    ["items", "*", "approval", "input"],
    ["items", "*", "question", "data"],
  ],
  "questions.list": [["items", "*", "data"]],
  "consumers.dead": [["items", "*", "error"]],
};

/** Sentences with words that a step's error or a verifier said: `quotes` says which, and "…" takes their place. */
const quotingPlaces: Readonly<Partial<Record<Operation, Quoting>>> = {
  "runs.get": { at: ["because"], sentence: "text" },
  "runs.why": { at: ["items", "*"], sentence: "sentence" },
  "decisions.list": { at: ["items", "*"], sentence: "reason" },
  "investigations.list": { at: ["items", "*", "snapshot", "steps", "*"], sentence: "sentence" },
  "investigations.open": { at: ["snapshot", "steps", "*"], sentence: "sentence" },
  "investigations.note": { at: ["snapshot", "steps", "*"], sentence: "sentence" },
  "investigations.close": { at: ["snapshot", "steps", "*"], sentence: "sentence" },
};
interface Quoting {
  readonly at: readonly string[];
  readonly sentence: string;
}

/** Texts that are nothing but such words. */
const wordPlaces: Readonly<Partial<Record<Operation, readonly (readonly string[])[]>>> = {
  "consumers.list": [["items", "*", "held", "*", "error"]],
  "decisions.list": [["items", "*", "unconfirmed", "*", "reason"]],
};
const leftOut = "…";

/** Its answers carry such values, for those who may see them. */
export function carriesPayloads(operation: Operation): boolean {
  return payloadPlaces[operation] !== undefined;
}

export function hidePayloads(operation: Operation, body: unknown): unknown {
  let shown = body;
  for (const place of payloadPlaces[operation] ?? []) shown = changed(shown, place.slice(0, -1), (o) => without(o, place.at(-1)!));
  for (const place of wordPlaces[operation] ?? []) shown = changed(shown, place.slice(0, -1), (o) => blanked(o, place.at(-1)!));
  const quoting = quotingPlaces[operation];
  return quoting === undefined ? shown : changed(shown, quoting.at, (o) => unquoted(o, quoting.sentence));
}

type Members = Readonly<Record<string, unknown>>;

/** The same with each object at this place changed; the objects on the way are new ones. */
function changed(value: unknown, [head, ...rest]: readonly string[], change: (o: Members) => Members): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (head === "*") return Array.isArray(value) ? value.map((item) => changed(item, rest, change)) : value;
  const members = value as Members;
  if (head === undefined) return change(members);
  return Object.hasOwn(members, head) ? { ...members, [head]: changed(members[head], rest, change) } : value;
}

function without(o: Members, name: string): Members {
  if (o[name] === undefined) return o;
  const { [name]: _, ...left } = o;
  return marked(left, name);
}

function blanked(o: Members, name: string): Members {
  return o[name] === undefined ? o : marked({ ...o, [name]: leftOut }, name);
}

function unquoted(o: Members, sentence: string): Members {
  const { quotes, ...left } = o;
  const text = o[sentence];
  if (typeof quotes !== "string" || typeof text !== "string") return o;
  const at = text.lastIndexOf(quotes);
  return marked({ ...left, [sentence]: at === -1 ? leftOut : text.slice(0, at) + leftOut + text.slice(at + quotes.length) }, "quotes");
}

function marked(o: Members, name: string): Members {
  return { ...o, hidden: [...((o["hidden"] as readonly string[] | undefined) ?? []), `/${name}`] };
}
