// What a reader of one run or one list relies on, in a real browser: a log that can be held still, what a verifier answered, who took a step over, a group of a DAG
// after its members, a filter that means the same in a terminal, versions that may be retired, commands that work as they stand. Skipped where there is no Chromium.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contextOfEngine } from "../../src/client/engine.ts";
import { localClient } from "../../src/client/local-client.ts";
import type { Client } from "../../src/client/types.ts";
import { engine, workflow } from "../../src/index.ts";
import { CliFolder, killCommands } from "../cli/pawl-process.ts";
import { hasBrowser, openWorld, type World } from "./world.ts";

/** It never answers; its verifier finds out that it happened. */
const asked = workflow({ name: "asked" }, (ctx) =>
  ctx.step("send parcel", () => new Promise(() => {}), { verify: () => ({ happened: true, result: "P-7" }), timeout: "30ms" } as never),
);
const versions = ["1", "2"].map((version) => workflow({ name: "versioned", version }, (ctx) => ctx.sleep("long", "2d")));

describe.skipIf(!hasBrowser)("looking closely", () => {
  let w: World;
  let client: Client;
  beforeAll(async () => {
    w = await openWorld({ workflows: { asked: asked as never, versioned: versions[0] as never } });
    client = localClient(contextOfEngine(w.app));
  });
  afterAll(async () => {
    await w.close();
    await killCommands();
  });
  const start = async (name: string, id: string): Promise<string> =>
    ((await w.app.start(w.shop[name]! as never, undefined as never, { id })) as unknown as { runId: string }).runId;
  const runOf = async (id: string): Promise<string> => (await w.app.list({ workflowId: id })).runs[0]!.runId;

  it("the log is held still, counts what came meanwhile, and continues", async () => {
    const page = await w.open(`#/runs/${await runOf("review-77")}`);
    const log = page.getByRole("region", { name: "Log" });
    await log.getByText("RunStarted").waitFor();
    await log.getByRole("button", { name: "Pause updates" }).click();
    const before = await log.locator("li").count();
    await client.control(await runOf("review-77"), "pause");
    await log.getByRole("button", { name: /^Updates paused: \d+ new · continue$/ }).waitFor();
    expect(await log.locator("li").count()).toBe(before);
    await log.getByRole("button", { name: /continue$/ }).click();
    await log.getByText("RunPaused").waitFor();
  });

  it("a step says what its verifier answered, and which engine with which fence took it over", async () => {
    const runId = await start("asked", "asked-1");
    await client.waitForEnd(runId);
    const page = await w.open(`#/runs/${runId}`);
    await page.getByRole("link", { name: /send parcel/ }).click();
    const step = page.getByRole("complementary", { name: "Step" });
    await step.getByRole("heading", { name: "What its verifier said" }).waitFor();
    expect(await step.innerText()).toContain("it happened");
    await page.goto(`${w.url}/#/runs/${await runOf("order-1042")}`);
    await page.getByRole("link", { name: /charge card/ }).click();
    await step.getByText("Taken over by").waitFor();
    expect(await step.innerText()).toMatch(/Taken over by\s+[0-9a-f-]{36}, fence 2/);
    // The events of the step name it as people wrote it.
    expect(await page.getByRole("region", { name: "Log" }).innerText()).toContain("charge card");
  });

  it("a group of a DAG is drawn after its members, and before what needs it", async () => {
    const page = await w.open(`#/runs/${await runOf("etl-nightly")}`);
    await page.locator(".picture a[aria-label^='clean/11,']").waitFor();
    const x = async (name: string): Promise<number> =>
      Number(await page.locator(`.picture a[aria-label^='${name},'] rect`).getAttribute("x"));
    const [member, group, after] = [await x("clean/11"), await x("clean"), await x("load")];
    expect([member < group, group < after]).toEqual([true, true]);
  });

  it("a run of an agent is as strong as its tools: calls of its model may repeat, and are not counted", async () => {
    expect(await client.guarantees([await runOf("ticket-17"), await runOf("research-owls")])).toMatchObject([
      { weakest: "KEYED" },
      { weakest: "REPEATABLE" },
    ]);
  });

  it("what stands in the filter lists the same runs in a terminal, typed or copied", async () => {
    const typed = "failed workflow:report tag:month=11";
    await w.app.start(w.shop["flaky"]! as never, undefined as never, { id: "report-tagged", tags: { month: "11" } } as never);
    await expect.poll(async () => (await w.app.list({ workflowId: "report-tagged" })).runs[0]?.status).toBe("FAILED");
    const page = await w.open("#/runs");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByLabel("Filter runs").fill(typed);
    await page.keyboard.press("Enter");
    await page.locator("[data-row='0']", { hasText: "report-tagged" }).waitFor();
    expect(await page.locator("[data-row]").allInnerTexts()).toEqual(["report-tagged"]);
    await page.getByRole("button", { name: "Copy as pawl ls" }).click();
    const copied = ((await page.evaluate("navigator.clipboard.readText()")) as string).split(" ").slice(2);
    const folder = new CliFolder();
    for (const args of [typed.split(" "), copied]) {
      const { runs } = await folder.json<{ runs: { workflowId: string }[] }>("ls", ...args, "--store", w.store);
      expect(runs.map((r) => r.workflowId)).toEqual(["report-tagged"]);
    }
  });

  it("a version that open runs need cannot be retired, and one that none needs can", async () => {
    const runId = await start("versioned", "old");
    const newer = await engine({ store: w.store, workflows: [versions[1] as never], log: () => {} });
    const page = await w.open("#/operations/workflows");
    const row = page.getByRole("row", { name: /^versioned/ });
    await row.getByRole("button", { name: "Can it be retired?" }).click();
    await row.getByText("no: 1 open run needs it").waitFor();
    await client.control(runId, "terminate", { reason: "done with it" } as never);
    await expect.poll(async () => (await client.get(runId))?.status).toBe("CANCELLED");
    await row.getByRole("button", { name: "Can it be retired?" }).click();
    await row.getByText("yes: no open run needs it").waitFor();
    await newer.stop();
  });

  it("a command of the API page works as it stands", async () => {
    const page = await w.open("#/api");
    await page.getByLabel("Find an operation").fill("runs.start");
    await page.locator("summary", { hasText: "runs.start" }).click();
    const command = await page.locator(".operation[open] .command code").innerText();
    const { stdout } = await promisify(execFile)("sh", ["-c", command], { timeout: 60_000 });
    expect(JSON.parse(stdout)).toMatchObject({ workflowId: "order-17" });
  });

  it("nothing of all this was an error, or against the page's policy", () => {
    expect(w.problems).toEqual([]);
  });
});
