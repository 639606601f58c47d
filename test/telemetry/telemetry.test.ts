// Spans with OpenTelemetry's own SDK: the tree of a run, its links across waits, crashes and processes, errors, bounds, and that values of
// users are nowhere in them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { connect } from "../../src/client.ts";
import { connect as connectHttp } from "../../src/http.ts";
import { engine, workflow, type Engine, type EngineOpts } from "../../src/index.ts";
import { server } from "../../src/server.ts";
import { verify } from "../../src/verify.ts";
import { killChildren, startChild } from "../support/child-process.ts";
import { registerTracing, type Tracing } from "./programs/tracing.ts";

const home = mkdtempSync(join(tmpdir(), "pawl-telemetry-"));
let n = 0;
let store = "";
let tracing: Tracing;
const engines: Engine[] = [];

beforeAll(() => {
  tracing = registerTracing();
});
beforeEach(() => {
  store = `sqlite:${join(home, `${++n}.db`)}`;
  tracing.reset();
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((e) => e.stop({ grace: 0 })));
});
afterAll(async () => {
  tracing.stop();
  await killChildren();
  rmSync(home, { recursive: true, force: true });
});

async function open(o: EngineOpts): Promise<Engine> {
  const app = await engine({ store, ...o });
  engines.push(app);
  return app;
}
const inSpan = <T>(name: string, fn: (where: { traceId: string; spanId: string }) => Promise<T>): Promise<T> =>
  trace.getTracer("test").startActiveSpan(name, async (span) => {
    try {
      return await fn(span.spanContext());
    } finally {
      span.end();
    }
  });
const ended = (name: string): ReadableSpan[] => tracing.spans().filter((s) => s.name === name);
const only = (name: string): ReadableSpan => {
  const found = ended(name);
  expect(
    found,
    `${name} among ${tracing
      .spans()
      .map((s) => s.name)
      .join(", ")}`,
  ).toHaveLength(1);
  return found[0]!;
};
/** Activations end when their run waits or has left, which may be after its caller has the result. */
const untilEnded = async (name: string, count: number): Promise<ReadableSpan[]> => {
  while (ended(name).length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  return ended(name);
};
const idsOf = (s: ReadableSpan): string[] => s.links.map((l) => l.context.spanId);
const activationsIn = async (app: Engine, wf: Parameters<Engine["get"]>[0], id: string): Promise<string[]> => {
  const found: string[] = [];
  for await (const e of (await app.get(wf, id))!.events()) {
    const { activation } = (e.payload ?? {}) as { activation?: string };
    if (activation !== undefined) found.push(activation.split("-")[2]!);
  }
  return found;
};

describe("the spans of a run", () => {
  it("are one activation under the starter, and one attempt for each step under it, with names and numbers only", async () => {
    const wf = workflow({ name: "tree", input: z.string() }, async (ctx, secret) => {
      await ctx.step("pay", () => ({ card: `${secret}-card` }), { key: "k-1", dedup: "1h" });
      await ctx.step("mail", () => `${secret}-mail`, { repeatable: true });
      return `${secret}-result`;
    });
    const app = await open({ workflows: [wf] });
    const starter = await inSpan("request", async (where) => {
      await app.run(wf, "canary", { id: "t" });
      return where;
    });
    const [run] = await untilEnded("run tree", 1);
    expect(run!.spanContext().traceId).toBe(starter.traceId);
    expect(run!.parentSpanContext?.spanId).toBe(starter.spanId);
    expect(idsOf(run!)).toEqual([starter.spanId]);
    expect(run!.attributes).toMatchObject({
      "pawl.workflow.id": "t",
      "pawl.workflow.name": "tree",
      "pawl.activation.began": "start",
      "pawl.outcome": "COMPLETED",
    });
    for (const [name, class_] of [
      ["pay", "KEYED"],
      ["mail", "REPEATABLE"],
    ] as const) {
      const step = only(`step ${name}`);
      expect(step.parentSpanContext?.spanId).toBe(run!.spanContext().spanId);
      expect(step.attributes).toMatchObject({
        "pawl.step.name": name,
        "pawl.step.class": class_,
        "pawl.step.attempt": 1,
        "pawl.outcome": "completed",
      });
    }
    const all = tracing.spans().map((s) => JSON.stringify([s.name, s.attributes, s.events, s.status]));
    expect(all.join("\n")).not.toContain("canary");
  });

  it("of a run that waited are two activations, the second linked to the first, in one trace", async () => {
    const wf = workflow({ name: "napper", signals: { go: z.number() } }, async (ctx) => {
      await ctx.step("before", () => 1);
      await ctx.receive("go");
      await ctx.step("after", () => 2);
    });
    const app = await open({ workflows: [wf] });
    const handle = await app.start(wf, undefined, { id: "n" });
    await untilEnded("run napper", 1);
    await handle.signal("go", 1);
    await handle.result();
    const [first, second] = await untilEnded("run napper", 2);
    expect([first!.attributes["pawl.outcome"], second!.attributes["pawl.outcome"]]).toEqual(["waiting", "COMPLETED"]);
    expect(second!.attributes["pawl.activation.began"]).toBe("wake");
    expect(idsOf(first!)).toEqual([]);
    expect(idsOf(second!)).toEqual([first!.spanContext().spanId]);
    expect(second!.spanContext().traceId).toBe(first!.spanContext().traceId);
    expect(only("step after").parentSpanContext?.spanId).toBe(second!.spanContext().spanId);
    expect(await activationsIn(app, wf, "n")).toEqual([first, second].map((s) => s!.spanContext().spanId));
  });

  it("say which attempt failed and with what kind of error, never with its message; a failed run is an error", async () => {
    let calls = 0;
    const wf = workflow({ name: "flaky" }, async (ctx) => {
      const shaky = (): void => {
        if (++calls === 1) throw new TypeError("canary");
      };
      await ctx.step("shaky", shaky, { repeatable: true, retry: { attempts: 2, initial: "20ms" } });
      const bad = (): never => {
        throw new RangeError("canary");
      };
      await ctx.step("bad", bad, { repeatable: true, retry: { attempts: 1 } });
    });
    const app = await open({ workflows: [wf] });
    await expect(app.run(wf)).rejects.toThrow(/canary|no/);
    while (!ended("run flaky").some((s) => s.attributes["pawl.outcome"] === "FAILED"))
      await new Promise((resolve) => setTimeout(resolve, 5));
    const attempts = ended("step shaky");
    expect(attempts.map((s) => [s.attributes["pawl.step.attempt"], s.attributes["pawl.outcome"], s.status.code])).toEqual([
      [1, "failed", SpanStatusCode.ERROR],
      [2, "completed", SpanStatusCode.UNSET],
    ]);
    expect(attempts[0]!.attributes["error.type"]).toBe("TypeError");
    expect(ended("run flaky").at(-1)!.status.code).toBe(SpanStatusCode.ERROR);
    expect(JSON.stringify(tracing.spans().map((s) => [s.attributes, s.events, s.status]))).not.toContain("canary");
  });

  it("of a transaction and of a compensation are attempts like any other", async () => {
    const wf = workflow({ name: "undoing" }, async (ctx) => {
      await ctx.tx("note", async (tx) => void (await tx.sql`select 1`));
      await ctx.step("book", () => 1, { repeatable: true, compensate: () => {} });
      throw new Error("no");
    });
    const app = await open({ workflows: [wf] });
    await expect(app.run(wf)).rejects.toThrow(/canary|no/);
    await untilEnded("run undoing", 1);
    expect(only("step note").attributes).toMatchObject({ "pawl.step.class": "ATOMIC", "pawl.outcome": "completed" });
    expect(only("step book (compensation)").attributes["pawl.step.kind"]).toBe("compensation");
  });

  it("of many steps stay bounded: two are open at a time, and past a thousand attempts the activation counts the rest", async () => {
    const wf = workflow({ name: "long", input: z.number() }, async (ctx, steps) => {
      for (let i = 0; i < steps; i++) await ctx.step("s", () => i);
    });
    const app = await open({ workflows: [wf] });
    await app.run(wf, 1_000);
    const [whole] = await untilEnded("run long", 1);
    expect(ended("step s")).toHaveLength(1_000);
    expect(whole!.attributes["pawl.attempts.without_span"]).toBeUndefined();
    expect(tracing.openMax()).toBe(2);
    expect(await activationsIn(app, wf, whole!.attributes["pawl.run.id"] as string), "it is in the log once").toHaveLength(1);
    tracing.reset();
    await app.run(wf, 1_003);
    const [longer] = await untilEnded("run long", 1);
    expect(ended("step s")).toHaveLength(1_000);
    expect(longer!.attributes["pawl.attempts.without_span"]).toBe(3);
  });
});

describe("trace context", () => {
  it("passes into steps, to the runs that they start, to children and to the next run", async () => {
    const leaf = workflow({ name: "leaf" }, async () => "leaf");
    const next = workflow({ name: "next", input: z.number() }, async (ctx, left): Promise<unknown> =>
      left === 0 ? "end" : ctx.continueAsNew(left - 1),
    );
    const seen: (string | undefined)[] = [];
    const wf = workflow({ name: "root" }, async (ctx) => {
      await ctx.step("call", async () => {
        seen.push(trace.getSpanContext(context.active())?.spanId);
        await app.start(leaf, undefined, { id: "by-step" });
      });
      await ctx.call(leaf, undefined);
      await ctx.call(next, 1);
    });
    const app = await open({ workflows: [wf, leaf, next] });
    const traceId = await inSpan("request", async (where) => {
      await app.run(wf);
      return where.traceId;
    });
    await untilEnded("run leaf", 2);
    await untilEnded("run next", 2);
    const call = only("step call").spanContext().spanId;
    expect(seen).toEqual([call]);
    const leaves = ended("run leaf");
    expect(leaves.map((s) => s.parentSpanContext?.spanId)).toContain(call);
    expect(new Set([...leaves, ...ended("run next")].map((s) => s.spanContext().traceId))).toEqual(new Set([traceId]));
  });

  it("may be named by the starter, here and from a client without the code; a malformed one is refused", async () => {
    const wf = workflow({ name: "named" }, async (ctx) => ctx.step("s", () => 1));
    const app = await open({ workflows: [wf] });
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    await app.run(wf, undefined, { id: "here", traceparent });
    const client = await connect({ store });
    const { runId } = await client.start({ workflow: "named", id: "queued", traceparent });
    await client.waitForEnd(runId);
    const [first] = await client.events(runId);
    expect(first).toMatchObject({ eventType: "RunQueued", payload: { traceparent } });
    await expect(client.start({ workflow: "named", traceparent: "00-1-2-3" })).rejects.toMatchObject({ page: "PAWL4011" });
    await client.close();
    for (const s of await untilEnded("run named", 2)) {
      expect(s.spanContext().traceId).toBe("4bf92f3577b34da6a3ce929d0e0e4736");
      expect(s.parentSpanContext?.spanId).toBe("00f067aa0ba902b7");
    }
  });

  it("of a signal and of an update is kept, whichever way it is sent, and the activation that takes it links to it", async () => {
    const wf = workflow(
      { name: "linked", signals: { go: z.string() }, updates: { ask: { input: z.string(), output: z.string() } } },
      async (ctx) => {
        ctx.onUpdate("ask", (word) => word);
        for (;;) if ((await ctx.receive("go")) === "end") return;
      },
    );
    const app = await open({ workflows: [wf] });
    const api = await server({ engine: app, auth: "open", log: () => {} });
    const { url } = await api.listen({ port: 0 });
    const overHttp = await connectHttp({ url });
    const local = await connect({ store });
    const handle = await app.start(wf, undefined, { id: "l" });
    await untilEnded("run linked", 1);
    const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${url}${path}`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) });
    const spanIds = Array.from({ length: 10 }, (_, i) => `00f067aa0ba902${i}7`.slice(0, 16));
    const placeOf = (i: number): string => `00-4bf92f3577b34da6a3ce929d0e0e4736-${spanIds[i]!}-01`;
    const params = { id: "l", name: "go", payload: "x" };
    const ways: ((traceparent: string) => Promise<unknown>)[] = [
      (traceparent) => post("/v1/runs/l/signals", { name: "go", payload: "x" }, { traceparent }),
      (traceparent) => post("/v1/runs/l/signals", { name: "go", payload: "x", traceparent }),
      (traceparent) => post("/rpc", { jsonrpc: "2.0", id: 1, method: "runs.signal", params }, { traceparent }),
      (traceparent) => post("/rpc", { jsonrpc: "2.0", id: 1, method: "runs.signal", params: { ...params, traceparent } }),
      (traceparent) => overHttp.signal("l", "go", "x", { traceparent }),
      (traceparent) => local.signal("l", "go", "x", { traceparent }),
      (traceparent) => handle.signal("go", "x", { traceparent }),
      (traceparent) => handle.update("ask", "x", { traceparent }),
      (traceparent) => overHttp.update("l", "ask", "x", { traceparent }),
      (traceparent) => post("/v1/runs/l/updates", { name: "ask", payload: "x" }, { traceparent }),
    ];
    for (const [i, send] of ways.entries()) {
      await send(placeOf(i));
      const spans = await untilEnded("run linked", i + 2);
      expect(idsOf(spans.at(-1)!), `way ${i}`).toEqual([spans.at(-2)!.spanContext().spanId, spanIds[i]]);
    }
    const active = await inSpan("sender", async ({ spanId }) => {
      await handle.signal("go", "x");
      return spanId;
    });
    expect(idsOf((await untilEnded("run linked", ways.length + 2)).at(-1)!)).toContain(active);
    // What a caller names must be a span; what a header says is left out where it is none.
    await expect(handle.signal("go", "x", { traceparent: "00-1-2-3" })).rejects.toMatchObject({ page: "PAWL4011" });
    const [refused, taken] = await Promise.all([
      post("/v1/runs/l/signals", { name: "go", payload: "x", traceparent: "00-1-2-3" }),
      post("/v1/runs/l/signals", { name: "go", payload: "end" }, { traceparent: "canary" }),
    ]);
    expect([refused.status, taken.status]).toEqual([422, 200]);
    await handle.result();
    await Promise.all([overHttp.close(), local.close(), api.stop()]);
  });

  it("of a signal survives the engine that was to take it", async () => {
    const wf = workflow({ name: "late", signals: { go: z.string() } }, async (ctx) => ctx.receive("go"));
    const first = await open({ workflows: [wf] });
    await first.start(wf, undefined, { id: "s" });
    await untilEnded("run late", 1);
    await engines.pop()!.stop();
    const local = await connect({ store });
    await local.signal("s", "go", "x", { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" });
    await local.close();
    const second = await open({ workflows: [wf] });
    expect(await (await second.get(wf, "s"))!.result()).toBe("x");
    const spans = await untilEnded("run late", 2);
    expect(idsOf(spans.at(-1)!)).toEqual([spans[0]!.spanContext().spanId, "00f067aa0ba902b7"]);
  });

  it("is named by lines of the log about a run", async () => {
    const lines: (Readonly<Record<string, unknown>> | undefined)[] = [];
    const wf = workflow({ name: "logger" }, async (ctx) => ctx.step("s", (s) => s.log("working")));
    const app = await open({ workflows: [wf], log: (_, message, data) => void (message === "working" && lines.push(data)) });
    await app.run(wf);
    const [run] = await untilEnded("run logger", 1);
    expect(lines).toEqual([expect.objectContaining({ runId: run!.attributes["pawl.run.id"], traceId: run!.spanContext().traceId })]);
  });
});

describe("after a crash", () => {
  it("another process links to the starter and to the activation that died, and makes no span for what it only replays", async () => {
    const file = join(home, `${n}.db`);
    const dying = startChild("test/telemetry/programs/traced-worker.js", { args: [file, "hold"] });
    const [, runId = "", traceId, starter] = (await dying.waitForLine("started")).split(" ");
    await dying.waitForLine("second");
    dying.signal("SIGKILL");
    await dying.ended;
    const wf = workflow({ name: "ledger" }, async (ctx) => {
      await ctx.step("first", () => 1);
      return ctx.step("second", () => 2);
    });
    const app = await open({ workflows: [wf] });
    const handle = (await app.get(wf, runId))!;
    expect(await handle.result()).toBe(2);
    const [run] = await untilEnded("run ledger", 1);
    const [died, here] = await activationsIn(app, wf, runId);
    expect(here).toBe(run!.spanContext().spanId);
    expect(run!.spanContext().traceId).toBe(traceId);
    expect(run!.attributes["pawl.activation.began"]).toBe("claim");
    expect(idsOf(run!)).toEqual([starter, died]);
    expect(ended("step first"), "it was only replayed").toEqual([]);
    expect(only("step second").attributes).toMatchObject({ "pawl.step.attempt": 1, "pawl.step.engine_attempt": 2 });
    const report = verify(await handle.evidence());
    expect(report.ok, JSON.stringify(report)).toBe(true);
  });

  it("a run's own engine that is lost ends its open spans as abandoned", async () => {
    let begun = (): void => {};
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    const wf = workflow({ name: "stuck" }, async (ctx) =>
      ctx.step("hangs", () => {
        begun();
        return new Promise<void>(() => {});
      }),
    );
    const app = await open({ workflows: [wf] });
    await app.start(wf);
    await isBegun;
    await engines.pop()!.stop({ grace: 0 });
    expect(only("step hangs").attributes["pawl.outcome"]).toBe("abandoned");
    expect(only("run stuck").attributes["pawl.outcome"]).toBe("released");
  });
});

describe("without telemetry", () => {
  const wf = workflow({ name: "plain" }, async (ctx) => ctx.step("s", () => 1));

  it("an engine that turned it off makes no spans and records none, and passes on what its starter named", async () => {
    const app = await open({ workflows: [wf], telemetry: false });
    await inSpan("request", () => app.run(wf, undefined, { id: "off" }));
    expect(tracing.spans().map((s) => s.name)).toEqual(["request"]);
    expect(await activationsIn(app, wf, "off")).toEqual([]);
    await expect(engine({ store, telemetry: true as never })).rejects.toMatchObject({ page: "PAWL5001" });
  });

  it("a log that was written without it continues with it, and the other way round", async () => {
    const napping = workflow({ name: "napping", signals: { go: z.number() } }, async (ctx) => {
      await ctx.step("a", () => 1);
      await ctx.receive("go");
      await ctx.step("b", () => 2);
      await ctx.receive("go");
      await ctx.step("c", () => 3);
    });
    const life = async (o: EngineOpts, step: string, signals: boolean): Promise<void> => {
      const app = await open({ workflows: [napping], ...o });
      const h = await app.start(napping, undefined, { id: "m" });
      if (signals) await h.signal("go", 1);
      while (!(await h.steps()).some((x) => x.name === step && x.status === "SUCCESS"))
        await new Promise((resolve) => setTimeout(resolve, 5));
      await engines.pop()!.stop();
    };
    await life({ telemetry: false }, "a", false);
    await life({}, "b", true);
    await life({ telemetry: false }, "c", true);
    expect(ended("step a")).toEqual([]);
    expect(only("step b").attributes["pawl.outcome"]).toBe("completed");
    expect(ended("step c")).toEqual([]);
  });

  it("go to the provider that is registered now, not to an earlier one of the process", async () => {
    const short = workflow({ name: "short" }, (ctx) => ctx.step("a", () => 1));
    const app = await open({ workflows: [short] });
    await app.run(short, undefined, { id: "before" });
    expect(ended("step a")).toHaveLength(1);
    const earlier = tracing;
    earlier.stop();
    await app.run(short, undefined, { id: "between" });
    tracing = registerTracing();
    await app.run(short, undefined, { id: "after" });
    expect(ended("step a")).toHaveLength(1);
    expect(earlier.spans().filter((s) => s.name === "step a")).toHaveLength(1);
  });
});
