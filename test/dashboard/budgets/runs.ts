// The list of a large store: its first rows, and its pages as somebody scrolls. The command measures 100,000 runs, the test a few.
// The runs are real: an engine ran each of them.
import { openWorld, type World } from "../world.ts";
import { percentile, tabMegabytes, timed, timeTo, watchAnswers, type Measured } from "./measure.ts";

export async function runsBudget(runs: number, pages: number): Promise<readonly Measured[]> {
  const w = await openWorld({ seeded: false });
  try {
    await startRuns(w, runs);
    return await measureRunList(w, runs, pages);
  } finally {
    await w.close();
  }
}

export async function startRuns(w: World, runs: number): Promise<void> {
  const started: Promise<unknown>[] = [];
  for (let i = 0; i < runs; i++) {
    started.push(w.app.start(w.shop["remindSoon"]! as never, undefined as never, { id: `wrap-${i}` }));
    if (started.length === 500) await Promise.all(started.splice(0));
  }
  await Promise.all(started);
  for (;;) {
    const { runs: open } = await w.app.list({ status: ["PENDING", "RUNNING"], limit: 1 });
    if (open.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function measureRunList(w: World, runs: number, pages: number): Promise<readonly Measured[]> {
  const page = await w.open("#/api");
  await page.getByText("runs.retry").waitFor();
  const answers = watchAnswers(page);
  const first = await timeTo(page, "#/runs", "[data-row='0']");
  const times: number[] = [];
  for (let n = 1; n <= pages; n++) {
    const rows = Math.min(runs, (n + 1) * 100);
    times.push((await page.evaluate(scrollUntil(rows))) as number);
  }
  const { heap, own } = await tabMegabytes(w.browser, page);
  const of = runs.toLocaleString("en");
  return [
    timed(`${of} runs: first rows`, first, 300),
    timed(`${of} runs: a page, p50`, percentile(times, 0.5), 50),
    timed(`${of} runs: a page, p95`, percentile(times, 0.95), 50),
    await answers.largest(),
    {
      what: `${of} runs: the tab after ${pages} pages`,
      measured: `${Math.round(heap)} MB of scripts, ${Math.round(own)} MB in all`,
      budget: "below 150 MB",
      kind: "time",
      kept: own < 150,
    },
  ];
}

/** Scrolls to the end, and says how long it took until the rows there were drawn and the page after them was here. */
function scrollUntil(rows: number): string {
  return `new Promise((resolve) => {
    const began = performance.now();
    const has = () => Number((document.querySelector(".list-end")?.textContent ?? "").replaceAll(",", "").match(/^\\d+/)?.[0] ?? 0) >= ${rows};
    const drawn = () => document.querySelector("[data-row='${Math.max(0, rows - 101)}']") !== null;
    const look = () => has() && drawn() ? resolve(performance.now() - began) : requestAnimationFrame(look);
    document.querySelector(".run-scroll").scrollTop = ${rows - 100} * 44;
    requestAnimationFrame(look);
  })`;
}
