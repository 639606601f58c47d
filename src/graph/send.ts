// send(): work for a node with inputs, as an edge returns it. Known by identity, so that nothing but this function makes one. What it carries is
// checked when the edge is asked, not here.
import type { Send } from "./types.ts";

/**
 * Work for a node with inputs: one item, with this input. An edge's function returns one or several.
 *
 * @example
 * .edges({ start: (s) => s.urls.map((url) => send("read", { url })), read: "end" })
 */
export function send<const K extends string, I>(to: K, input: I): Send<K, I> {
  const made = Object.freeze({ to, input });
  sends.add(made);
  return made;
}
const sends = new WeakSet<object>();
export function isSend(x: unknown): x is Send<string, unknown> {
  return typeof x === "object" && x !== null && sends.has(x);
}
