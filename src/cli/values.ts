// The values of a run below its tree: input, views and result on a line each, or whole with --full, and then those of every step.
// Pure. Text of users reaches the terminal without control characters.
import type { Shown } from "./tree.ts";
import { clipped, plain } from "./text.ts";

const lineMax = 200;

/** What went in, what it shows and what came out. */
export function valuesOf({ detail, full }: Shown): string[] {
  const named: [string, unknown][] = [
    ["input", detail.input],
    ...Object.entries(detail.views ?? {}).map(([name, value]): [string, unknown] => [`view ${name}`, value]),
    ["result", detail.result],
    ...(full === true ? [["failed", detail.failure] as [string, unknown]] : []),
  ];
  return named.flatMap(([name, value]) => (value === undefined ? [] : valueLines(name, value, full === true)));
}

/** What each step returned, or threw. */
export function wholeSteps({ steps, detail }: Shown): string[] {
  return steps.flatMap((s) => {
    const { result, failure } = detail.steps.get(s.stepId) ?? {};
    const value = s.status === "SUCCESS" ? result : failure;
    if (value === undefined) return [];
    return ["", ...valueLines(`step ${s.stepId} ${s.status === "SUCCESS" ? "result" : "failed"}`, value, true)];
  });
}

function valueLines(name: string, value: unknown, full: boolean): string[] {
  if (!full) return [`${plain(name)}: ${clipped(JSON.stringify(value), lineMax)}`];
  const text = JSON.stringify(value, null, 2).split("\n");
  return text.length === 1 ? [`${plain(name)}: ${plain(text[0] ?? "")}`] : [`${plain(name)}:`, ...text.map((l) => `  ${l}`)];
}
