// How the words of a crash table look: green for what holds, yellow for what asks a person, red for what breaks a promise. It must never change
// the words.
import type { Tint } from "../../testing/matrix-table.ts";
import { paint } from "./colors.ts";

export function tintOf(colours: boolean): Tint {
  const p = paint(colours);
  return (text, kind) => ({ good: p.green, asks: p.yellow, bad: (t: string) => p.red(p.bold(t)), dim: p.dim, head: p.dim })[kind](text);
}
