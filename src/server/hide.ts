// What a caller without the scope `payloads` is not shown. Values that workflows and their users made are taken out of an answer, and each object that
// lost some lists them: `hidden: ["/result"]`. It must never change the object that it was given: others may hold it.
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

/** Its answers carry such values, for those who may see them. */
export function carriesPayloads(operation: Operation): boolean {
  return payloadPlaces[operation] !== undefined;
}

export function hidePayloads(operation: Operation, body: unknown): unknown {
  let shown = body;
  for (const place of payloadPlaces[operation] ?? []) shown = without(shown, place);
  return shown;
}

function without(value: unknown, [head, ...rest]: readonly string[]): unknown {
  if (typeof value !== "object" || value === null || head === undefined) return value;
  if (head === "*") return Array.isArray(value) ? value.map((item) => without(item, rest)) : value;
  const members = value as Readonly<Record<string, unknown>>;
  if (!Object.hasOwn(members, head) || members[head] === undefined) return value;
  if (rest.length > 0) return { ...members, [head]: without(members[head], rest) };
  const { [head]: _, ...left } = members;
  return { ...left, hidden: [...((members["hidden"] as readonly string[] | undefined) ?? []), `/${head}`] };
}
