// Templates: DAGs as data. What runs, what is refused and with which words, and that a first start leaves all of its rows or none. Nothing
// here is a unit test: every template goes through dagFromTemplate, as a user calls it.
import { describe, expect, it } from "vitest";
import { dag, dagFromTemplate, PawlError, task, workflow, type Template } from "../../src/index.ts";
import type { Client } from "../../src/client/types.ts";
import type { KvWrite } from "../../src/store/reader-store.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { proves } from "../support/proves.ts";
import { anySchema, payloadOf, storeKinds, testClusters } from "../support/test-cluster.ts";
import { wrapCommit } from "../support/wrap-commit.ts";

const fresh = testClusters();
const any = anySchema<any>();
const base = { namespace: "shop", name: "order", version: "1" };

const handlers = [
  task({ name: "validate", input: any }, (i) => ({ amount: i.input.amount, people: i.input.people ?? [] })),
  task({ name: "route", input: any }, (i) => (i.validate.amount < 10 ? "auto" : "manual")),
  task({ name: "charge", input: any }, (i) => ({ paid: i.cents, note: i.note })),
  task({ name: "mail", input: any }, (i) => `to ${i.who}`),
  task({ name: "done", input: any }, (i) => ({ charged: i.charge ?? null, asked: i.ask ?? null })),
  task({ name: "ask", input: any }, () => "asked"),
  task({ name: "ranges", input: any }, (i) => i.input.ranges),
  task({ name: "work", input: any }, (i) => i.cursor * 2),
  workflow({ name: "child", input: any }, async (ctx, i) => ctx.step("x", () => i.n + 1)),
];

const order: Template = {
  ...base,
  input: {
    type: "object",
    properties: { amount: { type: "number" }, people: { type: "array" }, ranges: { type: "array" }, ask: { type: "number" } },
    required: ["amount"],
    additionalProperties: false,
  },
  steps: [
    { name: "validate", handler: "validate" },
    { name: "route", type: "decision", handler: "route", branches: ["auto", "manual"], needs: ["validate"] },
    {
      name: "charge",
      handler: "charge",
      needs: ["route", "validate"],
      on: { decision: "route", branch: "auto" },
      when: { all: [{ at: "/validate/amount", gt: 0 }, { not: { at: "/input/amount", eq: 7 } }] },
      input: { cents: "/validate/amount", note: { value: "thanks" } },
    },
    { name: "ask", handler: "ask", needs: ["route"], on: { decision: "route", branch: "manual" } },
    {
      name: "mail",
      type: "each",
      handler: "mail",
      over: "/validate/people",
      id: "/item/id",
      needs: ["validate"],
      input: { who: "/item/name" },
    },
    { name: "sum", type: "batch", handler: "ranges", worker: "work", needs: ["validate"], when: { at: "/input/ranges", exists: true } },
    { name: "called", type: "call", workflow: "child", needs: ["validate"], input: { n: "/validate/amount" } },
    { name: "nap", type: "sleep", delay: "1s", needs: ["called"] },
    { name: "done", handler: "done", needs: ["charge", "ask"], trigger: "converge" },
  ],
};

describe.each(storeKinds)("%s", (kind) => {
  it("a template runs as the DAG that it describes", async () => {
    const l = await fresh(kind);
    const wf = dagFromTemplate(order, handlers);
    expect(wf).toMatchObject({ name: "shop/order", version: "1" });
    const { engine } = await l.engine([wf]);
    const people = [
      { id: 1, name: "ann" },
      { id: 2, name: "bob" },
    ];
    const h = await engine.start(wf, { amount: 5, people, ranges: [1, 2] });
    expect(await l.advanceUntil(h.result())).toEqual({
      mail: ["to ann", "to bob"],
      sum: [2, 4],
      nap: null,
      done: { charged: { paid: 5, note: "thanks" }, asked: null },
    });
    expect(await l.lines(h.runId)).toEqual(expect.arrayContaining(["StepCompleted mail/1", "StepCompleted sum/2", "StepSkipped ask"]));
    const started = payloadOf((await l.log(h.runId)).find((e) => e.eventType === "RunStarted"));
    expect(started["plan"]).toMatch(/^[0-9a-f]{64}$/);
    const manual = await engine.start(wf, { amount: 50 });
    expect(await l.advanceUntil(manual.result())).toMatchObject({ done: { charged: null, asked: "asked" } });
  });

  it("an each whose list was skipped or failed has no items under a trigger that permits it, as in code", async () => {
    const l = await fresh(kind);
    const list = { name: "list", handler: "validate" } as const;
    const of = (name: string, trigger: "none-failed" | "all-done", over: `/${string}`): Template => ({
      ...base,
      name,
      steps: [
        { ...list, when: { at: "/input/amount", gt: 10 } },
        { name: "mail", type: "each", handler: "mail", needs: ["list"], trigger, over, id: "/item/id", input: { who: "/item/id" } },
      ],
    });
    const skipped = dagFromTemplate(of("skipped", "none-failed", "/list/people"), handlers);
    const done = dagFromTemplate(of("done", "all-done", "/list/value/people"), handlers);
    const { engine } = await l.engine([skipped, done]);
    for (const wf of [skipped, done]) {
      expect(await l.advanceUntil(engine.run(wf, { amount: 5 }))).toEqual({ mail: [] });
      expect(await l.advanceUntil(engine.run(wf, { amount: 50, people: [{ id: 1 }] }))).toEqual({ mail: ["to 1"] });
    }
    // A list that is not where the pointer says is a mistake, and no empty list.
    const lost = dagFromTemplate(of("lost", "none-failed", "/list/nobody"), handlers);
    const other = await l.engine([lost]);
    await expect(l.advanceUntil(other.engine.run(lost, { amount: 50 }))).rejects.toThrow("runs over something that is not a list");
  });

  it("input is checked as a whole before a run exists", proves("TX-24"), async () => {
    const l = await fresh(kind);
    const wf = dagFromTemplate(order, handlers);
    const { engine } = await l.engine([wf]);
    for (const bad of [undefined, {}, { amount: "5" }, { amount: 5, colour: "red" }])
      await expect(engine.start(wf, bad as never)).rejects.toMatchObject({ code: "PAWL1008" });
    expect((await engine.list()).runs).toEqual([]);
  });

  it(
    "equal input is the same run under strict, however its members are ordered; another version is another run",
    proves("T-37", "TX-09"),
    async () => {
      const l = await fresh(kind);
      const small: Template = { ...base, steps: [{ name: "only", handler: "ask" }] };
      const one = dagFromTemplate(small, handlers);
      const two = dagFromTemplate({ ...small, version: "2" }, handlers);
      const { engine } = await l.engine([one]);
      const first = await engine.start(one, { a: 1, b: [1, 2] });
      const same = await engine.start(one, { b: [1, 2], a: 1 });
      expect([same.runId, same.created]).toEqual([first.runId, false]);
      await l.advanceUntil(first.result());
      expect((await engine.start(one, { a: 1, b: [1, 2] })).runId).toBe(first.runId); // also when it has ended
      expect((await engine.start(one, { a: 1, b: [2, 1] })).created).toBe(true);
      expect((await engine.start(one, { a: 1, b: [1, 2] }, { idempotencyKey: "k" })).created).toBe(true); // a request's own key comes first
      const other = await l.engine([two]);
      expect((await other.engine.start(two, { a: 1, b: [1, 2] })).created).toBe(true);
      const free = dagFromTemplate({ ...small, name: "free", identity: { strategy: "strict", version: false } }, handlers);
      const freeTwo = dagFromTemplate({ ...small, name: "free", version: "2", identity: { strategy: "strict", version: false } }, handlers);
      const third = await l.engine([free]);
      const fourth = await l.engine([freeTwo]);
      const whole = await third.engine.start(free, { a: 1 });
      expect((await fourth.engine.start(freeTwo, { a: 1 })).runId).toBe(whole.runId);
    },
  );

  it("caller needs a key; the same key with other input is refused, and says nothing of the run", proves("TX-09"), async () => {
    const l = await fresh(kind);
    const wf = dagFromTemplate({ ...base, identity: { strategy: "caller" }, steps: [{ name: "only", handler: "ask" }] }, handlers);
    const { engine } = await l.engine([wf]);
    await expect(engine.start(wf, {})).rejects.toMatchObject({ code: "PAWL4012" });
    await expect(engine.run(wf, {})).rejects.toMatchObject({ code: "PAWL4012" });
    const h = await engine.start(wf, { a: 1 }, { idempotencyKey: "k-1" });
    expect((await engine.start(wf, { a: 1 }, { idempotencyKey: "k-1" })).runId).toBe(h.runId);
    const refused = (await engine.start(wf, { a: 2 }, { idempotencyKey: "k-1" }).catch((e: unknown) => e)) as {
      code: string;
      data: object;
      message: string;
    };
    expect(refused).toMatchObject({ code: "PAWL4009", data: {} });
    expect(JSON.stringify([refused.message, refused.data])).not.toContain(h.runId);
    const unique = dagFromTemplate(
      { ...base, name: "u", identity: { strategy: "unique" }, steps: [{ name: "only", handler: "ask" }] },
      handlers,
    );
    const again = await l.engine([unique]);
    expect((await again.engine.start(unique, { a: 1 })).runId).not.toBe((await again.engine.start(unique, { a: 1 })).runId);
  });

  it(
    "a first start that loses a race takes the winner's row and makes the others; any other error reaches its caller, and leaves nothing",
    proves("T-31", "T-107"),
    async () => {
      const l = await fresh(kind);
      const of = (more: Partial<Template>): AnyWorkflow =>
        dagFromTemplate({ ...base, steps: [{ name: "only", handler: "ask" }], ...more }, handlers);
      /** What somebody else does right before the next Commit that puts rows. */
      let before: ((rows: readonly KvWrite[]) => Promise<unknown>) | undefined;
      const racing = wrapCommit(async (real, batch, renew) => {
        const rows = batch.flatMap((c) => c.puts ?? []);
        const act = rows.length === 0 ? undefined : before;
        if (act !== undefined) before = undefined;
        await act?.(rows);
        return real(batch, renew);
      });
      const found = async (client: Client): Promise<unknown> => [
        (await client.list()).runs.length,
        (await client.templates.list()).items.map((t) => t.version),
      ];
      const one = of({});
      const a = await l.engine([one], { wrap: racing });
      before = () => Promise.reject(new PawlError("PAWL3002", "the disk is full", { outcome: "none" }));
      await expect(a.engine.start(one, { a: 1 })).rejects.toMatchObject({ code: "PAWL3002", message: "the disk is full" });
      expect(await found(a.client)).toEqual([0, []]);

      before = (rows) => l.store.kv.put(rows.slice(0, 1));
      const h = await a.engine.start(one, { a: 1 });
      expect([h.created, await l.advanceUntil(h.result()), before]).toEqual([true, { only: "asked" }, undefined]);
      expect(await found(a.client)).toEqual([1, ["1"]]);

      // The winner's row says something else: it is read, and this start is refused.
      const [mine, theirs] = [of({ version: "2" }), of({ version: "2", description: "changed" })];
      const [b, winner] = [await l.engine([mine], { wrap: racing }), await l.engine([theirs])];
      before = () => winner.engine.start(theirs, { a: 1 });
      await expect(b.engine.start(mine, { a: 2 })).rejects.toMatchObject({ code: "PAWL1026" });
      expect(await found(b.client)).toEqual([2, ["1", "2"]]);
    },
  );

  it("the first start registers namespace, template and handlers with the run; other content under one version is refused with both digests", async () => {
    const l = await fresh(kind);
    const wf = dagFromTemplate(order, handlers);
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf, { amount: 5 });
    await l.advanceUntil(h.result());
    const changed = dagFromTemplate({ ...order, description: "changed" }, handlers);
    const other = await l.engine([changed]);
    const refused = (await other.engine.start(changed, { amount: 6 }).catch((e: unknown) => e)) as {
      code: string;
      data: Record<string, string>;
    };
    expect(refused.code).toBe("PAWL1026");
    expect([refused.data["registered"], refused.data["given"]].every((d) => /^[0-9a-f]{64}$/.test(d ?? ""))).toBe(true);
    expect(refused.data["registered"]).not.toBe(refused.data["given"]);
    expect((await engine.list()).runs.filter((r) => r.workflow === "shop/order").length).toBe(1);
  });
});

const refusals: readonly (readonly [string, unknown, string, RegExp])[] = [
  ["an unknown key", { ...base, steps: [{ name: "a", handler: "h" }], stepz: 1 }, "PAWL1025", /"stepz"/],
  ["an unknown key of a step", { ...base, steps: [{ name: "a", handler: "h", need: [] }] }, "PAWL1025", /"need"/],
  [
    "an unknown schema keyword",
    { ...base, input: { type: "object", nullable: true }, steps: [{ name: "a", handler: "h" }] },
    "PAWL1025",
    /nullable/,
  ],
  [
    "a nested unknown schema keyword",
    { ...base, input: { properties: { a: { if: {} } } }, steps: [{ name: "a", handler: "h" }] },
    "PAWL1025",
    /"if"/,
  ],
  ["no steps", { ...base, steps: [] }, "PAWL1025", /steps/],
  [
    "two steps of one name",
    {
      ...base,
      steps: [
        { name: "a", handler: "h" },
        { name: "a", handler: "h" },
      ],
    },
    "PAWL1025",
    /two steps/,
  ],
  ["an unknown need", { ...base, steps: [{ name: "a", handler: "h", needs: ["b"] }] }, "PAWL1025", /does not exist/],
  [
    "a need twice",
    {
      ...base,
      steps: [
        { name: "b", handler: "h" },
        { name: "a", handler: "h", needs: ["b", "b"] },
      ],
    },
    "PAWL1025",
    /twice/,
  ],
  [
    "a decision that is not needed",
    {
      ...base,
      steps: [
        { name: "d", type: "decision", handler: "h", branches: ["x"] },
        { name: "a", handler: "h", on: { decision: "d", branch: "x" } },
      ],
    },
    "PAWL1025",
    /among its needs/,
  ],
  [
    "an unknown branch",
    {
      ...base,
      steps: [
        { name: "d", type: "decision", handler: "h", branches: ["x"] },
        { name: "a", handler: "h", needs: ["d"], on: { decision: "d", branch: "y" } },
      ],
    },
    "PAWL1025",
    /branch y/,
  ],
  [
    "a pointer to a step that is not needed",
    {
      ...base,
      steps: [
        { name: "b", handler: "h" },
        { name: "a", handler: "h", input: { x: "/b/y" } },
      ],
    },
    "PAWL1025",
    /begins with b/,
  ],
  [
    "a condition with two comparisons",
    { ...base, steps: [{ name: "a", handler: "h", when: { at: "/input/x", eq: 1, gt: 2 } }] },
    "PAWL1025",
    /when/,
  ],
  ["an expression", { ...base, steps: [{ name: "a", handler: "h", when: "input.x > 1" }] }, "PAWL1025", /condition/],
  ["an unknown trigger", { ...base, steps: [{ name: "a", handler: "h", trigger: "sometimes" }] }, "PAWL1025", /trigger/],
  ["an each without a list", { ...base, steps: [{ name: "a", type: "each", handler: "h", id: "/item/id" }] }, "PAWL1025", /over/],
  ["a workflow that is not given", { ...base, steps: [{ name: "a", type: "call", workflow: "nobody" }] }, "PAWL1025", /nobody/],
  [
    "contradictory effects",
    { ...base, steps: [{ name: "a", handler: "h", effect: { once: true, repeatable: true } }] },
    "PAWL1005",
    /contradict/,
  ],
  ["a result that is no step", { ...base, steps: [{ name: "a", handler: "h" }], result: "z" }, "PAWL1025", /"z"/],
  ["a step that needs itself", { ...base, steps: [{ name: "a", handler: "h", needs: ["a"] }] }, "PAWL1024", /needs itself/],
  [
    "a step whose result nobody could be given",
    {
      ...base,
      steps: [
        { name: "__proto__", handler: "h" },
        { name: "b", handler: "h", needs: ["__proto__"] },
      ],
    },
    "PAWL1025",
    /"__proto__" is not a name for a step/,
  ],
  [
    "a retry that never tries",
    { ...base, steps: [{ name: "a", handler: "h", retry: { attempts: 0 } }] },
    "PAWL1011",
    /step a: retry\.attempts must be/,
  ],
  [
    "an input that would be lost",
    { ...base, steps: [{ name: "a", handler: "h", input: JSON.parse('{"__proto__":"/input"}') as unknown }] },
    "PAWL1025",
    /step a: input has a member __proto__/,
  ],
  [
    "a need of an each that its item would hide",
    {
      ...base,
      steps: [
        { name: "item", handler: "h" },
        { name: "all", type: "each", handler: "h", needs: ["item"], over: "/item", id: "/item/id" },
      ],
    },
    "PAWL1025",
    /step all: in an each, item is the item/,
  ],
  ["a missing version", { namespace: "n", name: "x", steps: [{ name: "a", handler: "h" }] }, "PAWL1001", /version/],
];

it("a DAG in code refuses a need that its function could not be given", () => {
  const build = () =>
    dag({ name: "lost" }, (t) => {
      const a = t.task("a", {}, () => 1);
      return t.task("b", { ["__proto__"]: a } as never, () => 2);
    });
  expect(build).toThrow("b: no need may be called __proto__");
});

describe("a template is refused whole, with what is wrong named", () => {
  it.each(refusals)("%s", proves("TX-24"), (_, template, code, words) => {
    let refused: unknown;
    try {
      dagFromTemplate(template as Template, []);
    } catch (e) {
      refused = e;
    }
    expect(refused).toMatchObject({ code });
    expect((refused as Error).message).toMatch(words);
  });
});
