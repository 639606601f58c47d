// A long run: how long its page takes, and that no answer is large. The command opens one with 20,000 events, the test a short one.
// What is measured is the whole page: the sentence, the picture of the steps, the newest events.
import { contextOfEngine } from "../../../src/client/engine.ts";
import { localClient } from "../../../src/client/local-client.ts";
import { openWorld } from "../world.ts";
import { timed, timeTo, watchAnswers, type Measured } from "./measure.ts";

export async function eventsBudget(steps: number): Promise<readonly Measured[]> {
  const w = await openWorld({ seeded: false });
  try {
    const run = (await w.app.start(w.shop["long"]! as never, steps as never, { id: "ledger-1" })) as unknown as { readonly runId: string };
    await localClient(contextOfEngine(w.app)).waitForEnd(run.runId, { timeoutMs: 300_000 });
    const page = await w.open("#/api");
    await page.getByText("runs.retry").waitFor();
    const answers = watchAnswers(page);
    const first = await timeTo(page, `#/runs/${run.runId}`, ".because");
    const whole =
      first + (await timeTo(page, `#/runs/${run.runId}`, ".waterfall li")) + (await timeTo(page, `#/runs/${run.runId}`, ".events li"));
    const { headSeq } = (await w.app.list({ limit: 1 })).runs[0]!;
    await page.locator(".waterfall a").last().click();
    await page.getByRole("complementary", { name: "Step" }).getByText("What happened").waitFor();
    const largest = await answers.largest();
    const proof = await timeTo(page, `#/runs/${run.runId}/proof`, ".verdict");
    const of = `a run of ${headSeq.toLocaleString("en")} events`;
    return [timed(`${of}: its page`, whole, 1_000), largest, timed(`${of}: its proof`, proof, 1_000)];
  } finally {
    await w.close();
  }
}
