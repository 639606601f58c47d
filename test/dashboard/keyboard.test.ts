// Everything that the dashboard can change, by the keyboard alone: batches, retries, and each act of an operator; and that no single key changes anything, on any screen.
// Skipped where there is no Chromium.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contextOfEngine } from "../../src/client/engine.ts";
import { localClient } from "../../src/client/local-client.ts";
import type { Client } from "../../src/client/types.ts";
import { axeInBothThemes } from "./axe.ts";
import { actByKeys, tabTo } from "./keyboard.ts";
import { plainNames, seedOperations } from "./operations.ts";
import { hasBrowser, openWorld, type World } from "./world.ts";

/** What a page may send without having been asked: questions that are too long for an address. */
const reads = /\/v1\/(runs\/guarantees|runs\/count|runs\/query)$/;

describe.skipIf(!hasBrowser)("by the keyboard alone", () => {
  let w: World;
  let client: Client;
  let end = async (): Promise<void> => {};
  beforeAll(async () => {
    w = await openWorld({ engine: { queues: {} } });
    client = localClient(contextOfEngine(w.app));
    end = await seedOperations(w, plainNames);
  });
  afterAll(async () => {
    await end();
    await w.close();
  });
  const closed = (page: Page): Promise<void> => page.getByRole("dialog").waitFor({ state: "detached" });
  const runOf = async (id: string): Promise<string> => (await w.app.list({ workflowId: id })).runs[0]!.runId;

  it("pages with something on them, and their dialogs: axe finds nothing in both themes", async () => {
    const page = await w.open("#/runs");
    const findings: string[] = [];
    for (const [name, text, button] of [
      ["engines", "invoice@2", "Drain …"],
      ["workflows", "in use", "Retire …"],
      ["queues", "images", "Resume …"],
      ["workers", "zone", ""],
      ["schedules", "nightly", "Remove …"],
      ["webhooks", "warehouse", "Test …"],
      ["consumers", "mailer", ""],
      ["alerts", "What people said", "Close …"],
      ["batches", "absent", ""],
      ["store", "Format", ""],
      ["tokens", "reporting", "New token …"],
      ["audit", "When", ""],
    ] as const) {
      await page.evaluate(`location.hash = "#/operations/${name}"`);
      await page.locator("#main", { hasText: text }).waitFor();
      for (const finding of await axeInBothThemes(page)) findings.push(`${name}: ${finding}`);
      if (button === "") continue;
      await page.getByRole("button", { name: button }).first().click();
      for (const finding of await axeInBothThemes(page)) findings.push(`${name}, ${button}: ${finding}`);
      await page.keyboard.press("Escape");
    }
    expect(findings).toEqual([]);
  });

  it("no single key changes anything, on any screen", async () => {
    const page = await w.open("#/runs");
    const sent: string[] = [];
    page.on("request", (r) => {
      const preview = r.postData()?.includes(`"dryRun":true`) === true;
      if (r.method() !== "GET" && !preview && !reads.test(new URL(r.url()).pathname)) sent.push(r.url());
    });
    const run = await runOf("review-77");
    // Also at once after the page has come: the first key is no second one.
    const keys = [..."abcdefhilmnopqrstuvwxyz0123456789", "Delete", "Backspace", "Space", "Enter"];
    for (const [hash, text] of [
      ["#/runs", "ticket-17"],
      [`#/runs/${run}`, "RunStarted"],
      [`#/runs/${await runOf("order-1013")}/retry`, "kept"],
      ["#/decisions", "Is this refund right?"],
      ["#/operations/schedules", "nightly"],
      ["#/operations/tokens", "New token"],
    ] as const) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await page.locator("#main", { hasText: text }).waitFor();
      for (const key of keys) await page.keyboard.press(key);
      expect([hash, await page.getByRole("dialog").count()]).toEqual([hash, 0]);
    }
    expect(sent).toEqual([]);
    // A place that only pawl dev has is not gone to.
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    expect(page.url()).toContain("#/operations/tokens");
  });

  it("a batch: filter, preview, order; the reason is asked for and kept", async () => {
    const page = await w.open("#/runs");
    await page.getByText("ticket-17").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("workflow:review running");
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).hash).toBe("#/runs?status=running&workflow=review");
    await page.getByText("review-77").waitFor();
    await tabTo(page, "Act on all that match …");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await tabTo(page, "Do");
    await page.keyboard.press("p"); // the browser's own way through a list
    await expect.poll(() => dialog.getByLabel("Do").inputValue()).toBe("pause");
    expect(await dialog.getByRole("button", { name: "Preview" }).isDisabled()).toBe(true);
    await tabTo(page, "Reason");
    await page.keyboard.type("the reviewers are away");
    await tabTo(page, "Preview");
    await page.keyboard.press("Enter");
    await expect.poll(() => dialog.innerText(), { timeout: 10_000 }).toContain("1 run matches");
    expect((await client.batches.list()).batches.some((b) => b.reason === "the reviewers are away" && b.state !== "dry-run")).toBe(false);
    await tabTo(page, "pause 1 run");
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: "the reviewers are away" }).waitFor();
    await expect.poll(async () => (await client.get("review-77"))?.status).toBe("PAUSED");
  });

  it("a retry, from a step that somebody chooses", async () => {
    const page = await w.open(`#/runs/${await runOf("order-1003")}`);
    await page.getByText("It completed.").waitFor();
    await tabTo(page, "Retry …");
    await page.keyboard.press("Enter");
    await page.getByText("Choose the step").waitFor();
    await tabTo(page, "ship parcel");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "not from here" }).waitFor();
    await actByKeys(page, "Retry preview", "Retry …", "Start the retry", "the parcel came back");
    await page.getByText("Retry of").waitFor();
    expect((await w.app.list({ workflowId: "order-1003" })).runs).toHaveLength(2);
  });

  it("a run is paused, resumed and terminated, and its log is held still", async () => {
    const started = await w.app.start(w.shop["remind"]! as never, undefined as never, { id: "remind-keys" });
    const { runId } = started as unknown as { runId: string };
    const page = await w.open(`#/runs/${runId}`);
    for (const [open, verb, status] of [
      ["Pause …", "Pause the run", "paused"],
      ["Resume …", "Resume the run", "running"],
      ["Terminate …", "Terminate the run", "cancelled"],
    ] as const) {
      await page.getByRole("button", { name: open }).waitFor();
      await actByKeys(page, "", open, verb);
      await page.locator(".run-title .badge", { hasText: status }).waitFor();
      await closed(page);
    }
    await tabTo(page, "Pause updates");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Updates paused/ }).waitFor();
    expect((await client.get(runId))?.status).toBe("CANCELLED");
  });

  it("each act on the operations pages", async () => {
    const page = await w.open("#/operations/workflows");
    const go = async (name: string, text: string): Promise<void> => {
      await page.evaluate(`location.hash = "#/operations/${name}"`);
      await page.locator("#main", { hasText: text }).waitFor();
    };
    const acts: readonly (readonly [where: string, row: string, open: string, verb: string, then: string])[] = [
      ["workflows", "wrap", "Pause …", "Pause it", "by keyboard"],
      ["workflows", "wrap", "Resume …", "Resume it", "wrap"],
      ["workflows", "1.1.0", "Retire …", "Retire it", "by local: by keyboard"],
      ["queues", "images", "Pause …", "Pause it", "by keyboard"],
      ["queues", "images", "Resume …", "Resume it", "healthy"],
      ["schedules", "nightly", "Pause …", "Pause it", "by keyboard"],
      ["schedules", "nightly", "Resume …", "Resume it", "in "],
      ["schedules", "nightly", "Fire now …", "Start it", "by hand, by local"],
      ["schedules", "stocktaking", "Remove …", "Remove it", "nightly"],
      ["webhooks", "orders", "Pause …", "Pause it", "by keyboard"],
      ["webhooks", "orders", "Resume …", "Resume it", "sending"],
      ["webhooks", "warehouse", "Remove …", "Remove it", "orders"],
      ["alerts", "by hand", "Note …", "Add it", "local: by keyboard"],
      ["alerts", "by hand", "Close …", "Close it", "resolved"],
      ["tokens", "carla", "Revoke …", "Revoke it", "revoked"],
      ["engines", "invoice@2", "Drain …", "Drain it", "draining"],
    ];
    for (const [where, row, open, verb, then] of acts) {
      await go(where, row);
      await actByKeys(page, row, open, verb);
      await closed(page);
      await page.locator("#main", { hasText: then }).waitFor();
    }
    expect((await client.schedules.list()).map((s) => s.name)).toEqual(["hourly", "nightly"]);
    expect((await client.webhooks.list()).map((e) => e.id)).toEqual(["orders"]);
    expect((await client.investigations.list({ open: true })).length).toBe(0);

    await go("tokens", "New token");
    await tabTo(page, "New token …");
    await page.keyboard.press("Enter");
    await tabTo(page, "For whom");
    await page.keyboard.type("bob");
    await tabTo(page, "Make it");
    await page.keyboard.press("Enter");
    await page.locator(".secret code").waitFor();
    await tabTo(page, "I have it");
    await page.keyboard.press("Enter");
    expect(await page.locator(".secret").count()).toBe(0);

    await go("workflows", "Can it be retired?");
    await tabTo(page, "Can it be retired?", "invoice");
    await page.keyboard.press("Enter");
    await page.getByText("no: 1 open run needs it").waitFor();
  });

  it("what somebody reads: a step, its events, an output of a model, a superstep, a theme", async () => {
    const page = await w.open(`#/runs/${await runOf("ticket-17")}`);
    await page.getByText("I have refunded").first().waitFor();
    await tabTo(page, "Superstep 2");
    await page.keyboard.press("Enter");
    await page.getByText("State after superstep 2").waitFor();
    await tabTo(page, "What it said before");
    await page.keyboard.press("Enter");
    await page.getByText('type: "tool-call"').first().waitFor();
    await page.goto(`${w.url}/#/runs/${await runOf("order-1042")}`);
    await page.getByText("took over").waitFor();
    await tabTo(page, "charge card");
    await page.keyboard.press("Enter");
    await page.getByText("Taken over by").waitFor();
    await tabTo(page, "Theme");
    await page.keyboard.press("d");
    await expect.poll(() => page.getByLabel("Theme").inputValue()).toBe("dark");
    expect(w.problems).toEqual([]);
  });
});
