// Requests at the edges of what schemas permit, to a server on each store: none is answered with 500 or more, and none takes the server away from the
// others. What a schema permits and a database does not hold must be refused by its place, before anything is written.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Operation } from "../../src/api/operations.ts";
import { graph, sum } from "../../src/graph.ts";
import { dag, workflow } from "../../src/index.ts";
import { wholeDose } from "../support/whole-dose.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { server, type PawlServer } from "../../src/server.ts";
import { approval, order } from "./serve.ts";
import { extremes, type Extreme, type OwnMembers } from "./extremes.ts";

const asked = workflow({ name: "asked", updates: { answer: { input: z.any() } } }, async (ctx) => {
  ctx.onUpdate("answer", (n) => n);
  await ctx.sleep("long", "10m");
});
const essay = graph({ name: "essay", state: { rounds: sum() } })
  .nodes({ write: () => ({ rounds: 1 }) })
  .edges({ start: "write", write: (s) => (s.rounds < 3 ? "write" : "end") });
const steps = dag({ name: "steps" }, (t) => {
  const first = t.task("first", {}, () => 1);
  return t.receive("wait", { first }, { name: "go", payload: z.any() });
});

/** It asks another host. */
const leftOut: ReadonlySet<Operation> = new Set<Operation>(["webhooks.test", "runs.watch", "runs.evidence"]);
const atOnce = 25;
const every = wholeDose ? 1 : 8;

describe.each(testStores)("on %s", { timeout: 600_000 }, (_, open) => {
  let b: TestStore;
  let api: PawlServer;
  let url: string;
  beforeAll(async () => {
    b = await open();
    b.skipVerification();
    const { engine } = await b.engine({ workflows: [order, approval, asked, essay, steps] });
    api = await server({ engine, auth: "open", log: () => {} });
    ({ url } = await api.listen({ port: 0 }));
  });
  afterAll(async () => {
    await api.stop();
    await b.close();
  });
  const rpc = async (body: unknown): Promise<{ id: number; error?: { code: number; data: { status: number; page: string } } }[]> => {
    const response = await fetch(`${url}/rpc`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return (await response.json()) as never;
  };

  it("no input makes an answer of 500 or more", async () => {
    const call = async (method: Operation, params: object): Promise<void> => {
      const { error } = (await rpc({ jsonrpc: "2.0", id: 1, method, params })) as unknown as { readonly error?: unknown };
      expect(error, method).toBeUndefined();
    };
    await call("runs.start", { workflow: "asked", id: "order-17" });
    await call("runs.start", { workflow: "essay", id: "essay-1", input: {}, wait: 30 });
    await call("runs.start", { workflow: "steps", id: "steps-1" });
    await call("webhooks.add", { id: "shop", url: "https://hooks.example/x" });
    const own: OwnMembers = (operation, n) => {
      if (operation === "runs.start") return { workflow: "order", id: `e-${n}` };
      if (operation === "runs.update") return { id: "order-17", name: "answer" };
      if (/^runs\.(state|history|stream|io|fork|next|message)$/.test(operation)) return { id: "essay-1" };
      if (/^(runs\.(why|evaluate)|steps\.act)$/.test(operation))
        return { id: "steps-1", ...(operation === "steps.act" ? { step: "wait" } : {}) };
      if (operation === "decisions.resolve") return { answer: { approve: true, reason: "a test" } };
      return operation === "webhooks.add" ? { url: "https://hooks.example/x" } : {};
    };
    const wrong: string[] = [];
    const counts = new Map<number, number>();
    const send = async (part: readonly Extreme[]): Promise<void> => {
      const answers = await rpc(part.map((e, id) => ({ jsonrpc: "2.0", id, method: e.operation, params: e.input })));
      if (!Array.isArray(answers)) return void wrong.push(`${part[0]!.operation}: ${JSON.stringify(answers).slice(0, 200)}`);
      for (const { id, error } of answers) {
        const status = error?.data.status ?? 200;
        counts.set(status, (counts.get(status) ?? 0) + 1);
        const e = part[id]!;
        if (status >= 500)
          wrong.push(`${status} ${error!.data.page} ${e.operation} ${e.place} ${JSON.stringify(e.input[e.place])?.slice(0, 80)}`);
      }
    };
    let part: Extreme[] = [];
    let size = 0;
    let n = 0;
    for (const e of extremes(own, (o) => !leftOut.has(o))) {
      if (n++ % every !== 0) continue;
      const length = JSON.stringify(e.input).length;
      if (part.length === atOnce || size + length > 2_000_000) {
        await send(part);
        [part, size] = [[], 0];
      }
      part.push(e);
      size += length;
    }
    await send(part);
    // It got past the schemas: most of what is refused is refused by them.
    expect(counts.get(200)).toBeGreaterThan(1_000 / every);
    expect([...new Set(wrong)]).toEqual([]);
  });
});
