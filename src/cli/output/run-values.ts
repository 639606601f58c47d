// The values of a run below its tree: input, views and result on a line each, or whole with --full, and then those of every step.
// Pure. Text of users reaches the terminal without control characters.
import type { RunTreeInput } from "./run-tree.ts";
import { clip, withoutControlChars } from "./format.ts";

const lineMax = 200;

/** What went in, what it shows and what came out. */
export function runValueLines({ detail, full }: RunTreeInput): string[] {
  const named: [string, unknown][] = [
    ["input", detail.input],
    ...Object.entries(detail.views ?? {}).map(([name, value]): [string, unknown] => [`view ${name}`, value]),
    ["result", detail.result],
    ...(full === true ? [["failed", detail.failure] as [string, unknown]] : []),
  ];
  return named.flatMap(([name, value]) => (value === undefined ? [] : valueLines(name, value, full === true)));
}

/** What each step returned, or threw. */
export function stepValueLines({ steps, detail }: RunTreeInput): string[] {
  return steps.flatMap((s) => {
    const { result, failure } = detail.steps.get(s.stepId) ?? {};
    const value = s.status === "SUCCESS" ? result : failure;
    if (value === undefined) return [];
    return ["", ...valueLines(`step ${s.stepId} ${s.status === "SUCCESS" ? "result" : "failed"}`, value, true)];
  });
}

function valueLines(name: string, value: unknown, full: boolean): string[] {
  if (!full) return [`${withoutControlChars(name)}: ${clip(JSON.stringify(value), lineMax)}`];
  const text = JSON.stringify(value, null, 2).split("\n");
  return text.length === 1
    ? [`${withoutControlChars(name)}: ${withoutControlChars(text[0] ?? "")}`]
    : [`${withoutControlChars(name)}:`, ...text.map((l) => `  ${l}`)];
}
