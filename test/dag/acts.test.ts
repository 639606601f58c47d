// A person's act on a step of a DAG that waits on a queue, by both clients and by a bare request, on every store: it is taken off its queue and acted upon
// while the caller waits, without a word about waiting. Asked again under its id, an act is answered as it was, and never acts twice.
import { afterEach, describe, expect, it } from "vitest";
import { connect, type Client, type HttpClient } from "../../src/client.ts";
import { dag } from "../../src/index.ts";
import { server } from "../../src/server.ts";
import { proves } from "../support/proves.ts";
import { anySchema, payloadOf } from "../support/test-cluster.ts";
import { testStores, type TestStore } from "../support/test-store.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const wf = dag({ name: "queued", input: anySchema<unknown>() }, (t) => {
  const work = t.task("work", {}, () => "worked", { queue: "nobody" });
  return t.task("end", { work }, ({ work }) => work ?? "nothing", { trigger: "none-failed" });
});

async function place(
  make: () => Promise<TestStore>,
): Promise<{ s: TestStore; local: Client; http: HttpClient; url: string; start(id: string): Promise<string> }> {
  const s = await make();
  closing.push(() => s.close());
  const { engine, client } = await s.engine({ workflows: [wf], queues: {} });
  const api = await server({ engine, auth: "open", log: () => {} });
  closing.push(() => api.stop());
  const { url } = await api.listen({ port: 0 });
  const http = await connect({ url });
  closing.push(() => http.close());
  return { s, local: client, http, url, start: async (id) => (await engine.start(wf, {}, { id })).runId };
}

describe.each(testStores)("%s", (_name, make) => {
  it(
    "both clients and a bare request wait until the step is off its queue; what was acted is answered again",
    proves("TX-15"),
    async () => {
      const { s, local, http, url, start } = await place(make);
      const why = { reason: "no worker" };
      const clients = [
        ["l", local, { ...why, by: "ann" }],
        ["h", http, why],
      ] as const;
      for (const [id, client, who] of clients) {
        const runId = await start(id);
        const requestId = `7d2f9a53-18c4-4e0b-a6f1-3b5c7d9e1f2${id === "l" ? "0" : "1"}`;
        const act = { do: "complete", result: "by hand" } as const;
        expect(await client.act(id, "work", act, { ...who, requestId }), id).toEqual({ state: "applied" });
        expect((await client.waitForEnd(id)).result).toBe("by hand");
        expect(await client.act(id, "work", act, { ...who, requestId }), id).toEqual({ state: "applied", replayed: true });
        await expect(client.act(id, "work", { do: "skip" }, { ...who, requestId })).rejects.toMatchObject({ page: "PAWL4070" });
        await expect(client.act(id, "work", act, who)).rejects.toMatchObject({ page: "PAWL4010" });
        const events = await s.store.events({ runId, after: 0, limit: 100 });
        const answers = events.filter((e) => e.eventType === "pawl.DecisionAnswered").map((e) => payloadOf(e));
        expect(answers).toMatchObject([{ stepId: "work", answer: "complete", reason: "no worker" }]);
      }
      await start("bare");
      const send = async (): Promise<unknown> => {
        const answer = await fetch(`${url}/v1/runs/bare/steps/work/act`, {
          method: "POST",
          headers: { "content-type": "application/json", "idempotency-key": "7d2f9a53-18c4-4e0b-a6f1-3b5c7d9e1f22" },
          body: JSON.stringify({ do: "skip", ...why }),
        });
        return { status: answer.status, body: await answer.json() };
      };
      expect(await send()).toEqual({ status: 200, body: { state: "applied" } });
      expect((await http.waitForEnd("bare")).result).toBe("nothing");
      expect(await send()).toEqual({ status: 200, body: { state: "applied", replayed: true } });
    },
  );
});
