// What people do with the dashboard, in a real browser: answer a decision with the keyboard alone, pause and cancel with a reason, retry what was previewed, act on
// all runs that match; and what happens around them while they look: a process dies, runs arrive. Skipped where there is no Chromium.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contextOfEngine } from "../../src/client/engine.ts";
import { localClient } from "../../src/client/local-client.ts";
import { dieCharging, hasBrowser, openWorld, type World } from "./world.ts";

describe.skipIf(!hasBrowser)("acting in the dashboard", () => {
  let w: World;
  beforeAll(async () => {
    w = await openWorld();
  });
  afterAll(() => w.close());
  const runOf = async (id: string): Promise<{ runId: string; status: string }> =>
    (await w.app.list({ limit: 200 })).runs.find((r) => r.workflowId === id)!;

  it("a decision is answered with the keyboard alone, and the reason is recorded", async () => {
    const page = await w.open("#/runs");
    await page.getByText("review-paused").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    const question = page.getByRole("article", { name: /refund-1013/ });
    await question.waitFor();
    const { runId } = await runOf("refund-1013");
    // To the first choice of this question, by Tab alone.
    for (let i = 0; ; i++) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(
        "[document.activeElement.value, document.activeElement.closest('article')?.getAttribute('aria-label') ?? '']",
      );
      if ((at as string[])[0] === "approve" && (at as string[])[1]!.includes("refund-1013")) break;
      expect(i).toBeLessThan(80);
    }
    await page.keyboard.press("Enter"); // no single key answers
    expect((await w.app.decisions()).some((d) => d.runId === runId)).toBe(true);
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await page.keyboard.type("the receipt fits");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("status").filter({ hasText: "refund-1013: approve." }).waitFor();
    const client = localClient(contextOfEngine(w.app));
    expect(await client.waitForEnd(runId)).toMatchObject({ status: "COMPLETED", result: "sent" });
    expect(JSON.stringify(await client.events(runId))).toContain("the receipt fits");
  });

  it("pausing asks first; what was asked for is on the page", async () => {
    const { runId } = await runOf("review-77");
    const page = await w.open(`#/runs/${runId}`);
    await page.getByRole("button", { name: "Pause …" }).click();
    await page.getByRole("dialog").getByText("Nothing further begins").waitFor();
    await page.keyboard.press("Escape");
    expect((await runOf("review-77")).status).toBe("RUNNING");
    await page.getByRole("button", { name: "Pause …" }).click();
    await page.getByLabel("Reason").fill("holiday");
    await page.getByRole("button", { name: "Pause the run" }).click();
    await page.locator(".run-title .badge", { hasText: "paused" }).waitFor();
    expect((await runOf("review-77")).status).toBe("PAUSED");
  });

  it("ending a run at once needs a reason", async () => {
    const { runId } = await runOf("remind-ann");
    const page = await w.open(`#/runs/${runId}`);
    await page.getByRole("button", { name: "Terminate …" }).click();
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.getByRole("button", { name: "Terminate the run" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Reason").fill("ann left");
    await dialog.getByRole("button", { name: "Terminate the run" }).click();
    await page.locator(".run-title .badge", { hasText: "cancelled" }).waitFor();
  });

  it("a retry does what its preview said, and leads to the new run", async () => {
    const { runId } = await runOf("order-1013");
    const page = await w.open(`#/runs/${runId}/retry`);
    await page.getByText("charge card").waitFor();
    await page.getByRole("button", { name: "Retry …" }).click();
    await page.getByLabel("Reason").fill("a lighter parcel");
    await page.getByRole("button", { name: "Start the retry" }).click();
    await page.getByText("Retry of").waitFor();
    expect(page.url()).not.toContain(runId);
  });

  it("a run that completed is run again from a step that somebody chooses", async () => {
    const { runId } = await runOf("order-1002");
    const page = await w.open(`#/runs/${runId}`);
    await page.getByRole("link", { name: "Retry …" }).click();
    await page.getByText("Choose the step from which it runs again").waitFor();
    await page.getByRole("link", { name: "ship parcel" }).click();
    await page.getByRole("button", { name: "not from here" }).waitFor();
    expect(page.url()).toContain("from=");
    await page.getByRole("button", { name: "Retry …" }).click();
    await page.getByLabel("Reason").fill("the parcel came back");
    await page.getByRole("button", { name: "Start the retry" }).click();
    await page.getByText("Retry of").waitFor();
  });

  it("all runs that match are previewed, then acted on", async () => {
    const page = await w.open("#/runs?workflow=report&status=failed");
    await page.getByText("report-2026-11").waitFor();
    await page.getByRole("button", { name: "Act on all that match …" }).click();
    await page.getByLabel("Reason").fill("the warehouse is open again");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("2 runs match").waitFor();
    await page.getByRole("button", { name: "retry 2 runs" }).click();
    await page.getByRole("cell", { name: "the warehouse is open again" }).waitFor();
    await page.locator("td .badge", { hasText: "done" }).waitFor();
    expect((await w.app.list({ workflow: "report", limit: 50 })).runs.length).toBe(4);
  });

  it("the filter, the address and the command are one", async () => {
    const page = await w.open("#/runs");
    await page.getByLabel("Filter runs").fill("failed workflow:order");
    await page.keyboard.press("Enter");
    await page.getByText("order-1013").first().waitFor();
    expect(new URL(page.url()).hash).toBe("#/runs?status=failed&workflow=order");
    await page.reload();
    await page.getByText("order-1013").first().waitFor();
    expect(await page.getByLabel("Filter runs").inputValue()).toBe("failed workflow:order");
  });

  it("new runs wait behind a button: what is read does not move", async () => {
    const page = await w.open("#/runs");
    const first = page.locator("[data-row='0']");
    await first.waitFor();
    const before = await first.innerText();
    await page.evaluate("document.querySelector('.run-scroll').scrollTop = 60");
    await w.app.start(w.shop["remindSoon"]! as never, undefined as never, { id: "wrap-new" });
    await page.getByRole("button", { name: "1 new run · show" }).waitFor();
    expect([await first.innerText(), await page.evaluate("document.querySelector('.run-scroll').scrollTop")]).toEqual([before, 60]);
    await page.getByRole("button", { name: "1 new run · show" }).click();
    await page.locator("[data-row='0']", { hasText: "wrap-new" }).waitFor();
  });

  it("a process that dies is seen as it happens: the gap, and who took over", async () => {
    const sign = join(w.folder, "die");
    const died = dieCharging(w.store, "order-2000", sign);
    await expect.poll(() => runOf("order-2000"), { timeout: 60_000 }).toBeDefined();
    const page = await w.open("#/runs/order-2000");
    await page.getByText("charge card").first().waitFor();
    await page.locator(".run-title .badge", { hasText: "running" }).waitFor();
    writeFileSync(sign, "");
    await died;
    await page.getByText("took over").waitFor();
    await page.locator(".run-title .badge", { hasText: "completed" }).waitFor();
  });

  it("nothing of all this was an error, or against the page's policy", () => {
    expect(w.problems).toEqual([]);
  });
});
