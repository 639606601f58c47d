// A crash matrix as people read it: a row per step, a column per window, a word in each cell; below it each finding once, with
// the line of the step and what to change. Colours are the caller's: without them every cell still says what it means.
import { windows, type CrashCell, type Window } from "./judge-kill.ts";

/** Paints a piece of text by what it means. */
export type Tint = (text: string, kind: "good" | "asks" | "bad" | "dim" | "head") => string;

export const noColours: Tint = (text) => text;

/** `frame`: the lines around a place, below the finding that names it. */
export function matrixTable(cells: readonly CrashCell[], tint: Tint = noColours, frame: (line: string) => string = () => ""): string {
  if (cells.length === 0) return "";
  const rows: Cell[][] = [[head("step"), head("class"), ...windows.map(head)]];
  for (const step of new Set(cells.map((c) => c.step))) {
    const own = cells.filter((c) => c.step === step);
    rows.push([plain(step), plain(own[0]?.class ?? "wait"), ...windows.map((w) => cellText(own, w))]);
  }
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((r) => r[i]?.text.length ?? 0))) ?? [];
  const line = (row: Cell[]): string =>
    row
      .map((c, i) => (c.kind === undefined ? c.text : tint(c.text, c.kind)) + " ".repeat((widths[i] ?? 0) - c.text.length))
      .join("  ")
      .trimEnd();
  return `${rows.map(line).join("\n")}\n${findings(cells, tint, frame)}`;
}

interface Cell {
  readonly text: string;
  readonly kind?: "good" | "asks" | "bad" | "dim" | "head";
}
const head = (text: string): Cell => ({ text, kind: "head" });
const plain = (text: string): Cell => ({ text });

function cellText(own: readonly CrashCell[], window: Window): Cell {
  const here = own.filter((c) => c.window === window && c.cause === c.step);
  const first = here.find((c) => !c.ok) ?? here[0];
  if (first === undefined) return { text: "·", kind: "dim" };
  const count = ["never", "once", "twice"][first.count] ?? `${first.count} times`;
  if (!first.ok) return { text: `✘ ${first.end === "PAUSED" ? "stopped" : count}`, kind: "bad" };
  if (first.end === "decision") return { text: `? ${count}, asks`, kind: "asks" };
  return { text: `✔ ${count}`, kind: "good" };
}

/** Each finding once, with every kill that showed it. */
function findings(cells: readonly CrashCell[], tint: Tint, frame: (line: string) => string): string {
  const found = new Map<string, { readonly cell: CrashCell; readonly kills: Map<string, string> }>();
  for (const c of cells) {
    if (c.ok) continue;
    const key = `${c.cause} ${c.why ?? ""}`;
    const { kills } = found.get(key) ?? { kills: new Map<string, string>() };
    kills.set(c.step, (kills.get(c.step) ?? "") + c.window);
    found.set(key, { cell: found.get(key)?.cell ?? c, kills });
  }
  return [...found.values()]
    .map(({ cell, kills }) => {
      const where = [...kills].map(([step, at]) => `${step} (${[...new Set(at)].join(", ")})`).join(", ");
      return (
        `\n${tint("✘", "bad")} ${cell.why ?? "the count is wrong"}\n  killed in  ${where}\n` +
        (cell.line === undefined ? "" : `  step at    ${cell.line}\n${frame(cell.line)}`) +
        (cell.fix === undefined ? "" : `  change     ${cell.fix}\n`)
      );
    })
    .join("");
}
