// Templates as plans that others refer to: what a version was registered with is what runs, whoever claims it; a plan comes from no address but a
// file; what a step may say and need is checked before anything is stored. Over a server, its client and the command line.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { connect } from "../../src/http.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { dagFromTemplate, engine, task, workflow, type Engine } from "../../src/index.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { server, type PawlServer } from "../../src/server.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { CliFolder } from "../cli/pawl-process.ts";
import { proves } from "../support/proves.ts";

const begun: string[] = [];
const handler = task({ name: "note", input: z.any() }, () => void begun.push("begun"), { repeatable: true });
const plan = (...steps: object[]): never =>
  ({ namespace: "shop", name: "order", version: "1.0.0", identity: { strategy: "unique" }, steps }) as never;
const first = { name: "a", handler: "note" };
const changed = { name: "b", handler: "note" };

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
  begun.length = 0;
});

describe("a plan whose content is not what its version was registered with", () => {
  it("starts no step, in whichever engine: it waits for a person, and both digests are said", proves("P-43"), async () => {
    const store = memoryStore(systemPlatform());
    const api: PawlServer = await server({ store, tenant: defaultScope, auth: "open", log: () => {} });
    const client = await connect({ url: (await api.listen({ port: 0 })).url });
    stops.push(
      () => api.stop(),
      () => client.close(),
    );
    const { digest } = await client.templates.put(plan(first));
    await expect(client.templates.put(plan(changed))).rejects.toMatchObject({
      page: "PAWL1026",
      data: { code: "PLAN_INTEGRITY_VALIDATION_FAILED", registered: digest, given: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    });
    const lines: { level: string; data: Readonly<Record<string, unknown>> | undefined }[] = [];
    const serve = async (wf: AnyWorkflow): Promise<Engine> =>
      engine({ store, workflows: [wf], log: (level, _, data) => void lines.push({ level, data }) });
    const given = dagFromTemplate(plan(changed), [handler]);
    const wrong = await serve(given);
    // Started here, it is refused; started elsewhere, it is claimed and stopped before its first step.
    await expect(wrong.start(given, {})).rejects.toMatchObject({ data: { code: "PLAN_INTEGRITY_VALIDATION_FAILED" } });
    const { runId } = await client.start({ workflow: "shop/order", version: "1.0.0", id: "o-1", input: {} });
    const [asked] = await until(() => client.decisions());
    expect(asked).toMatchObject({ runId });
    expect(asked!.reason).toContain(`PLAN_INTEGRITY_VALIDATION_FAILED: shop/order version 1.0.0 is registered with the digest ${digest}`);
    expect(lines.find((l) => l.data?.["code"] === "PLAN_INTEGRITY_VALIDATION_FAILED")).toMatchObject({
      level: "error",
      data: { registered: digest, runId },
    });
    // Somebody is woken by it.
    expect(wrong.metrics()).toContain("\npawl_divergences_total 1\n");
    const rules = readFileSync(new URL("../../docs/alerts.yml", import.meta.url), "utf8");
    expect(rules).toMatch(/expr: increase\(pawl_divergences_total\[10m\]\) > 0\n +labels: \{ severity: page \}/);
    // An answer lets the run go on only where the registered content is.
    await client.resolve(asked!.decisionId, { retry: true, reason: "the right code is coming" } as never);
    const [again] = await until(async () => (await client.decisions()).filter((d) => d.decisionId !== asked!.decisionId));
    await wrong.stop();
    expect(begun).toEqual([]);
    const right = await serve(dagFromTemplate(plan(first), [handler]));
    await client.resolve(again!.decisionId, { retry: true, reason: "it is there" } as never);
    expect(await client.waitForEnd(runId)).toMatchObject({ status: "COMPLETED" });
    expect(begun).toHaveLength(1);
    await right.stop();
  });

  it("a plan comes from a file: what has another address is refused before anything is fetched", proves("P-43"), async () => {
    const asked: string[] = [];
    const site = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.end(JSON.stringify(plan(first)));
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    stops.push(() => new Promise((resolve) => site.close(resolve)));
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/order.json`;
    const folder = new CliFolder();
    for (const command of [
      ["templates", "check", address],
      ["templates", "put", address],
      ["start", address, "--tenant", "a/b/c", "--open", "--listen", "127.0.0.1:0"],
    ]) {
      const { code, out, err } = await folder.start([...command, "--json"]).ended;
      expect(code, out + err).toBe(2);
      expect(out + err).toContain("PLAN_URI_NOT_ALLOWED");
    }
    expect(asked).toEqual([]);
  });
});

describe("a plan with a step that cannot be", () => {
  it("is refused by name before anything is stored", proves("P-44"), async () => {
    const store = memoryStore(systemPlatform());
    const api = await server({ store, tenant: defaultScope, auth: "open", log: () => {} });
    const { url } = await api.listen({ port: 0 });
    stops.push(() => api.stop());
    const put = async (...steps: object[]): Promise<{ status: number; page: string; code: string; detail: string }> => {
      const body = JSON.stringify({ template: plan(...steps) });
      const answer = await fetch(`${url}/v1/templates`, { method: "POST", headers: { "content-type": "application/json" }, body });
      const json = (await answer.json()) as { page: string; detail: string; data: { code: string } };
      return { status: answer.status, page: json.page, code: json.data?.code, detail: json.detail };
    };
    const refused = { status: 422, code: "INVALID_STEP_SCHEMA" };
    const [a, b] = [first, { name: "b", handler: "note" }];
    for (const [problem, page, ...steps] of [
      ['no "color"', "PAWL1025", { ...a, color: "red" }],
      ["two steps are named a", "PAWL1025", a, { ...a }],
      ["twice", "PAWL1025", a, { ...b, needs: ["a", "a"] }],
      ["missing", "PAWL1025", { ...a, needs: ["missing"] }],
      ["needs itself", "PAWL1024", { ...a, needs: ["a"] }],
      ["closes a cycle: b → a → b", "PAWL1024", { ...a, needs: ["b"] }, { ...b, needs: ["a"] }],
    ] as const) {
      const answer = await put(...steps);
      expect(answer, problem).toMatchObject({ ...refused, page });
      expect(answer.detail).toContain(problem);
    }
    expect(await (await fetch(`${url}/v1/templates`)).json()).toMatchObject({ items: [] });
    expect((await put(a)).status).toBeLessThan(300);
  });
});

describe("a request to start under an id of its own", () => {
  it(
    "is the same run by equal input or by its key; a missing key is 400, a key of another request 409 that names no run",
    proves("TX-09"),
    async () => {
      const of = (name: string, identity?: object): AnyWorkflow =>
        dagFromTemplate(
          { namespace: "shop", name, version: "1", steps: [first], ...(identity === undefined ? {} : { identity }) } as never,
          [handler],
        );
      const app = await engine({
        store: "memory:",
        workflows: [of("strict"), of("caller", { strategy: "caller" }), of("free", { strategy: "unique" })],
        log: () => {},
      });
      const api = await server({ engine: app, auth: "open", log: () => {} });
      stops.push(
        () => app.stop(),
        () => api.stop(),
      );
      const { url } = await api.listen({ port: 0 });
      const send = async (
        workflow: string,
        input: object,
        key?: string,
      ): Promise<{ status: number; runId: string; page?: string; text: string }> => {
        const headers = { "content-type": "application/json", ...(key === undefined ? {} : { "idempotency-key": key }) };
        const answer = await fetch(`${url}/v1/runs`, {
          method: "POST",
          headers,
          body: JSON.stringify({ workflow: `shop/${workflow}`, input }),
        });
        const text = await answer.text();
        return { status: answer.status, ...(JSON.parse(text) as { runId: string; page?: string }), text };
      };
      const many = await Promise.all(
        Array.from({ length: 50 }, (_, i) => send("strict", i % 2 === 0 ? { a: 1, b: [1, 2] } : { b: [1, 2], a: 1 })),
      );
      expect(many.filter((m) => m.status === 201)).toHaveLength(1);
      expect(many.filter((m) => m.status === 200)).toHaveLength(49);
      expect(new Set(many.map((m) => m.runId)).size).toBe(1);
      expect((await send("strict", { a: 1, b: [2, 1] })).status).toBe(201);
      expect((await send("strict", { a: 1, b: [1, 2] }, "mine")).status, "a request's own key comes first").toBe(201);
      expect(await send("caller", { a: 1 })).toMatchObject({ status: 400, page: "PAWL4012" });
      const made = await send("caller", { a: 1 }, "k-1");
      expect(await send("caller", { a: 1 }, "k-1")).toMatchObject({ status: 200, runId: made.runId });
      const refused = await send("caller", { a: 2 }, "k-1");
      expect(refused).toMatchObject({ status: 409, page: "PAWL4009" });
      expect(refused.text).not.toContain(made.runId);
      expect((await send("free", { a: 1 })).runId).not.toBe((await send("free", { a: 1 })).runId);
    },
  );

  it(
    "is one run of its tenant, plan and version, claimed by one engine before any step, however many send it",
    proves("P-40"),
    async () => {
      const store = memoryStore(systemPlatform());
      const seen: string[] = [];
      const work = (name: string, version: string): AnyWorkflow =>
        workflow({ name, version }, async (ctx) => ctx.step("once", () => seen.push(ctx.run.runId), { once: true }));
      const plans = [work("order", "1"), work("bill", "1")];
      const scopes = [defaultScope, ...["tenantId", "projectId", "environmentId"].map((part) => ({ ...defaultScope, [part]: "other" }))];
      const urls: string[] = [];
      for (const tenant of scopes) {
        const [a, b] = [
          await engine({ store, workflows: plans, tenant, log: () => {} }),
          await engine({ store, workflows: plans, tenant, log: () => {} }),
        ];
        const apis = [await server({ engine: a, auth: "open", log: () => {} }), await server({ engine: b, auth: "open", log: () => {} })];
        stops.push(...[a, b, ...apis].map((x) => () => x.stop()));
        for (const api of apis) urls.push((await api.listen({ port: 0 })).url);
      }
      const send = async (url: string, body: object): Promise<{ status: number; runId: string; page?: string }> => {
        const answer = await fetch(`${url}/v1/runs?wait=30`, {
          method: "POST",
          headers: { "content-type": "application/json", "idempotency-key": "request-1" },
          body: JSON.stringify(body),
        });
        return { status: answer.status, ...((await answer.json()) as { runId: string; page?: string }) };
      };
      const answers = await Promise.all(urls.flatMap((url) => Array.from({ length: 10 }, () => send(url, { workflow: "order" }))));
      const byTenant = scopes.map((_, i) => new Set(answers.slice(i * 20, i * 20 + 20).map((a) => a.runId)));
      expect(byTenant.map((ids) => ids.size)).toEqual([1, 1, 1, 1]);
      const runIds = byTenant.flatMap((ids) => [...ids]);
      expect(new Set(runIds).size).toBe(4);
      for (const [i, runId] of runIds.entries())
        expect(await (await fetch(`${urls[i * 2]!}/v1/runs/${runId}/result?wait=30`)).json()).toMatchObject({ status: "COMPLETED" });
      // Whoever lost has called no step.
      expect(seen.toSorted()).toEqual(runIds.toSorted());
      // Under the same id, another plan or version is no second run: it is refused.
      for (const other of [{ workflow: "bill" }, { workflow: "order", version: "2" }])
        expect(await send(urls[0]!, other)).toMatchObject({ status: 422, page: "PAWL4053" });
    },
  );
});

async function until<T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> {
  for (;;) {
    const found = await read();
    if (found.length > 0) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
