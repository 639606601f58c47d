// The picture of a large DAG: laid out in a worker, drawn, and moved about. The command draws 5,000 steps, the test a few hundred.
// The plan is wide and deep: layers of 50 steps, each of which needs three of the layer before.
import { contextOfEngine } from "../../../src/client/engine.ts";
import { localClient } from "../../../src/client/local-client.ts";
import { dag } from "../../../src/index.ts";
import { openWorld } from "../world.ts";
import { framesWhilePanning, timed, watchAnswers, type Measured } from "./measure.ts";

const perLayer = 50;

export async function dagBudget(nodes: number): Promise<readonly Measured[]> {
  const wide = dag({ name: "wide" }, (t) => {
    let before: readonly unknown[] = [];
    let last: unknown;
    for (let layer = 0; layer * perLayer < nodes; layer++) {
      const now = Array.from({ length: Math.min(perLayer, nodes - layer * perLayer) }, (_, i) => {
        const needs =
          before.length === 0
            ? {}
            : { a: before[i % before.length], b: before[(i + 1) % before.length], c: before[(i + 17) % before.length] };
        return t.task(`step-${layer}-${i}`, needs as never, () => 1, { repeatable: true });
      });
      before = now;
      last = now[0];
    }
    return last as never;
  });
  const w = await openWorld({ seeded: false, workflows: { wide: wide as never } });
  try {
    const run = (await w.app.start(wide as never, undefined as never, { id: "wide-1" })) as unknown as { readonly runId: string };
    await localClient(contextOfEngine(w.app)).waitForEnd(run.runId, { timeoutMs: 300_000 });
    const page = await w.open(`#/runs/${run.runId}`);
    const answers = watchAnswers(page);
    const ask = page.getByRole("button", { name: /^Draw / });
    if (nodes > 300) await ask.waitFor();
    const drawn = (await page.evaluate(`new Promise((resolve) => {
      const began = performance.now();
      const look = () => document.querySelector(".picture svg a") !== null ? resolve(performance.now() - began) : requestAnimationFrame(look);
      [...document.querySelectorAll("button")].find((b) => b.textContent.startsWith("Draw "))?.click();
      look();
    })`)) as number;
    const frames = await framesWhilePanning(page, ".picture", 4_000);
    const of = `a DAG of ${nodes.toLocaleString("en")} steps`;
    return [
      timed(`${of}: laid out and drawn`, drawn, 3_000),
      { what: `${of}: panning`, measured: `${Math.round(frames)} frames/s`, budget: "at least 30", kind: "time", kept: frames >= 30 },
      await answers.largest(),
    ];
  } finally {
    await w.close();
  }
}
