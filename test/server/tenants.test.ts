// Every operation, asked by one tenant for what is another's, over real sockets, on every store. The list is the catalogue itself, so that an operation that is
// added is asked, too: what another tenant has is answered like what does not exist, is in no list, and is changed by nothing.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { addressOf, routeOf } from "../../src/api/address.ts";
import { examples } from "../../src/api/examples.ts";
import { operationSpecs, type Operation } from "../../src/api/operations.ts";
import { defaultScope } from "../../src/client/environment.ts";
import type { Scope } from "../../src/core/model.ts";
import { accessScopes } from "../../src/core/principal.ts";
import { engine, workflow } from "../../src/index.ts";
import { server } from "../../src/server.ts";
import { proves } from "../support/proves.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { answerOf, type Answer } from "./serve.ts";

const rival: Scope = { ...defaultScope, tenantId: "rival" };
const names = Object.keys(operationSpecs) as Operation[];
/** They make something of the caller's own under the name that they are given. */
const makers: ReadonlySet<Operation> = new Set([
  "runs.start",
  "queues.set",
  "schedules.put",
  "templates.put",
  "events.append",
  "webhooks.add",
]);
const waits = workflow({ name: "zebra", signals: { go: z.any(), note: z.any() }, views: { zebra: z.string() } }, async (ctx) => {
  ctx.publish("zebra", "zebra");
  await ctx.step("zebra", () => "zebra", { key: "k-17", dedup: "1d" });
  await ctx.step("paid", () => "zebra", { once: true, approve: "zebra?" });
});

interface Place {
  ask(operation: Operation, input: object): Promise<Answer>;
  rpc(operation: Operation, input: object): Promise<Answer>;
}
const onRpc = (operation: Operation): boolean => operationSpecs[operation].notOn?.startsWith("JSON-RPC") !== true;

describe.each(testStores)("on %s", { timeout: 120_000 }, (_, make) => {
  let b: TestStore;
  const closing: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    b = await make();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
    await b.close();
  });
  const serve = async (tenant: Scope, workflows: (typeof waits)[]): Promise<Place> => {
    const app = await engine({ store: b.store, tenant, workflows, log: () => {} });
    const auth = () => ({ kind: "person" as const, subject: tenant.tenantId, scopes: [...accessScopes] });
    const api = await server({ engine: app, auth, log: () => {} });
    closing.push(
      () => app.stop(),
      () => api.stop(),
    );
    const { url } = await api.listen({ port: 0 });
    const send = async (method: string, path: string, body?: unknown): Promise<Answer> =>
      answerOf(
        await fetch(`${url}${path}`, {
          method,
          ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
        }),
      );
    return {
      ask: (operation, input) => {
        const { method, path, body } = addressOf(operation, input as Record<string, unknown>);
        return send(method, path, body);
      },
      rpc: (method, params) => send("POST", "/rpc", { jsonrpc: "2.0", id: 1, method, params }),
    };
  };
  /** An answer without what differs because the question did. */
  const said = ({ status, json }: Answer, id: string): unknown =>
    JSON.parse(
      JSON.stringify([status, json])
        .replaceAll(/"traceId":"[^"]*"/g, '"traceId":""')
        .replaceAll(/"requestId":"[^"]*"/g, '"requestId":""')
        .replaceAll(encodeURIComponent(id), "ID")
        .replaceAll(id, "ID"),
    );

  it(
    "what is another tenant's is answered like what does not exist, is in no list, and stays as it is",
    proves("P-34", "P-47", "AX-33"),
    async () => {
      const [ours, theirs] = [await serve(defaultScope, []), await serve(rival, [waits])];
      const made = async (operation: Operation, input: object): Promise<Answer["json"]> => {
        const { status, json } = await theirs.ask(operation, input);
        expect(status, `${operation} ${JSON.stringify(json)}`).toBeLessThan(300);
        return json;
      };
      const reason = "zebra";
      const { runId } = await made("runs.start", { workflow: "zebra", id: "zebra-1", input: null });
      let decisionId: string | undefined;
      while (decisionId === undefined) decisionId = (await made("decisions.list", {})).items[0]?.decisionId;
      await made("runs.signal", { id: "zebra-1", name: "note", payload: "zebra", signalId: "zebra" });
      await made("templates.put", {
        template: { namespace: "zebra", name: "zebra", version: "1", steps: [{ name: "zebra", handler: "zebra" }] },
      });
      await made("queues.set", { name: "zebra", concurrency: 1, reason });
      await made("schedules.put", { name: "zebra", when: { cron: "0 0 1 1 *" }, workflow: "zebra" });
      await made("investigations.open", { id: "zebra-1", reason });
      const { batchId } = await made("batches.create", {
        filter: { workflow: "zebra" },
        action: "pause",
        dryRun: false,
        reason,
        requestId: randomUUID(),
      });
      const { workerId } = await made("workers.register", {
        lang: "zebra",
        works: [{ task: "zebra" }],
        queues: { zebra: { concurrency: 1 } },
      });
      const { endpoint } = await made("webhooks.add", { url: "https://192.0.2.1/zebra", events: ["zebra.never"] });
      const { view } = await made("tokens.create", { subject: "zebra", scopes: ["read"] });
      const engineId = (await made("engines.list", {})).items[0].engineId as string;
      const theirOwn = async (): Promise<unknown> => [
        (await made("runs.events", { id: runId })).items.length,
        (await made("schedules.get", { name: "zebra" })).paused,
        (await made("queues.list", {})).items,
        (await made("templates.list", {})).items,
        (await made("investigations.list", {})).items,
        (await made("webhooks.list", {})).items.length,
        (await made("tokens.list", {})).items,
      ];
      await expect.poll(async () => (await made("batches.get", { batchId })).state, { timeout: 30_000 }).toBe("done");
      const before = await theirOwn();

      const missing = "01890000-0000-7000-8000-000000000000";
      const ids: Readonly<Record<string, readonly (readonly [foreign: string, none: string])[]>> = {
        id: [
          [runId, missing],
          ["zebra-1", "horse-1"],
        ],
        name: [["zebra", "horse"]],
        namespace: [["zebra", "horse"]],
        batchId: [[batchId, missing]],
        endpointId: [[endpoint.id, missing]],
        tokenId: [[view.tokenId, "000000000000"]],
        engineId: [[engineId, missing]],
        workerId: [[workerId, missing]],
        decisionId: [[decisionId, decisionId.replace(runId, missing)]],
        questionId: [[`${runId}:7`, `${missing}:7`]],
        consumer: [["zebra", "horse"]],
      };
      const memberOf = (operation: Operation): string | undefined =>
        routeOf(operation)
          .parts.find((p) => p.startsWith("{"))
          ?.slice(1, -1);
      // Lists first: our own audit log will have what we ask for below.
      for (const operation of names.filter((o) => memberOf(o) === undefined && routeOf(o).method === "GET" && o !== "runs.watch")) {
        const { text } = await ours.ask(operation, operation === "effects.list" || operation === "effects.proof" ? { key: "k-17" } : {});
        for (const theirs of ["zebra", runId as string]) expect(text.includes(theirs), `${theirs} in ${operation}`).toBe(false);
      }
      const guarantees = async (run: string): Promise<unknown> => said(await ours.ask("runs.guarantees", { runs: [run] }), run);
      expect(await guarantees(runId)).toEqual(await guarantees(missing));
      const known = new Set([...Object.keys(ids), "code"]); // of an error
      expect(names.map((o) => memberOf(o) ?? "code").filter((m) => !known.has(m))).toEqual([]);
      let asked = 0;
      for (const operation of names.filter((o) => !makers.has(o))) {
        const member = memberOf(operation) ?? "";
        for (const [foreign, none] of ids[member] ?? []) {
          asked++;
          expect(foreign, member).toEqual(expect.any(String));
          for (const way of onRpc(operation) ? (["ask", "rpc"] as const) : (["ask"] as const)) {
            const input = examples[operation].input as Readonly<Record<string, unknown>>;
            const [a, n] = [
              await ours[way](operation, { ...input, [member]: foreign }),
              await ours[way](operation, { ...input, [member]: none }),
            ];
            expect(said(a, foreign), `${way} ${operation} ${foreign}`).toEqual(said(n, none));
          }
        }
      }
      expect(asked).toBeGreaterThan(60);
      expect(await theirOwn()).toEqual(before);
    },
  );
});
