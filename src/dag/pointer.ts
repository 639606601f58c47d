// Pointers of a template: where a value comes from, as a JSON pointer into what a step is given. A pointer is checked when the template is: it
// begins at the run's input, at a step that is needed, or at the item of an each. Text may have pointers in braces. Pure.
import { partAt } from "../core/input-ref.ts";
import { brokenPlan } from "../core/plan-data.ts";
import { PawlError } from "../errors/error.ts";

/** What a pointer may begin with. */
export type PointerRoots = ReadonlySet<string>;

export function checkPointer(at: unknown, where: string, roots: PointerRoots): string {
  if (typeof at !== "string" || !at.startsWith("/")) throw brokenPlan(`${where} must be a JSON pointer, such as /input/id`);
  if (/~(?![01])/.test(at)) throw brokenPlan(`${where}: write ~0 for ~ and ~1 for / in a pointer`);
  const root = at.slice(1).split("/")[0]!;
  if (!roots.has(root))
    throw brokenPlan(
      `${where}: ${JSON.stringify(at.slice(0, 80))} begins with ${root || "nothing"}; here a pointer begins with ${[...roots].join(", ")}`,
    );
  return at;
}

const inBraces = /\{([^{}]*)\}/g;

/** "order-{/input/id}": checks every pointer in it. */
export function checkKeyText(text: unknown, where: string, roots: PointerRoots): string {
  if (typeof text !== "string" || text === "") throw brokenPlan(`${where} must be text`);
  for (const [, at] of text.matchAll(inBraces)) checkPointer(at, where, roots);
  if (/[{}]/.test(text.replace(inBraces, ""))) throw brokenPlan(`${where}: braces hold a pointer, such as {/input/id}`);
  return text;
}

/** What is not there is a failure (TX-24): a key with a hole would be the key of something else. */
export function fillText(text: string, scope: unknown): string {
  return text.replace(inBraces, (_, at: string) => {
    const found = partAt(scope, at);
    if (typeof found === "string" || typeof found === "number" || typeof found === "boolean") return String(found);
    throw new PawlError("PAWL1008", `${at} is ${found === undefined ? "missing" : "no text or number"}, and a key is made of it`);
  });
}
