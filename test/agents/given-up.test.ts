// A run that kills one engine after another: an agent's tool that ends its process, and code that does. After the third death the run has failed, and no engine
// runs it again; a person who finds it may retry it as a new run.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, scripted, tool } from "../../src/agents.ts";
import { engine } from "../../src/index.ts";
import { proves } from "../support/proves.ts";
import { payloadOf, storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();
const never = (): Promise<never> => new Promise(() => {});
const model = () => scripted([{ calls: [{ tool: "eat", input: { n: 1 } }] }, "done"], { by: "conversation" });
const opts = { lease: "1s", onGivenUp: "fail" } as const;

describe.each(storeKinds)("%s", (kind) => {
  it("a tool that ends its process three times fails the run, which no engine runs again", proves("AX-18"), async () => {
    const l = await fresh(kind);
    let eaten = 0;
    const eat = tool({ name: "eat", description: "Eat", input: z.object({ n: z.number() }) }, () => (eaten++, never()), {
      repeatable: true,
    });
    const a = agent({ name: "eater", model: model(), tools: [eat] });
    let e = await l.engine([a], opts);
    const h = await e.engine.start(a, { prompt: "x" }, { id: "r" });
    for (let i = 0; i < 4; i++) {
      await l.platform.advance(5_000);
      e.kill();
      e = await l.engine([a], opts);
    }
    await l.platform.advance(60_000);
    expect(eaten).toBe(3);
    expect(await l.row(h.runId)).toMatchObject({ status: "FAILED", owner: null });
    const end = (await l.log(h.runId)).at(-1)!;
    expect(end.eventType).toBe("RunFailed");
    expect(payloadOf(end)).toMatchObject({ category: "GIVEN_UP", error: { code: "PAWL2016" } });
    expect(await e.engine.decisions()).toEqual([]);
    const again = await e.client.retry("r", { reason: "the tool is mended" } as never);
    expect((await l.row(again.runId)).runId).not.toBe(h.runId);
  });

  it(
    "code that ends its process before anything is committed: three claims, then it has failed without its code",
    proves("AX-18"),
    async () => {
      const l = await fresh(kind);
      let began = 0;
      const a = agent({ name: "deadly", model: model(), tools: [], instructions: () => (began++, "x") });
      const first = await l.engine([], opts);
      const { runId } = await first.client.start({ workflow: "deadly", allowUnknown: true, input: { prompt: "x" } });
      first.kill();
      for (let i = 0; i < 3; i++) {
        await l.engine([a], { ...opts, onHit: (p) => p === "engine:commit" }).catch(() => undefined);
        await l.platform.advance(5_000);
      }
      const before = began;
      const survivor = await l.engine([a], opts);
      await l.platform.advance(60_000);
      expect(began).toBe(before);
      expect((await l.row(runId)).status).toBe("FAILED");
      expect(payloadOf((await l.log(runId)).at(-1))).toMatchObject({ error: { code: "PAWL2016" } });
      expect(survivor.alive).toBe(true);
    },
  );
});

it("only ask and fail are known", async () => {
  await expect(engine({ store: "memory:", onGivenUp: "hope" as never })).rejects.toMatchObject({ code: "PAWL5001" });
});
