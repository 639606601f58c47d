// What each screen must have on it, each opened by its own address in a fresh page, as somebody who was sent the link: attempts, waits that are drawn short, children, the four groups of
// a retry, equal keys side by side, what a proof rests on and what would change it, the figures of the overview; and an inbox that works on a phone. Skipped where there is no Chromium.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { workflow } from "../../src/index.ts";
import { hasBrowser, openWorld, type World } from "./world.ts";

/** Work, a wait that is much longer than the work, work. */
const nap = workflow({ name: "nap" }, async (ctx) => {
  await ctx.step("lie down", () => 1, { repeatable: true });
  await ctx.sleep("sleep", "1500ms");
  await ctx.step("get up", () => 2, { repeatable: true });
});

const screens: readonly (readonly [hash: string, texts: readonly string[]])[] = [
  ["#/runs", ["Guarantee", "Waits for / error", "a decision", "at least once", "Copy as pawl ls"]],
  ["#/runs/{order-1007}", ["It completed.", "2 tries"]],
  ["#/runs/{nap-1}", ["Dotted: waits, drawn short (1."]],
  ["#/runs/{basket-5}", ["Children", "basket-5/a", "basket-5/b"]],
  ["#/runs/{report-2026-11}", ["the warehouse is closed", "caused by Error: ECONNREFUSED warehouse:5432"]],
  [
    "#/decisions",
    ["Is this refund right?", "Would send", "Evidence: event", "Approve", "The step fails as NOT_APPROVED", "Did it happen?"],
  ],
  ["#/effects?key=payout-2026-11", ["2 operations used this key", "payout-ann", "payout-bob", "It assumes that"]],
  [
    "#/runs/{order-1042}/proof",
    ["took effect once, under 3 assumptions", "honours key charge-order-1042", "unbroken", "Download evidence"],
  ],
  ["#/runs/{remind-ann}/proof", ["What would make it stronger", "write mail"]],
  ["#/runs/{delivery-8}/retry", ["needs a decision", "may repeat", "runs again", "kept", "send contract", "declare goods"]],
  ["#/overview", ["Runs that began", "Steps taken over after a crash", "Failures by error", "Waiting longest for a person", "Effects in doubt", "taken over by another"]], // prettier-ignore
  ["#/api", ["runs.retry", "JSON-RPC at"]],
];

describe.skipIf(!hasBrowser)("what each screen has", () => {
  let w: World;
  beforeAll(async () => {
    w = await openWorld({ workflows: { nap: nap as never } });
    await w.app.start(nap as never, undefined as never, { id: "nap-1" });
    while ((await w.app.list({ workflowId: "nap-1" })).runs[0]?.status !== "COMPLETED")
      await new Promise((resolve) => setTimeout(resolve, 20));
  });
  afterAll(() => w.close());
  const runOf = async (id: string): Promise<string> => (await w.app.list({ workflowId: id })).runs[0]!.runId;

  it("is there when somebody opens the link", async () => {
    for (const [given, texts] of screens) {
      const id = /\{(.+?)\}/.exec(given)?.[1];
      const hash = id === undefined ? given : given.replace(`{${id}}`, encodeURIComponent(await runOf(id)));
      const page = await w.open(hash, { viewport: { width: 1280, height: 1_600 } });
      for (const text of texts) await page.locator("#main", { hasText: text }).waitFor();
      expect(new URL(page.url()).hash).toBe(hash);
      await page.context().close();
    }
    expect(w.problems).toEqual([]);
  });

  it("each try of a step has a bar of its own", async () => {
    const page = await w.open(`#/runs/${await runOf("order-1007")}`);
    const tried = page.locator(".step", { hasText: "2 tries" });
    await tried.waitFor();
    expect(await tried.locator(".step-track > .bar.failed").count()).toBe(1);
    expect(await tried.locator(".step-track > .bar.success").count()).toBe(1);
    await page.context().close();
  });

  it("the groups of a retry come in the order of what they ask of a reader", async () => {
    const page = await w.open(`#/runs/${await runOf("delivery-8")}/retry`);
    await page.getByText("book van").waitFor();
    expect(await page.locator(".retry h2 .badge").allInnerTexts()).toEqual(["needs a decision", "may repeat", "runs again", "kept"]);
  });

  it("a question is answered on a phone, without scrolling sideways", async () => {
    const page = await w.open("#/decisions", { viewport: { width: 390, height: 800 }, hasTouch: true });
    const question = page.getByRole("article", { name: /refund-1013/ });
    await question.getByText("Refuse", { exact: true }).tap();
    await question.getByLabel("Reason").fill("the receipt is of another order");
    await question.getByRole("button", { name: /^Record/ }).tap();
    await page.getByRole("status").filter({ hasText: "refund-1013" }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    await expect.poll(async () => (await w.app.list({ workflowId: "refund-1013" })).runs[0]?.status).toBe("FAILED");
    expect(w.problems).toEqual([]);
  });
});
