// The three errors about effects whose outcome must be found out, under the contract's names: over REST, JSON-RPC, the HTTP client and the client on the store. A person
// who resumes such a run is told what is undecided; a run that fails of it says so in its result. What nobody expected stays masked.
import { afterEach, describe, expect, it } from "vitest";
import { connect, type HttpClient } from "../../src/client.ts";
import type { Engine } from "../../src/client/engine-types.ts";
import { engine, PawlError, workflow } from "../../src/index.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { server } from "../../src/server.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { proves } from "../support/proves.ts";
import { serve, type Served } from "./serve.ts";

const platform = systemPlatform();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const f of closing.splice(0).reverse()) await f();
});

const hang = (): Promise<never> => new Promise(() => {});
const doubted = workflow({ name: "doubted" }, (ctx) => ctx.step("pay", hang, { once: true, timeout: "50ms" }));
const failing = workflow({ name: "failing" }, (ctx) => ctx.step("pay", hang, { once: true, timeout: "50ms", onDoubt: "fail" }));
const unsure = workflow({ name: "unsure" }, (ctx) =>
  ctx.step("pay", hang, { verify: async () => ({ state: "indeterminate", reason: "the bank is shut" }) }),
);
const torn = workflow({ name: "torn" }, (ctx) =>
  ctx.step("pay", hang, { key: "k-1", dedup: "1h", verify: async () => ({ state: "not-completed", result: "canary" }) as never }),
);
const all = [doubted, failing, unsure, torn];

/** One engine begins them and stops in the middle; the next one, behind a server, recovers them. */
async function recovered(store: FullStore): Promise<Served> {
  const first = await engine({ store, workflows: all, log: () => {} });
  for (const wf of [unsure, torn]) await first.start(wf as never, undefined as never, { id: wf.name } as never);
  await first.stop({ grace: 0 });
  const s = await serve({ on: store, workflows: all });
  closing.push(() => s.close());
  for (const wf of [doubted, failing]) await s.app.start(wf as never, undefined as never, { id: wf.name } as never);
  await until(async () => (await s.app.decisions()).length === 3);
  return s;
}
async function until(fact: () => Promise<boolean>): Promise<void> {
  while (!(await fact())) await new Promise((resolve) => setTimeout(resolve, 10));
}
const client = async (s: Served): Promise<HttpClient> => {
  const c = await connect({ url: s.url });
  closing.push(() => c.close());
  return c;
};

describe("effects that nobody could reconcile", () => {
  it("a resume that answers nothing says which, with one code on every transport", proves("Q-10"), async () => {
    const store = memoryStore(platform);
    const s = await recovered(store);
    const http = await client(s);
    const local = await connect({ store });
    const table = [
      ["doubted", "ActivityReconciliationIndeterminateError", "PAWL2001"],
      ["unsure", "ActivityReconciliationIndeterminateError", "PAWL2002"],
      ["torn", "ActivityReconciliationConflictError", "PAWL2014"],
    ] as const;
    for (const [id, code, page] of table) {
      const rest = await s.post(`/v1/runs/${id}/resume`, {});
      expect([rest.status, rest.json.code, rest.json.page, rest.json.data.step, rest.json.outcome]).toEqual([
        409,
        code,
        page,
        "pay",
        "none",
      ]);
      const rpc = await s.rpc({ jsonrpc: "2.0", id: 7, method: "runs.resume", params: { id } });
      expect(rpc.json).toMatchObject({ id: 7, error: { code: -32009, data: { code, page, status: 409 } } });
      for (const resume of [() => http.control(id, "resume"), () => local.control(id, "resume")]) {
        const error = (await resume().catch((e: unknown) => e)) as PawlError;
        expect(error).toBeInstanceOf(PawlError);
        expect([error.code, error.name, error.page]).toEqual([code, code, page]);
      }
      expect(rest.text + rpc.text).not.toContain("canary");
      const explained = await s.get(`/v1/errors/${code}`);
      expect([explained.status, explained.json.code]).toEqual([200, code.includes("Conflict") ? "PAWL2014" : "PAWL2001"]);
    }
  });

  it("a run that fails of it says so in its result, and is listed by it", proves("Q-10"), async () => {
    const s = await recovered(memoryStore(platform));
    const http = await client(s);
    const code = "ActivityReconciliationIndeterminateError";
    const rest = await s.get("/v1/runs/failing/result?wait=30");
    const { cause } = rest.json.error;
    expect(cause).toMatchObject({ code, name: code });
    const rpc = await s.rpc({ jsonrpc: "2.0", id: 1, method: "runs.result", params: { id: "failing" } });
    expect(rpc.json.result.error.cause).toMatchObject({ code });
    for (const end of [await http.waitForEnd("failing"), (await s.get("/v1/runs?errorCode=" + code)).json.items[0]])
      expect(JSON.stringify(end)).toContain(code);
  });

  it("a store that cannot record it first is a capability error, and nothing is sent", proves("Q-10"), async () => {
    let sent = 0;
    const once = workflow({ name: "once" }, (ctx) => ctx.step("pay", () => ++sent, { once: true }));
    const store = memoryStore(platform, { capabilities: { conditionalBatch: false } });
    const app: Engine = await engine({ store, workflows: [once], checkpointOwnership: "single-owner", log: () => {} });
    closing.push(() => app.stop());
    const api = await server({ engine: app, auth: "open", log: () => {} });
    closing.push(() => api.stop());
    const { url } = await api.listen({ port: 0 });
    await (await app.start(once, undefined, { id: "o" })).result().catch(() => {});
    const code = "ActivityReconciliationCapabilityError";
    const rest = (await (await fetch(`${url}/v1/runs/o/result`)).json()) as { error: { code: string; name: string } };
    expect(rest.error).toMatchObject({ code, name: code });
    const http = await connect({ url });
    closing.push(() => http.close());
    expect(JSON.stringify(await http.waitForEnd("o"))).toContain(code);
    expect(sent).toBe(0);
  });
});
