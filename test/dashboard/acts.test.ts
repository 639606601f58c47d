// Every act that the dashboard offers beside those of actions.test.ts, in a real browser: two people who must agree, runs that are cancelled and resumed, workflows, queues,
// schedules, endpoints, tokens, batches, an engine that is drained; by keyboard alone, and over a slow network. Skipped where there is no Chromium.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Client } from "../../src/client/types.ts";
import { contextOfEngine } from "../../src/client/engine.ts";
import { localClient } from "../../src/client/local-client.ts";
import { task, workflow } from "../../src/index.ts";
import { hasBrowser, openWorld, type World } from "./world.ts";

const resize = task({ name: "resize", input: z.any() }, () => "small", { queue: "images", repeatable: true } as never);
const shrink = workflow({ name: "shrink", input: z.any() }, (ctx, input) => ctx.do(resize as never, input as never));

/** Opens the dialog of a button in this row, gives the reason if one is asked for, and does it. */
async function act(page: Page, row: RegExp, open: string, verb: string, reason = "because"): Promise<void> {
  await page.getByRole("row", { name: row }).getByRole("button", { name: open }).click();
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  const field = dialog.getByLabel("Reason");
  if ((await field.count()) > 0) await field.fill(reason);
  await dialog.getByRole("button", { name: verb }).click();
  await dialog.waitFor({ state: "detached" });
}

describe.skipIf(!hasBrowser)("acts of operators", () => {
  let w: World;
  let client: Client;
  beforeAll(async () => {
    w = await openWorld({ seeded: false, workflows: { shrink: shrink as never } });
    client = localClient(contextOfEngine(w.app));
  });
  afterAll(() => w.close());
  const start = async (name: string, id: string, input?: unknown): Promise<string> =>
    ((await w.app.start(w.shop[name]! as never, input as never, { id })) as unknown as { runId: string }).runId;

  it("a run is cancelled by the keyboard alone, and a paused one resumed", async () => {
    const runId = await start("review", "review-1");
    const page = await w.open(`#/runs/${runId}`);
    await page.getByRole("button", { name: "Cancel …" }).waitFor();
    for (let i = 0; (await page.evaluate("document.activeElement.textContent")) !== "Cancel …"; i++) {
      expect(i).toBeLessThan(60);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    for (let i = 0; (await page.evaluate("document.activeElement.tagName")) !== "TEXTAREA"; i++) {
      expect(i).toBeLessThan(10);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.type("not needed any more");
    for (let i = 0; (await page.evaluate("document.activeElement.textContent")) !== "Cancel the run"; i++) {
      expect(i).toBeLessThan(10);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await page.locator(".run-title .badge", { hasText: "cancelled" }).waitFor();
    expect(JSON.stringify(await client.events(runId))).toContain("not needed any more");
    const other = await start("review", "review-2");
    await client.control(other, "pause");
    await page.goto(`${w.url}/#/runs/${other}`);
    await page.getByRole("button", { name: "Resume …" }).click();
    await page.getByRole("button", { name: "Resume the run" }).click();
    await page.locator(".run-title .badge", { hasText: "running" }).waitFor();
  });

  it("a workflow, a queue and a schedule are paused and resumed; a schedule is fired", async () => {
    const page = await w.open("#/operations/workflows");
    await act(page, /^wrap/, "Pause …", "Pause it", "stocktaking");
    await page.getByRole("row", { name: /^wrap/ }).getByText("paused").waitFor();
    expect((await client.workflows()).find((x) => x.workflow === "wrap")?.paused?.reason).toBe("stocktaking");
    await act(page, /^wrap/, "Resume …", "Resume it");
    await page.getByRole("row", { name: /^wrap/ }).getByText("served").waitFor();

    await start("shrink", "shrink-1");
    await page.goto(`${w.url}/#/operations/queues`);
    await act(page, /^images/, "Pause …", "Pause it", "the disk is full");
    await page
      .getByRole("row", { name: /^images/ })
      .getByText("paused")
      .waitFor();
    await act(page, /^images/, "Resume …", "Resume it");
    await page
      .getByRole("row", { name: /^images/ })
      .getByRole("button", { name: "Pause …" })
      .waitFor();

    await client.schedules.put({ name: "nightly", when: { cron: "0 2 * * *" }, workflow: "wrap" } as never);
    await page.goto(`${w.url}/#/operations/schedules`);
    await act(page, /^nightly/, "Pause …", "Pause it");
    await act(page, /^nightly/, "Resume …", "Resume it");
    await act(page, /^nightly/, "Fire now …", "Start it");
    await page
      .getByRole("row", { name: /^nightly/ })
      .getByRole("link", { name: "open" })
      .waitFor();
    expect((await w.app.list({ workflow: "wrap" })).runs).toHaveLength(1);
  });

  it("an endpoint is paused, resumed and removed; a token is made, shown once and revoked", async () => {
    await client.webhooks.add({ url: "https://example.com/hooks", events: ["RunFailed"], id: "hooks" } as never);
    const page = await w.open("#/operations/webhooks");
    const row = page.getByRole("row", { name: /example\.com/ });
    await act(page, /example\.com/, "Pause …", "Pause it");
    await row.getByText("paused").waitFor();
    await act(page, /example\.com/, "Resume …", "Resume it");
    await row.getByText("sending").waitFor();
    await act(page, /example\.com/, "Remove …", "Remove it");
    await page.getByText("No endpoints").waitFor();

    await page.goto(`${w.url}/#/operations/tokens`);
    await page.getByRole("button", { name: "New token …" }).click();
    await page.getByLabel("For whom").fill("ann");
    await page.getByRole("button", { name: "Make it" }).click();
    const secret = await page.locator(".secret code").innerText();
    expect(secret).toMatch(/^pawl_/);
    await page.getByRole("button", { name: "I have it" }).click();
    expect(await page.evaluate("document.documentElement.textContent")).not.toContain(secret);
    await act(page, /ann \(person\)/, "Revoke …", "Revoke it", "she left");
    await page
      .getByRole("row", { name: /ann \(person\)/ })
      .getByText("revoked")
      .waitFor();
    await page.goto(`${w.url}/#/operations/audit`);
    await page.getByRole("cell", { name: "tokens.revoke" }).first().waitFor();
  });

  it("evidence is downloaded, and a proof says its sentence", async () => {
    const runId = await start("order", "order-1", { sku: "cup" });
    await client.waitForEnd(runId);
    const page = await w.open(`#/runs/${runId}/proof`, { acceptDownloads: true });
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download evidence" }).click();
    expect((await waiting).suggestedFilename()).toBe("order-1.evidence.zip");
  });

  it("over a slow network what was asked for is sent once, and the page says that it waits", async () => {
    const runId = await start("review", "review-3");
    const page = await w.open(`#/runs/${runId}`);
    await page.getByRole("button", { name: "Pause …" }).waitFor();
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 700,
      downloadThroughput: 20_000,
      uploadThroughput: 20_000,
    });
    const sent: string[] = [];
    page.on("request", (r) => r.method() === "POST" && sent.push(new URL(r.url()).pathname));
    await page.getByRole("button", { name: "Pause …" }).click();
    await page.getByRole("button", { name: "Pause the run" }).dblclick();
    await page.getByRole("button", { name: "Asking …" }).waitFor();
    await page.locator(".run-title .badge", { hasText: "paused" }).waitFor();
    expect(sent.filter((path) => path.endsWith("/pause"))).toHaveLength(1);
    await page.evaluate("location.hash = '#/effects'");
    await page.getByRole("heading", { name: "Effects" }).waitFor();
    expect(w.problems).toEqual([]);
  });

  it("an engine is drained", async () => {
    const page = await w.open("#/operations/engines");
    await act(page, /alive/, "Drain …", "Drain it", "a new machine");
    await page.getByRole("row").getByText("draining").waitFor();
    expect((await client.engines()).map((e) => e.draining !== undefined)).toEqual([true]);
  });
});

describe.skipIf(!hasBrowser)("two people", () => {
  it("must agree where the engine asks for two, by the keyboard alone; the second one sees what the first said", async () => {
    const w = await openWorld({ seeded: false, server: { auth: () => null }, engine: { requireTwoApprovers: true } });
    try {
      const client = localClient(contextOfEngine(w.app));
      const tokens = await Promise.all(
        ["ann", "bob"].map((subject) => client.tokens.create({ subject, kind: "person", scopes: ["read", "payloads", "resolve"] })),
      );
      const { runId } = (await w.app.start(w.shop["refund"]! as never, { cents: 5 } as never, { id: "refund-1" })) as unknown as {
        runId: string;
      };
      const answer = async (token: string, reason: string): Promise<Page> => {
        const page = await w.open(`#token=${token}`);
        await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
        await page.evaluate("location.hash = '#/decisions'");
        await page.getByRole("article", { name: /refund-1/ }).waitFor();
        // By the keyboard alone.
        for (let i = 0; (await page.evaluate("document.activeElement.value")) !== "approve"; i++) {
          expect(i).toBeLessThan(60);
          await page.keyboard.press("Tab");
        }
        await page.keyboard.press("Space");
        await page.keyboard.press("Tab");
        await page.keyboard.type(reason);
        await page.keyboard.press("Tab");
        expect(await page.evaluate("document.activeElement.textContent")).toBe("Record: approve");
        await page.keyboard.press("Enter");
        return page;
      };
      const ann = await answer(tokens[0]!.token, "I saw the receipt");
      await ann.getByText("ann proposes", { exact: false }).waitFor();
      expect((await client.get(runId))!.waiting).toBe("decision");
      const bob = await answer(tokens[1]!.token, "so did I");
      await bob.getByText("Nothing waits for a person").waitFor();
      expect(await client.waitForEnd(runId)).toMatchObject({ status: "COMPLETED", result: "sent" });
    } finally {
      await w.close();
    }
  });
});
