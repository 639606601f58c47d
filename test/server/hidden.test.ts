// What a caller without the scope `payloads` sees: never a value, and never what an error, a verifier or a handler of events said. Every reading operation
// is asked, with words in every place where runs and their users can leave some, and its whole answer is looked through.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { operations, operationSpecs, type Operation } from "../../src/api/operations.ts";
import { addressOf } from "../../src/api/address.ts";
import { checkAnswer } from "../../src/api/schemas/check.ts";
import { accessScopes } from "../../src/core/principal.ts";
import { connect } from "../../src/client.ts";
import { workflow } from "../../src/index.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { approval, serve, type Answer, type Served } from "./serve.ts";

const secret = "card 4111-1111";
const failing = workflow({ name: "failing" }, async (ctx) => {
  await ctx.step("pay", () => Promise.reject(new Error(`refused: ${secret}`)), { retry: { attempts: 9, initial: "10m", max: "10m" } });
});
const held = workflow({ name: "held" }, async (ctx) => {
  await ctx.step("pay", () => Promise.reject(new Error(`refused: ${secret}`)), { retry: { attempts: 1 }, onFailure: "hold" });
});
const doubted = workflow({ name: "doubted" }, async (ctx) => {
  await ctx.step("pay", () => new Promise(() => {}), { once: true, timeout: 50 });
});
const failed = workflow({ name: "failed" }, async () => Promise.reject(new Error(secret)));
/** Waits for a fact about the server; what it never becomes is named. */
const holds = (what: string, check: () => Promise<boolean>): Promise<void> =>
  vi.waitFor(
    async () => {
      if (!(await check())) throw new Error(`never seen: ${what}`);
    },
    { timeout: 20_000, interval: 50 },
  );
const runs = ["failing", "held", "doubted", "failed", "approval"];

describe("without the scope payloads", () => {
  let s: Served;
  const all = { "x-all": "1" };
  beforeAll(async () => {
    const store = memoryStore(systemPlatform());
    s = await serve({
      on: store,
      workflows: [failing, held, doubted, failed, approval],
      auth: (r) => ({
        kind: "person",
        subject: "ann",
        scopes: r.headers.get("x-all") === "1" ? accessScopes : accessScopes.filter((x) => x !== "payloads"),
      }),
    });
    for (const name of runs) await s.post("/v1/runs", { workflow: name, id: name, input: { secret } }, all);
    await s.post("/v1/runs/approval/signals", { name: "approved", payload: { by: secret }, signalId: "s" }, all);
    const client = await connect({ store });
    const reading = await client.subscribe({ consumer: "mailer", from: "start", handler: () => Promise.reject(new Error(secret)) });
    await holds("the handler's error", async () => (await s.get("/v1/consumers", all)).text.includes(secret));
    await reading.stop();
    await client.close();
    for (const [id, code] of [
      ["failing", "retry"],
      ["held", "decision"],
      ["doubted", "decision"],
      ["failed", "ended"],
    ] as const)
      await holds(`${id} is at ${code}`, async () => (await s.get(`/v1/runs/${id}`, all)).json.because.code === code);
    await s.post("/v1/runs/failing/investigation", { reason: "slow" }, all);
  });
  afterAll(() => s.close());

  it("sentences keep their form, and say what was left out; with it they say all", async () => {
    const shown = (await s.get("/v1/runs/failing", all)).json.because;
    expect(shown).toMatchObject({
      text: `An attempt of step pay failed; the next one follows: refused: ${secret}.`,
      quotes: `refused: ${secret}`,
    });
    const hidden = (await s.get("/v1/runs/failing")).json.because;
    expect(hidden).toMatchObject({ text: "An attempt of step pay failed; the next one follows: ….", hidden: ["/quotes"] });
    expect(hidden).not.toHaveProperty("quotes");
    const why = (await s.get("/v1/runs/held/why")).json.items[0];
    expect(why).toMatchObject({ sentence: "pay failed for good and waits for a person: …", hidden: ["/quotes"] });
    const kinds = new Map(
      ((await s.get("/v1/decisions")).json.items as { workflowId: string; reason: string; hidden: unknown }[]).map((d) => [
        d.workflowId,
        d,
      ]),
    );
    expect(kinds.get("held")).toMatchObject({ reason: "…", hidden: ["/quotes"] });
    // Pawl's own words are nobody's secret.
    expect(kinds.get("doubted")).not.toHaveProperty("hidden");
    expect((await s.get("/v1/consumers")).json.items[0].held[0]).toMatchObject({ error: "…", hidden: ["/error"] });
    expect((await s.get("/v1/decisions", all)).text).toContain(secret);
  });

  it("no reading operation shows a value or what an error said", async () => {
    const reading = (Object.keys(operations) as Operation[]).filter(
      (o) => operationSpecs[o].rest.startsWith("GET") && operationSpecs[o].scope !== "payloads" && o !== "runs.watch",
    );
    const others: Readonly<Record<string, string>> = {
      name: "approved",
      signalId: "s",
      updateId: "s",
      consumer: "mailer",
      key: "k",
      code: "PAWL4001",
    };
    for (const operation of reading)
      for (const id of runs) {
        const members = [...operationSpecs[operation].rest.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!);
        const given = Object.fromEntries(
          [...members, ...(operation === "effects.proof" ? ["key"] : [])].map((m) => [m, m === "id" ? id : (others[m] ?? "none")]),
        );
        const { path } = addressOf(operation, operation === "runs.guarantees" ? { runs: [id] } : given);
        const answer: Answer = await s.get(path);
        expect(answer.text, `${operation} of ${id}`).not.toContain("4111");
        if (answer.status < 300) checkAnswer(operation, answer.json);
      }
  });

  it("an archive of evidence has no payloads, and is refused where they are asked for", async () => {
    const refused = await s.post("/v1/runs/failed/evidence", { payloads: true });
    expect([refused.status, refused.json.page]).toEqual([403, "PAWL4081"]);
    const [without, plain, whole] = [
      await s.post("/v1/runs/failed/evidence", { payloads: false }, all),
      await s.post("/v1/runs/failed/evidence", {}),
      await s.post("/v1/runs/failed/evidence", {}, all),
    ];
    expect([plain.status, whole.status]).toEqual([200, 200]);
    expect(plain.text.length).toBe(without.text.length);
    expect(whole.text.length).toBeGreaterThan(plain.text.length);
  });
});
