// The table that a campaign ends with, as Markdown: one row for each part and store. Counts only; what went wrong is told
// where it happens.
import type { Kind } from "./check.ts";
import type { Line } from "./parts.ts";

const head = [
  "part",
  "store",
  "faults",
  "runs",
  "effects",
  "sent again",
  "in doubt",
  "lost",
  "duplicate",
  "zombie",
  "broken",
  "differs",
  "canary",
  "seconds",
];

export function table(lines: readonly Line[]): string {
  const rows = lines.map((l) => {
    const count = (k: Kind): number => l.violations.filter((v) => v.kind === k).length;
    const cells = [l.part, l.store, l.faults, l.runs, l.effects, l.resent, l.inDoubt, count("lost"), count("duplicate")];
    return [...cells, count("zombie"), count("broken"), count("differs"), l.canaryCaught ? "caught" : "MISSED", l.seconds].join(" | ");
  });
  return [head.join(" | "), head.map(() => "---").join("|"), ...rows]
    .map((r) => `| ${r} |`)
    .join("\n")
    .replaceAll("| ---|", "|---|")
    .replaceAll("|--- |", "|---|");
}
