// The crash lab in a real browser: the printed link signs in, a step and a window are chosen, the process dies, the table fills; code that does not load and runs
// that a change stopped are shown and acted on. Skipped where there is no Chromium.
import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromium, type Browser } from "playwright-core";
import { killCommands } from "../cli/pawl-process.ts";
import { axeInBothThemes } from "../dashboard/axe.ts";
import { buildDashboard } from "../dashboard/built.ts";
import { DevProcess } from "./dev-process.ts";

const executablePath = "/usr/bin/chromium";

const file = `import { workflow } from "pawl";
export const order = workflow({ name: "order" }, async (ctx) => {
  await ctx.step("charge", () => 1, { key: "k-" + ctx.run.workflowId, dedup: "1d" });
  await ctx.step("note", () => 2);
  return ctx.step("end", () => 3, { repeatable: true });
});
export const slow = workflow({ name: "slow" }, async (ctx) => {
  await ctx.sleep("first-pause", "6s");
});
`;

describe.skipIf(!existsSync(executablePath))("the crash lab in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    await buildDashboard();
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser.close();
    await killCommands();
  });

  it("kills where the button says, fills the table, and shows what a change broke", async () => {
    const dev = new DevProcess({ "order.ts": file });
    const { link } = await dev.event("listening");
    await dev.event("ready");
    const client = await dev.client();
    await client.start({ workflow: "order", id: "o-1" });
    await client.waitForEnd("o-1");

    const page = await browser.newPage();
    await page.goto(String(link));
    await page.getByRole("link", { name: "Crash lab" }).click();
    const crash = async (step: string, window: string): Promise<void> => {
      await page.getByLabel("Run", { exact: true }).selectOption("o-1");
      await page.getByLabel("Step", { exact: true }).selectOption(step);
      await page.getByLabel("Window", { exact: true }).selectOption(window);
      await page.getByRole("button", { name: "Crash here" }).click();
      expect(await dev.event("died")).toMatchObject({ how: "SIGKILL" });
      expect(await dev.event("ready")).toMatchObject({ why: "restarted" });
    };
    await crash("charge", "D");
    await page.getByText("✔ twice").waitFor();
    await crash("note", "D");
    await page.getByText("✘ twice").waitFor();
    await page.getByText("note ran twice instead of once").waitFor();
    expect(await page.locator(".lab-table tbody tr").count()).toBe(2);
    expect(await axeInBothThemes(page)).toEqual([]);

    dev.folder.write("order.ts", `${file}\nexport const broken = {;\n`);
    await dev.event("failed");
    await page.getByText("the code on disk does not load").waitFor();
    await page.getByText("export const broken = {;").waitFor();

    await client.start({ workflow: "slow", id: "s-1" });
    while ((await client.get("s-1"))?.waiting !== "timer") await client.waitForChange("s-1", { timeoutMs: 50 });
    dev.folder.write("order.ts", file.replace(`"first-pause", "6s"`, `"other-pause", "1ms"`));
    await dev.event("diverged");
    await page.getByText("first-pause").waitFor();
    await page.getByRole("button", { name: "Start again on the new code" }).click();
    expect(await dev.event("again")).toMatchObject({ workflowId: "s-1" });
    expect((await client.waitForEnd("s-1")).status).toBe("COMPLETED");
    await page.getByText("the code on disk does not load").waitFor({ state: "detached" });

    // The link was for one session.
    const other = await browser.newContext();
    const second = await other.newPage();
    await second.goto(String(link));
    await second.getByText("this link was used before").waitFor();
    await other.close();
    await page.close();
    await client.close();
    expect(await dev.stop()).toBe(0);
  });
});
