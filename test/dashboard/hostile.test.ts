// More than two hundred values made to break a page, in every field that somebody else fills: names, ids, versions, keys, tags, errors and causes, questions, reasons,
// payloads. They stay text, turn nothing around, call nothing. Skipped where there is no Chromium.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { contextOfEngine } from "../../src/client/engine.ts";
import { localClient } from "../../src/client/local-client.ts";
import { workflow } from "../../src/index.ts";
import { wholeDose } from "../support/whole-dose.ts";
import { hostileNames, hostileValues } from "./hostile.ts";
import { aliveIn, nothing } from "./alive.ts";
import { hasBrowser, openWorld, type World } from "./world.ts";

/** One run for each of these: they are its id, its tag, its step, its key, what it publishes, fails with, asks and returns. */
const chosen = hostileNames.filter((_, i) => i % (wholeDose ? 4 : 16) === 0);

const cruel = workflow(
  { name: hostileNames[0]!, version: hostileNames[2]!, input: z.any(), views: { state: z.any() } },
  async (ctx, input) => {
    const text = input as string;
    ctx.publish("state", text);
    await ctx.step(text, () => text, { key: text, dedup: "1h", input: text, receiver: text });
    const at = chosen.indexOf(text) % 3;
    if (at === 1) throw Object.assign(new Error(text, { cause: new Error(text) }), { name: text, code: text });
    if (at === 2) await ctx.step("ask", () => text, { once: true, approve: text, input: text } as never);
    return text;
  },
);
const echo = workflow({ name: "echo", input: z.any() }, (ctx, input) => ctx.step("echo", () => input, { repeatable: true }));

describe.skipIf(!hasBrowser)(`${hostileValues.length} values made to break a page`, () => {
  let w: World;
  const runIds = new Map<string, string>();
  beforeAll(async () => {
    w = await openWorld({ seeded: false, workflows: { cruel: cruel as never, echo: echo as never } });
    const client = localClient(contextOfEngine(w.app));
    for (const text of chosen) await w.app.start(cruel as never, text as never, { id: text, tags: { [text]: text } } as never);
    await w.app.start(echo as never, hostileValues as never, { id: "all of them" });
    for (const text of chosen.slice(0, 6)) await client.tokens.create({ subject: text, kind: "person", scopes: ["read"] }).catch(() => {});
    await client.batches.create({ filter: { workflow: "nobody" }, action: "pause", reason: chosen[1]!, max: 10 });
    for (;;) {
      const { runs } = await w.app.list({ limit: 500 });
      for (const r of runs) runIds.set(r.workflowId, r.runId);
      if (runs.length > chosen.length && runs.every((r) => r.waiting === "decision" || (r.status !== "PENDING" && r.status !== "RUNNING")))
        return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  afterAll(() => w.close());

  it("stay text on every screen that lists them", async () => {
    expect(hostileValues.length).toBeGreaterThanOrEqual(200);
    const page = await w.open("#/runs", { viewport: { width: 1280, height: 3_000 } });
    const places: readonly (readonly [string, string])[] = [
      ["#/runs", "all of them"],
      [`#/runs?words=${encodeURIComponent("script")}`, "script"],
      ["#/effects", "Effects"],
      [`#/effects?key=${encodeURIComponent(chosen[0]!)}`, chosen[0]!],
      ["#/decisions", "May it be sent?"],
      ["#/overview", "Failures by error"],
      ["#/operations/workflows", "served"],
      ["#/operations/engines", "alive"],
      ["#/operations/tokens", "New token"],
      ["#/operations/batches", "pause"],
      ["#/operations/audit", "When"],
    ];
    for (const [hash, text] of places) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await page.locator("#main", { hasText: text }).waitFor();
      expect([hash, ...(await aliveIn(page))]).toEqual([hash, ...nothing]);
    }
    expect(w.problems).toEqual([]);
  });

  it("stay text on the page, the step, the proof and the retry of a run", async () => {
    const page = await w.open("#/runs");
    for (const text of chosen) {
      const at = encodeURIComponent(runIds.get(text)!);
      for (const [hash, selector] of [
        [`#/runs/${at}`, ".waterfall li"],
        [`#/runs/${at}/proof`, ".verdict"],
        [`#/runs/${at}/retry`, ".retry h1, .problem"],
      ] as const) {
        await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
        await page.locator(selector).first().waitFor();
        if (selector === ".waterfall li") {
          await page.locator(".waterfall a").first().click();
          await page.getByRole("complementary", { name: "Step" }).getByText("What happened").waitFor();
          await page.locator(".events button").first().click();
        }
        expect([text, hash, ...(await aliveIn(page))]).toEqual([text, hash, ...nothing]);
      }
    }
    // Refused retries are answers of the server, which the browser writes to its console.
    expect(w.problems.filter((p) => !p.includes("Failed to load resource"))).toEqual([]);
  });
});
