// Calls that cannot mean anything are refused with a PawlError that says what to do, never with a TypeError from inside: options that are
// none, a definition that is missing, words that no list has. Nothing is written by any of them.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { connect, type Client } from "../../src/client.ts";
import { engine, PawlError, task, workflow, type Ctx, type Engine, type Tx } from "../../src/index.ts";
import { server } from "../../src/server.ts";
import { testEngine } from "../../src/testing.ts";

const any = <T>(x: unknown): T => x as T;
const shown = workflow({ name: "shown", views: { state: z.string() } }, async (ctx) => {
  ctx.publish("state", "done");
});
const plain = workflow({ name: "plain" }, async () => 1);

/** What it was refused with. */
async function refusal(call: () => unknown): Promise<PawlError> {
  try {
    await call();
  } catch (e) {
    expect(e).toBeInstanceOf(PawlError);
    return e as PawlError;
  }
  throw new Error("it was not refused");
}

describe("options and definitions that are none", () => {
  it.each([[null], ["sqlite:./x.db"], [3], [[plain]]])("engine(%j) says that it takes an object", async (o) => {
    const e = await refusal(() => engine(any(o)));
    expect([e.code, e.message]).toEqual(["PAWL5001", expect.stringContaining("engine() takes an object of options, not ")]);
  });

  it("a tenant that is text is refused with the form that it has", async () => {
    const e = await refusal(() => engine({ store: "memory:", workflows: [plain], tenant: any("acme/shop/live") }));
    expect([e.code, e.message]).toEqual(["PAWL5001", expect.stringContaining("{ tenantId, projectId, environmentId }")]);
  });

  it("server() refuses options that it does not have: with a misspelt one, a check that somebody relies on would not be made", async () => {
    expect((await refusal(() => any<() => unknown>(server)())).message).toContain("server() takes an object of options, not undefined");
    const misspelt = { store: "memory:", tenant: "a/b/c", auth: "open", prodution: true } as const;
    expect((await refusal(() => server(misspelt))).message).toContain('has no option "prodution"; did you mean "production"?');
    expect((await refusal(() => server({ store: "memory:", auth: "open" }))).message).toContain("server() needs engine, or tenant");
  });

  it("workflow() and task() without a definition say what they take", async () => {
    const none = any<() => unknown>(workflow);
    expect((await refusal(() => none())).message).toMatch(/workflow\(\) takes a definition, such as .* and a function/);
    expect((await refusal(() => any<() => unknown>(task)())).message).toMatch(/task\(\) takes a definition/);
    expect((await refusal(() => any<(d: unknown) => unknown>(workflow)({ name: "x" }))).code).toBe("PAWL5001");
    const withInput = (make: unknown, input: unknown): Promise<PawlError> =>
      refusal(() => any<(d: unknown, fn: unknown) => unknown>(make)({ name: "x", input }, () => 1));
    expect((await withInput(task, undefined)).message).toContain("input of task x is missing");
    expect((await withInput(task, { a: "string" })).message).toContain("input of task x must be a Standard Schema");
    expect((await withInput(workflow, { a: "string" })).message).toContain("input of workflow x must be a Standard Schema");
  });

  it("a signal without a schema, and an update that is one, are refused when the workflow is defined", async () => {
    const define = any<(d: unknown, code: unknown) => unknown>(workflow);
    const code = async (): Promise<void> => {};
    const signal = await refusal(() => define({ name: "x", signals: { go: undefined } }, code));
    expect([signal.code, signal.message]).toEqual(["PAWL5001", "signal go of workflow x needs a schema"]);
    for (const update of [z.object({ n: z.number() }), {}, undefined]) {
      const e = await refusal(() => define({ name: "x", updates: { add: update } }, code));
      expect([e.code, e.message]).toEqual(["PAWL5001", "update add of workflow x needs { input }, the schema of what it is sent"]);
    }
  });

  it("start options that are no object are refused", async () => {
    const t = await testEngine({ workflows: [plain] });
    expect((await refusal(() => t.start(plain, undefined, any("order-17")))).code).toBe("PAWL5001");
    await t.stop();
  });
});

describe("ctx.map and db.sql", () => {
  const failing = async (code: (ctx: Ctx) => Promise<unknown>): Promise<unknown> => {
    const wf = workflow({ name: "misuse" }, async (ctx) => {
      try {
        await code(ctx);
      } catch (e) {
        return e instanceof PawlError ? `${e.code} ${e.message}` : String(e);
      }
      return "accepted";
    });
    const t = await testEngine({ workflows: [wf], store: "sqlite:" });
    const said = await t.run(wf);
    await t.stop();
    return said;
  };

  it("ctx.map without a key, a list or a function says what it needs", async () => {
    const each = async (): Promise<number> => 1;
    expect(await failing((ctx) => ctx.map("m", [1], any({}), each))).toMatch(/^PAWL4011 ctx\.map\("m"\) needs \{ key \}/);
    expect(await failing((ctx) => ctx.map("m", [1], any(undefined), each))).toMatch(/^PAWL4011 .* needs \{ key \}/);
    expect(await failing((ctx) => ctx.map("m", any<readonly number[]>("abc"), { key: String }, each))).toMatch(/^PAWL4011 .* takes a list/);
    expect(await failing((ctx) => ctx.map("m", [1], { key: String }, any(undefined)))).toMatch(/^PAWL4011 .* needs a function/);
  });

  it("db.sql called with a text says that it is a template tag, in ctx.tx and in a test's setup", async () => {
    const call = (db: Pick<Tx, "sql">): Promise<unknown> => any<(text: string) => Promise<unknown>>(db.sql)("select 1");
    expect(await failing((ctx) => ctx.tx("t", (db) => call(db)))).toContain("db.sql is a template tag");
    const e = await refusal(() => testEngine({ store: "sqlite:", setup: (_t, db) => call(db) }));
    expect(e.message).toContain("db.sql is a template tag");
  });
});

describe("words that no list has", () => {
  let app: Engine;
  let client: Client & { close(): Promise<void> };
  beforeAll(async () => {
    app = await engine({ store: "memory:", workflows: [shown, plain], log: () => {} });
    client = await connect({ store: "memory:" });
  });
  afterAll(async () => {
    await app.stop();
    await client.close();
  });

  it("an unknown status, phase or class of an effect is refused and named whole", async () => {
    for (const [q, said] of [
      [{ status: "bogus" }, 'status: "bogus" is none of completed, failed'],
      [{ phase: "later" }, 'phase: "later" is none of queued'],
      [{ class: "keyed" }, 'class: "keyed" is none of ATOMIC'],
    ] as const)
      expect((await refusal(() => app.effects(any(q)))).message).toContain(said);
    expect((await app.effects({ status: "completed", phase: "settled", class: "KEYED" })).effects).toEqual([]);
  });

  it("a status of runs that is a text, or unknown, is named whole", async () => {
    expect((await refusal(() => app.list({ status: any("BOGUS") }))).message).toBe(
      'status must be a list, such as ["FAILED"], not "BOGUS"',
    );
    expect((await refusal(() => app.list({ status: any(["BOGUS"]) }))).message).toContain('status: "BOGUS" is none of');
    expect((await app.list({ status: ["FAILED"] })).runs).toEqual([]);
  });

  it("a view that the workflow does not declare is refused where its code is known, and unknown elsewhere", async () => {
    const h = await app.start(shown, undefined);
    await h.result();
    expect(await h.view("state")).toBe("done");
    const e = await refusal(() => h.view(any<"state">("stat")));
    expect([e.code, e.message]).toEqual(["PAWL1016", expect.stringContaining("it declares state")]);
    const none = await app.start(plain, undefined);
    expect((await refusal(() => any<{ view(n: string): Promise<unknown> }>(none).view("x"))).message).toContain("it declares no views");
  });
});
