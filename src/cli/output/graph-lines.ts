// Where a graph stands, for people: the superstep that ended last, and below it the items of the next one with how far each
// is. Pure: the same standpoint and the same steps give the same text.
import type { Standpoint, StepView } from "../../client/types.ts";
import type { Paint } from "./colors.ts";
import { clip, withoutControlChars } from "./format.ts";

/** More items of a superstep are counted, not drawn. */
const drawnMax = 20;

/** What waits for something else than its own work. */
const waiting: ReadonlySet<StepView["kind"]> = new Set(["timer", "signal", "child", "ask"]);

export function graphLines({ superstep, items, next }: Standpoint, steps: readonly StepView[], isSettled: boolean, p: Paint): string[] {
  const ended = items.map(({ node, ok, route }) => `${node}${ok ? "" : " failed"}${route.length === 0 ? "" : ` → ${route.join(", ")}`}`);
  const head = `superstep ${superstep}: ${withoutControlChars(clip(ended.join("; "), 200))}`;
  if (next.length === 0 || isSettled) return [head];
  const drawn = next.slice(0, drawnMax).map(({ item, node }, i) => {
    const own = steps.filter((s) => s.stepId.startsWith(`${item}/`));
    const [mark, says] = standing(own, p);
    const branch = i === next.length - 1 ? "└─" : "├─";
    return `${p.dim(branch)} ${mark} ${withoutControlChars(clip(node, 48))}  ${p.dim(`${withoutControlChars(clip(item, 60))} · ${says}`)}`;
  });
  const rest = next.length - drawn.length;
  return [head, `superstep ${superstep + 1}:`, ...drawn, ...(rest > 0 ? [`${p.dim("└─")} and ${rest} more`] : [])];
}

function standing(own: readonly StepView[], p: Paint): readonly [string, string] {
  if (own.length === 0) return [p.dim("◌"), "not begun, or without a step"];
  const open = own.filter(isOpen);
  if (open.length === 0) return [p.green("✔"), "its steps ended"];
  const waits = open.filter((s) => waiting.has(s.kind));
  if (waits.length < open.length) return [p.cyan("▶"), "at work"];
  return [p.dim("◌"), `waits for ${withoutControlChars(clip(waits.map((s) => s.name).join(", "), 60))}`];
}

function isOpen(s: StepView): boolean {
  return s.endedAt === undefined || s.retryAt !== undefined;
}
