// Graphs in the dashboard, in a real browser: the last supersteps, the state at the one that the address names, what it recorded, and that names and
// values of others stay text. Skipped where there is no Chromium.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeInBothThemes } from "./axe.ts";
import { approve, hasBrowser, openWorld, type World } from "./world.ts";

describe.skipIf(!hasBrowser)("graphs in the dashboard", () => {
  let w: World;
  beforeAll(async () => {
    w = await openWorld();
  });
  afterAll(() => w.close());
  const runOf = async (id: string): Promise<string> => (await w.app.list({ workflowId: id })).runs[0]!.runId;

  it("supersteps, the state at a chosen one, the frontier and its calls; all of it text", async () => {
    const page = await w.open(`#/runs/${await runOf("research-owls")}`);
    const graph = page.getByRole("region", { name: "Supersteps" });
    const reads: string[] = [];
    page.on("request", (r) => reads.push(new URL(r.url()).pathname));
    await graph.getByRole("link", { name: "Superstep 1", exact: true }).click();
    const one = graph.getByRole("region", { name: "Superstep 1", exact: true });
    await one.getByText("nothing about newts").first().waitFor();
    expect(page.url()).toContain("superstep=1");
    expect(await one.innerText()).toMatch(/Frontier\s+(note|decide)/);
    expect(reads.some((path) => path.endsWith("/io"))).toBe(false);
    await one.getByRole("button", { name: /calls were given/ }).click();
    await one
      .getByRole("link", { name: /^1\/search.*\/search/ })
      .first()
      .waitFor();
    expect(await one.innerText()).toContain("owls: <b>found</b>");
    // An address of its own, with what is shown as text.
    await page.goto(page.url().replace("superstep=1", "superstep=2"));
    const two = graph.getByRole("region", { name: "Superstep 2", exact: true });
    await two.getByText("123456789012345678901234567890n").first().waitFor();
    const text = await two.innerText();
    for (const shown of [
      `<img src=x onerror="window.hit=1"> ⟨U+202E⟩odd`,
      "<script>window.hit=1",
      "⟨U+202E⟩gnp.exe",
      "-0",
      "5 bytes 00 01 02 fe ff",
    ])
      expect(text).toContain(shown);
    expect(await page.evaluate("[window.hit, document.querySelectorAll('#main img, #main script, #main iframe').length]")).toEqual([
      undefined,
      0,
    ]);
    expect(await axeInBothThemes(page)).toEqual([]);
    await page.goto(page.url().replace("superstep=2", "superstep=99"));
    await graph.getByText("has not ended a superstep 99").waitFor();
    expect(w.problems).toEqual([]);
  });

  it("an agent: its conversation with calls, outcomes, tokens and cost, and the output that caused each effect", async () => {
    const page = await w.open(`#/runs/${await runOf("ticket-17")}`);
    const said = page.getByRole("region", { name: "Conversation" });
    await said.getByText("I have refunded 75.00.", { exact: false }).waitFor();
    const text = await said.innerText();
    expect(text).toMatch(/4 model calls, 4 tool calls, [\d,]+ tokens in, [\d,]+ tokens out, cost \d+\.\d+/);
    for (const shown of [
      "I was charged twice.",
      "I look at the charges.",
      "asks for refund",
      "refund unknown",
      "refund done",
      "taken over from",
    ])
      expect(text).toContain(shown);
    expect(text).toContain("⟨U+202E⟩gnp.exe ⟨U+2066⟩abc<script>window.hit=1");
    const causes = page.getByRole("region", { name: "What models asked for" });
    const rows = await causes.getByRole("row").allInnerTexts();
    expect(rows).toHaveLength(5);
    expect(rows.find((r) => r.includes("refund:ch_7:7500"))).toMatch(/completed[^]*scripted helper-1[^]*ann/);
    expect(rows.find((r) => r.includes("refund:ch_7:9900"))).toMatch(/unknown/);
    // The output that asked for it is read when somebody looks.
    await causes
      .getByRole("row", { name: /refund:ch_7:9900/ })
      .getByRole("button", { name: /What it said/ })
      .click();
    await causes.getByText("9900", { exact: true }).waitFor();
    expect(await causes.innerText()).toContain('type: "tool-call"');
    expect(await axeInBothThemes(page)).toEqual([]);
    // At an earlier superstep: what was said until then.
    await page.goto(`${page.url()}?superstep=1`);
    await said.getByText("After superstep 1.", { exact: false }).waitFor();
    expect(await said.innerText()).not.toContain("I look at the charges.");
    expect(await page.evaluate("[window.hit, document.querySelectorAll('#main img, #main script').length]")).toEqual([undefined, 0]);
    expect(w.problems).toEqual([]);
  });

  it("what an agent says appears while somebody looks", async () => {
    const started = await w.app.start(w.shop["support"]! as never, { prompt: "Once more." } as never, { id: "ticket-18" });
    const page = await w.open(`#/runs/${(started as unknown as { runId: string }).runId}`);
    const said = page.getByRole("region", { name: "Conversation" });
    await said.getByText("asks for refund").first().waitFor();
    expect(await said.innerText()).not.toContain("I have refunded");
    await approve(w.app, "ticket-18");
    await said.getByText("I have refunded 75.00.", { exact: false }).waitFor();
    await page.getByRole("region", { name: "What models asked for" }).getByText("taken over").waitFor();
    expect(w.problems).toEqual([]);
  });
});
