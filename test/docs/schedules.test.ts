// docs/schedules.md: its first block runs as it is printed, its example is the file that a test runs, and its tables name what there is. Guards
// that the page outlives no change of the code.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { cronTimes } from "../../src/schedule/cron.ts";
import { everyMsMin } from "../../src/schedule/due-times.ts";
import { firesKept } from "../../src/schedule/rows.ts";
import { scheduleViewSchema } from "../../src/api/schemas/schedule.ts";
import { pageSource, root } from "./read-page.ts";

const page = pageSource("docs/schedules.md");
const [first = ""] = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((m) => m[1] ?? "");

describe("docs/schedules.md", () => {
  it("its first block puts two schedules and says when they are due", async () => {
    mkdirSync(join(root, "node_modules/.pawl"), { recursive: true });
    const dir = mkdtempSync(join(root, "node_modules/.pawl/schedules-"));
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    try {
      const code = first.replace('from "pawl"', 'from "../../../src/index.ts"').replace("engine({ ", 'engine({ store: "memory:", ');
      writeFileSync(join(dir, "page.ts"), code);
      await import(/* @vite-ignore */ join(dir, "page.ts"));
      expect(log.mock.calls.map(([name, at]) => [name, Number.isNaN(Date.parse(String(at)))])).toEqual([
        ["daily-report", false],
        ["sweep", false],
      ]);
    } finally {
      log.mockRestore();
      rmSync(dir, { recursive: true, force: true });
    }
  });

  it("has the example that a test runs", () => {
    expect(page).toContain(`<!-- examples/cron-invoicing.ts -->\n\n\`\`\`ts\n${pageSource("examples/cron-invoicing.ts")}\`\`\``);
  });

  it("names every outcome of a due time, and the bounds that the code has", () => {
    const outcomes = JSON.stringify((scheduleViewSchema as unknown as { toJSONSchema(): unknown }).toJSONSchema?.() ?? {});
    for (const did of ["started", "skipped", "missed", "failed"]) {
      expect(page).toMatch(new RegExp(`^\\| \`${did}\` \\|`, "m"));
      if (outcomes !== "{}") expect(outcomes).toContain(did);
    }
    expect([everyMsMin, page.includes("at least `1s`")]).toEqual([1_000, true]);
    expect([firesKept, page.includes("The last 1,000 records")]).toEqual([1_000, true]);
  });

  it("shows expressions that exist", () => {
    for (const cron of ["0 9 * * MON-FRI", "0 2 * * *", "0 * * * *", "@hourly", "@daily", "0 9 L * *", "0 9 * * FRI#2", "0 9 1 * +MON"])
      expect(cronTimes(cron, "Europe/Zurich").next(0), cron).toBeGreaterThan(0);
  });
});
