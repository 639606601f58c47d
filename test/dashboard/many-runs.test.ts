// The budgets of the dashboard in small: no answer is large, and only what is in view is on the page, of a list of runs, a run and a DAG. Times are printed, never
// judged: machines differ. `npm run bench:dashboard` measures the real sizes. Skipped where there is no Chromium.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wholeDose } from "../support/whole-dose.ts";
import { dagBudget } from "./budgets/dag.ts";
import { eventsBudget } from "./budgets/events.ts";
import type { Measured } from "./budgets/measure.ts";
import { measureRunList, startRuns } from "./budgets/runs.ts";
import { hasBrowser, openWorld, type World } from "./world.ts";

/** Prints all, and says what is too large. */
function tooLarge(all: readonly Measured[]): readonly Measured[] {
  for (const { what, measured, budget } of all) console.log(`${what}: ${measured} (${budget})`);
  return all.filter((m) => m.kind === "bytes" && !m.kept);
}

const runs = wholeDose ? 350 : 120;

describe.skipIf(!hasBrowser)("much at once", () => {
  let w: World;
  beforeAll(async () => {
    w = await openWorld({ seeded: false });
    await startRuns(w, runs);
  });
  afterAll(() => w.close());

  it(`a list of ${runs} runs is read a page at a time, and no answer is large`, async () => {
    expect(tooLarge(await measureRunList(w, runs, wholeDose ? 3 : 1))).toEqual([]);
    const page = await w.open("#/runs");
    await page.locator("[data-row]").first().waitFor();
    await page.evaluate("document.querySelector('.run-scroll').scrollTop = 1e9");
    // Only what is in view is on the page.
    expect(await page.locator(".run-row").count()).toBeLessThan(60);
    // Back at the top, where pages may have been let go and are read again.
    await page.evaluate("document.querySelector('.run-scroll').scrollTop = 0");
    await page.locator("[data-row='0']", { hasText: "wrap-" }).waitFor();
    expect(w.problems).toEqual([]);
  });

  it("a long run opens with answers that are not large", async () => {
    expect(tooLarge(await eventsBudget(wholeDose ? 900 : 450))).toEqual([]);
  });

  it.skipIf(!wholeDose)("a DAG that is drawn when somebody asks is laid out beside the page", async () => {
    expect(tooLarge(await dagBudget(320))).toEqual([]);
  });
});
