// Runs with thousands of steps: what is computed as a whole is answered in parts, none of them large, and a client that wants all of it gets all of it.
// It guards that no part is left out, and that what is said of the whole never depends on the part.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contextOfEngine } from "../../src/client/engine.ts";
import type { Engine } from "../../src/client/engine-types.ts";
import { localClient } from "../../src/client/local-client.ts";
import { connect } from "../../src/http.ts";
import { dag, engine, workflow } from "../../src/index.ts";
import { server, type PawlServer } from "../../src/server.ts";

const bytesMax = 256 * 1_024;
const waiting = 2_000;
const charges = 250;
const nameOf = (i: number): string => `${"a-step-with-a-long-name-".repeat(7)}${i}`;

const wide = dag({ name: "wide" }, (t) => {
  const gate = t.task("gate", {}, () => new Promise<number>(() => {}));
  let last: unknown = gate;
  for (let i = 0; i < waiting; i++) last = t.task(nameOf(i), { gate }, () => 1, { repeatable: true });
  return last as typeof gate;
});
const charged = workflow({ name: "charged" }, async (ctx) => {
  for (let i = 0; i < charges; i++) await ctx.step(`charge ${i}`, () => i, { key: `charge-${i}`, dedup: "24h" });
});

describe("the answers about a long run", () => {
  let app: Engine;
  let api: PawlServer;
  let url: string;
  beforeAll(async () => {
    app = await engine({ store: "memory:", workflows: [wide, charged], log: () => {} });
    api = await server({ engine: app, auth: "open", log: () => {} });
    ({ url } = await api.listen({ port: 0 }));
    await app.run(charged, undefined, { id: "charged" });
    await app.start(wide, undefined, { id: "wide" });
  });
  afterAll(async () => {
    await api.stop();
    await app.stop();
  });

  const ask = async (path: string): Promise<{ readonly items: readonly { stepId: string }[]; readonly nextCursor?: string }> => {
    const text = await (await fetch(`${url}/v1/${path}`)).text();
    expect(text.length).toBeLessThanOrEqual(bytesMax);
    return JSON.parse(text) as never;
  };

  it("why thousands of steps wait comes in pages, none of them large, and a client reads them all", async () => {
    const steps: string[] = [];
    let [pages, cursor] = [0, ""];
    do {
      const page = await ask(`runs/wide/why${cursor}`);
      steps.push(...page.items.map((s) => s.stepId));
      cursor = page.nextCursor === undefined ? "" : `?cursor=${encodeURIComponent(page.nextCursor)}`;
      pages++;
    } while (cursor !== "");
    const whole = await localClient(contextOfEngine(app)).why("wide");
    expect(whole).toHaveLength(waiting + 1);
    expect(steps).toEqual(whole.map((s) => s.stepId));
    expect(pages).toBeGreaterThan(3);
    const client = await connect({ url });
    expect((await client.why("wide")).map((s) => s.stepId)).toEqual(steps);
    await client.close();
    expect((await ask("runs/wide/why?limit=3")).items).toHaveLength(3);
    const refused = await fetch(`${url}/v1/runs/wide/why?cursor=elsewhere.7`);
    expect([refused.status, ((await refused.json()) as { code?: string }).code]).toEqual([422, "PAWL4082"]);
  });

  it("a proof shows some effects, says how many follow, and its verdict is of all of them", async () => {
    const whole = await localClient(contextOfEngine(app)).proof("charged");
    const part = (after: number): Promise<typeof whole> =>
      ask(`runs/charged/proof?limit=100&after=${after}`) as unknown as Promise<typeof whole>;
    const parts = [await part(0), await part(100), await part(200)];
    expect(parts.map((p) => p.more)).toEqual([150, 50, undefined]);
    expect(parts.flatMap((p) => p.effects)).toEqual(whole.effects);
    for (const { verdict, sentence, assumptions } of parts)
      expect({ verdict, sentence, assumptions }).toEqual({
        verdict: whole.verdict,
        sentence: whole.sentence,
        assumptions: whole.assumptions,
      });
    const client = await connect({ url });
    expect(await client.proof("charged")).toEqual(whole);
    await client.close();
  });
});
