// Names and reasons made to break a page, in every field of the operations pages that somebody else fills: queues, tasks, workers and their labels, schedules, endpoints,
// consumers, alerts, batches, tokens, templates, investigations, workflows, engines; and every value at once, whole. Skipped where there is no Chromium.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { encode } from "../../src/codec/value.ts";
import { workflow } from "../../src/index.ts";
import { aliveIn, nothing } from "./alive.ts";
import { hostileTexts, hostileValues } from "./hostile.ts";
import { seedOperations } from "./operations.ts";
import { hasBrowser, openWorld, type World } from "./world.ts";

/** As names may be: no control characters, no bar. */
const bad = `<img src=x onerror="window.hit=1"> \u202eodd`;
const shownBad = `<img src=x onerror="window.hit=1"> ⟨U+202E⟩odd`;
const badAscii = `<img/src=x/onerror="window.hit=1">`;
const names = { named: (kind: string) => `${kind} ${bad}`, plainly: (kind: string) => `${kind}${badAscii}`, text: bad };
/** Each page, and what stands on it once it is drawn. */
const pages: readonly (readonly [page: string, texts: readonly string[]])[] = [
  ["engines", [`shrink ${shownBad}@1`]],
  ["workflows", [`invoice ${shownBad}`, "shop / restock", `by ann: ${shownBad}`]],
  ["queues", [`images${badAscii}`, `paper${badAscii}`, `by ann: ${shownBad}`, `print ${shownBad}`]],
  ["workers", [`images${badAscii}`, `resize ${shownBad}`, "zone=north <img src=x"]],
  ["schedules", [`nightly ${shownBad}`, `by ann: ${shownBad}`, `by hand, by ann: ${shownBad}`]],
  ["webhooks", ["orders%20%3Cimg", shownBad]],
  ["consumers", [`mailer${badAscii}`]],
  ["alerts", ["imported <img src=x onerror", `bob ${shownBad}: ${shownBad}`]],
  ["batches", [`workflow: absent ${shownBad}`, shownBad]],
  ["tokens", [`carla ${shownBad} (person)`]],
];

describe.skipIf(!hasBrowser)("operations with names made to break a page", () => {
  let w: World;
  let end = async (): Promise<void> => {};
  const echo = workflow({ name: "echo", input: z.any() }, (ctx, input) => ctx.step("echo", () => input, { repeatable: true }));
  beforeAll(async () => {
    w = await openWorld({ seeded: false, engine: { queues: {} }, workflows: { echo: echo as never } });
    end = await seedOperations(w, names);
  });
  afterAll(async () => {
    await end();
    await w.close();
  });

  it("stay text on every page, with every sign to be seen", async () => {
    const page = await w.open("#/operations/engines", { viewport: { width: 1600, height: 1_200 } });
    for (const [name, texts] of pages) {
      await page.evaluate(`location.hash = "#/operations/${name}"`);
      for (const text of texts) await page.locator("#main", { hasText: text }).waitFor();
      expect([name, ...(await aliveIn(page))]).toEqual([name, ...nothing]);
    }
    // What is asked about them, and what a template says.
    await page.evaluate(`location.hash = "#/operations/workflows"`);
    await page.getByRole("button", { name: "What it says" }).first().click();
    await page.locator(".value .v-toggle[aria-expanded=false]").first().click();
    await page.locator("#main", { hasText: `shop.count ${shownBad}` }).waitFor();
    expect(await aliveIn(page)).toEqual(nothing);
    await page.evaluate(`location.hash = "#/operations/batches"`);
    await page.getByRole("cell", { name: "pause", exact: false }).first().waitFor();
    expect(w.problems).toEqual([]);
  });

  it("every value is shown, opened to its end, and copied whole", async () => {
    const started = await w.app.start(echo as never, hostileValues as never, { id: "all of them" });
    const { runId } = started as unknown as { runId: string };
    await expect.poll(async () => (await w.app.list({ workflowId: "all of them" })).runs[0]?.status).toBe("COMPLETED");
    const page = await w.open(`#/runs/${runId}`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const input = page.locator("section.section", { has: page.getByRole("heading", { name: "Input", exact: true }) });
    await input.getByRole("button", { name: `[${hostileValues.length}]`, exact: false }).click();
    // Until nothing more can be opened; lists of thousands stay closed after their first part.
    await page.evaluate(`(async () => {
      for (let i = 0; i < 40; i++) {
        const more = [...document.querySelectorAll("section.section .value")][0].querySelectorAll("button:not([aria-expanded='true'])");
        const open = [...more].filter((b) => b.getAttribute("aria-expanded") === "false" || /more$|characters$/.test(b.textContent));
        if (open.length === 0) return;
        for (const b of open) b.click();
        await new Promise((r) => requestAnimationFrame(() => r()));
      }
    })()`);
    expect(await aliveIn(page)).toEqual(nothing);
    const text = await input.innerText();
    for (const shown of [
      "c␀d",
      "⟨U+D800⟩",
      "⟨U+202E⟩gnp.exe",
      "123456789012345678901234567890n",
      `${2n ** 2_000n}n`,
      "-0",
      "NaN",
      "undefined",
      "5,000 bytes 00 01",
      "<script>window.hit=1</script>",
      "2999: 2999",
    ])
      // prettier-ignore
      expect(text).toContain(shown);
    await input.getByRole("button", { name: "Copy", exact: true }).click();
    const copied = (await page.evaluate("navigator.clipboard.readText()")) as string;
    expect(copied).toBe(encode(hostileValues, { valueBytesMax: 1 << 26, depthMax: 512 }, "the value"));
    expect(hostileTexts.length).toBeGreaterThan(150);
    expect(w.problems).toEqual([]);
  });
});
