// Every screen in a real browser on a real server and store: that it draws, says what it should, in both themes, without a finding of axe, a script error or a
// refusal of the page's policy; and that payloads made to break it stay text. Skipped where there is no Chromium.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { wholeDose } from "../support/whole-dose.ts";
import { axeFindings } from "./axe.ts";
import { hasBrowser, openWorld, type World } from "./world.ts";

/** Each screen, and a text that only its finished state has. "{id}" is the run of that workflowId. */
const screens: readonly (readonly [name: string, hash: string, text: string])[] = [
  ["runs", "#/runs", "review-paused"],
  ["runs, filtered", "#/runs?status=failed&workflow=order", "order-1013"],
  ["run with a crash", "#/runs/{order-1042}", "took over"],
  ["run that failed", "#/runs/{report-2026-11}", "caused by Error: ECONNREFUSED warehouse:5432"],
  ["run of a DAG", "#/runs/{etl-nightly}", "clean/11"],
  ["run with children", "#/runs/{basket-5}", "basket-5/b"],
  ["decisions", "#/decisions", "Is this refund right?"],
  ["effects", "#/effects", "charge-order-1001"],
  ["effects of a key", "#/effects?key=payout-2026-11", "2 operations used this key"],
  ["proof", "#/runs/{order-1042}/proof", "unbroken"],
  ["retry", "#/runs/{order-1013}/retry", "kept"],
  ["overview", "#/overview", "Failures by error"],
  ["engines", "#/operations/engines", "alive"],
  ["workflows", "#/operations/workflows", "served"],
  ["queues", "#/operations/queues", "No queues"],
  ["workers", "#/operations/workers", "Worker"],
  ["schedules", "#/operations/schedules", "No schedules"],
  ["webhooks", "#/operations/webhooks", "No endpoints"],
  ["consumers", "#/operations/consumers", "Nobody reads the log"],
  ["alerts", "#/operations/alerts", "No alerts"],
  ["batches", "#/operations/batches", "No batches"],
  ["store", "#/operations/store", "sqlite"],
  ["tokens", "#/operations/tokens", "New token"],
  ["audit", "#/operations/audit", "When"],
  ["API", "#/api", "runs.retry"],
  ["error page", "#/errors/PAWL4001", "What to do"],
  ["nothing", "#/nowhere", "There is nothing at this address"],
];

describe.skipIf(!hasBrowser)("the dashboard's screens", () => {
  let w: World;
  const runIds = new Map<string, string>();
  beforeAll(async () => {
    // No queues: an engine would serve those of every task that other files of this process have defined.
    w = await openWorld({ engine: { queues: {} } });
    for (const r of (await w.app.list({ limit: 100 })).runs) runIds.set(r.workflowId, r.runId);
  });
  afterAll(() => w.close());
  const addressOf = (hash: string): string => hash.replace(/\{(.+?)\}/, (_, id: string) => encodeURIComponent(runIds.get(id) ?? id));
  const show = async (page: Page, hash: string, text: string): Promise<void> => {
    await page.evaluate(`location.hash = ${JSON.stringify(addressOf(hash))}`);
    await page.locator("#main", { hasText: text }).waitFor();
  };

  // The small dose looks at what people open most.
  const often = new Set(["runs", "run with a crash", "decisions", "effects of a key", "proof", "overview"]);
  const looked = screens.filter(([name]) => wholeDose || often.has(name));

  it.each(["light", "dark"] as const)("draw in the %s theme, and axe finds nothing", async (colorScheme) => {
    const page = await w.open("#/runs", { colorScheme });
    const findings: string[] = [];
    for (const [name, hash, text] of looked) {
      await show(page, hash, text);
      for (const finding of await axeFindings(page)) findings.push(`${name}: ${finding}`);
    }
    expect(findings).toEqual([]);
    expect(w.problems).toEqual([]);
  });

  it("a reader may choose the theme, and it stays", async () => {
    const page = await w.open("#/runs", { colorScheme: "light" });
    await page.getByLabel("Theme").selectOption("dark");
    await page.reload();
    await page.getByText("review-paused").waitFor();
    expect(
      await page.evaluate("getComputedStyle(document.body).colorScheme || getComputedStyle(document.documentElement).colorScheme"),
    ).toBe("dark");
  });

  it("payloads made to break a page stay text, and lose nothing", async () => {
    const page = await w.open("#/runs");
    const id = [...runIds.keys()].find((k) => k.startsWith("<img"))!;
    await show(page, `#/runs/${encodeURIComponent(runIds.get(id)!)}`, "Input");
    await page.locator("#main", { hasText: "123456789012345678901234567890n" }).waitFor();
    const text = (await page.evaluate("document.body.innerText")) as string;
    for (const shown of [
      "<script>window.hit=1;alert(1)</script>",
      `<img src=x onerror="window.hit=1">`,
      "⟨U+202E⟩gnp.exe",
      "a␀b",
      "⟨U+D800⟩ alone",
      "-0",
      "NaN",
      "5 bytes 00 01 02 fe ff",
      "Date 1970-01-01T00:00:00.005Z",
      "undefined",
      "20,000 characters",
    ])
      expect(text).toContain(shown);
    expect(await page.evaluate("[window.hit, document.querySelectorAll('#main img, #main script, #main iframe').length]")).toEqual([
      undefined,
      0,
    ]);
    await page.goto(`${w.url}/#/runs?words=${encodeURIComponent("<img")}`);
    await page.getByText("<img src=x", { exact: false }).first().waitFor();
    expect(w.problems).toEqual([]);
  });

  it("each run in the list says how strong its weakest effect is, and leads to the proof; live, and in few requests", async () => {
    const page = await w.open("#/runs", { viewport: { width: 1280, height: 1_800 } });
    const asked: string[] = [];
    page.on("request", (r) => r.url().includes("/v1/runs/") && asked.push(new URL(r.url()).pathname));
    const row = (id: string) => page.getByRole("row").filter({ has: page.getByRole("link", { name: id, exact: true }) });
    await row("order-1042").getByRole("link", { name: "verified" }).waitFor();
    await row("payout-ann").getByRole("link", { name: "in doubt" }).waitFor();
    await row("basket-5/a").getByRole("link", { name: "at least once" }).waitFor();
    await row("remind-ann").getByRole("link", { name: "at least once" }).waitFor();
    expect(await row("review-77").locator(".run-guarantee").innerText()).toBe("");
    await w.app.start(w.shop["order"]! as never, { sku: "cup" } as never, { id: "order-live" });
    await page.getByRole("button", { name: /new run/ }).click();
    await row("order-live").getByRole("link", { name: "verified" }).waitFor();
    expect(asked.length).toBeLessThan(15);
    await row("order-1042").getByRole("link", { name: "verified" }).click();
    await page.getByRole("heading", { name: "Proof" }).waitFor();
    expect(w.problems).toEqual([]);
  });

  it("a step shows its key, how long its receiver remembers it, and who took it over", async () => {
    const page = await w.open("#/runs");
    await show(page, "#/runs/{order-1042}", "charge card");
    const gap = await page.locator(".waterfall .crash").first().innerText();
    expect(gap).toMatch(/Crash: nobody worked on it for .*, then engine [0-9a-f-]{36}.* took over from [0-9a-f-]{36}/s);
    await page.getByRole("link", { name: /charge card/ }).click();
    const step = page.getByRole("complementary", { name: "Step" });
    await step.getByText("charge-order-1042", { exact: true }).waitFor();
    const text = await step.innerText();
    expect(text).toMatch(
      /by its receiver for 23h 5\d?m? ?.*more|by its receiver for 23h \d+m more|by its receiver for 1d more|by its receiver for 2\dh/,
    );
    expect(text).toMatch(/pawl\.StepRedispatched.*dispatch|pawl\.StepRedispatched/);
    expect(text).toContain("chargeId");
  });

  it("decisions fit a phone, without scrolling sideways", async () => {
    const page = await w.open("#/decisions", { viewport: { width: 390, height: 800 } });
    await page.getByText("Is this refund right?").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    expect(await page.evaluate("document.getElementById('main').scrollWidth <= document.getElementById('main').clientWidth")).toBe(true);
  });
});
