// A tab that somebody leaves open: what it holds after as much live data as an hour brings, here in minutes. One tab follows the list while runs begin and end, another
// the log of a run that grows. An hour is taken as five runs and five events a second, and all of it is sent as fast as the machine can: what a tab keeps depends on
// how much arrived, not on when. Memory is that of the tab's own process.
import { contextOfEngine } from "../../../src/client/engine.ts";
import { localClient } from "../../../src/client/local-client.ts";
import { openWorld } from "../world.ts";
import { tabMegabytes, type Measured } from "./measure.ts";
import { startRuns } from "./runs.ts";

export async function liveBudget(runs: number, steps: number): Promise<readonly Measured[]> {
  const w = await openWorld({ seeded: false });
  try {
    await startRuns(w, 50);
    const list = await w.open("#/runs");
    await list.locator("[data-row='0']").waitFor();
    for (let n = 0; n < 10; n++) await startRuns(w, Math.ceil(runs / 10));
    await list.getByRole("button", { name: /new runs? · show/ }).click();
    await list.locator("[data-row='0']").waitFor();
    const ofList = await tabMegabytes(w.browser, list);
    await list.context().close();
    const run = (await w.app.start(w.shop["long"]! as never, steps as never, { id: "ledger-1" })) as unknown as { readonly runId: string };
    const page = await w.open(`#/runs/${run.runId}`);
    await localClient(contextOfEngine(w.app)).waitForEnd(run.runId, { timeoutMs: 300_000 });
    await page.locator(".run-title .badge", { hasText: "completed" }).waitFor({ timeout: 120_000 });
    const ofRun = await tabMegabytes(w.browser, page);
    return [
      line(`the tab of the list after an hour's live data, ${runs.toLocaleString("en")} runs that began and ended`, ofList),
      line(`the tab of a run after an hour's live data, ${(2 * steps).toLocaleString("en")} events`, ofRun),
    ];
  } finally {
    await w.close();
  }
}

function line(what: string, { heap, own }: { readonly heap: number; readonly own: number }): Measured {
  const measured = `${Math.round(heap)} MB of scripts, ${Math.round(own)} MB in all`;
  return { what, measured, budget: "below 150 MB", kind: "time", kept: own < 150 };
}
