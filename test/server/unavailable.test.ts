// A store that does not answer, seen by a caller: 503 with Retry-After on every way in, nothing accepted, and the same request goes through once the
// store is back. What is refused because somebody asks for too much at once is in guard.test.ts and streams.test.ts.
import { describe, expect, it } from "vitest";
import { PawlError } from "../../src/errors/error.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { proves } from "../support/proves.ts";
import { serve } from "./serve.ts";

describe("a store that is away", () => {
  it(
    "is answered 503 with Retry-After, over REST and for workers; then the same request is accepted",
    proves("TX-20", "AX-27"),
    async () => {
      const inner = memoryStore(systemPlatform());
      let away = false;
      const refuse = (): never => {
        throw new PawlError("PAWL3001", "the store does not answer", { outcome: "none" });
      };
      const flaky = (of: object): object =>
        new Proxy(of, {
          get(target, name) {
            const value = Reflect.get(target, name) as unknown;
            if (name === "queues" || name === "kv" || name === "feed") return flaky(value as object);
            if (typeof value !== "function" || name === "close" || name === "watch" || name === "capabilities") return value;
            return async (...args: unknown[]): Promise<unknown> =>
              away ? refuse() : (value as (...x: unknown[]) => unknown).apply(target, args);
          },
        });
      const s = await serve({ on: flaky(inner) as FullStore });
      try {
        const body = { workflow: "order", input: 1, id: "u-1" };
        away = true;
        for (const answer of [
          await s.post("/v1/runs", body),
          await s.get("/v1/runs/u-1"),
          await s.get("/v1/runs/u-1/verification"),
          await s.post("/v1/workers", { lang: "test", works: [{ task: "t" }], queues: { q: { concurrency: 1 } } }),
        ]) {
          expect(answer.status).toBe(503);
          expect(answer.headers.get("retry-after")).toBe("1");
          expect(answer.json).toMatchObject({ status: 503, page: "PAWL3001", retryable: true });
        }
        away = false;
        expect((await s.get("/v1/runs/u-1")).status, "nothing was accepted").toBe(404);
        expect((await s.post("/v1/runs", body)).status).toBe(201);
      } finally {
        away = false;
        await s.close();
      }
    },
  );

  it("a start that the engine here goes on trying is answered 503, too; the run that comes of it is the one that its key finds", async () => {
    const inner = memoryStore(systemPlatform());
    let away = false;
    const commit: FullStore["commit"] = (batch, renew) => {
      if (away && batch.length > 0) throw new PawlError("PAWL3001", "the store takes nothing", { outcome: "none" });
      return inner.commit(batch, renew);
    };
    const s = await serve({ on: { ...inner, commit } as FullStore });
    try {
      away = true;
      const body = { workflow: "order", idempotencyKey: "k" };
      const [keyed, bare] = await Promise.all([
        s.post("/v1/runs", body),
        s.rpc({ jsonrpc: "2.0", id: 1, method: "runs.start", params: { workflow: "order" } }),
      ]);
      expect([keyed.status, keyed.headers.get("retry-after")]).toEqual([503, "1"]);
      for (const problem of [keyed.json, bare.json.error.data])
        expect(problem).toMatchObject({ status: 503, page: "PAWL3002", retryable: true, outcome: "unknown" });
      away = false;
      const again = await s.post("/v1/runs", body);
      expect((await s.get(`/v1/runs/${again.json.runId}/result?wait=20`)).json.status).toBe("COMPLETED");
      expect((await s.get("/v1/runs/count")).json.byWorkflow).toEqual({ order: 2 });
    } finally {
      away = false;
      await s.close();
    }
  });
});
