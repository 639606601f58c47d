// replay of recorded runs against code: the same code passes, a change that the record does not fit is thrown with both sides,
// and no function of a step is ever called. The histories are those of real runs, as an engine recorded them.
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { task, workflow, type Ctx, type RunEventRecord } from "../../src/index.ts";
import { replay, testEngine, type TestEngine } from "../../src/testing.ts";

const open: TestEngine[] = [];
afterEach(async () => {
  for (const t of open.splice(0)) await t.stop();
});

const calls: string[] = [];
type Signals = { go: z.ZodNumber };
type Code = (ctx: Ctx<Signals>) => Promise<unknown>;
const orderOf = (code: Code, version = "1") => workflow({ name: "order", version, signals: { go: z.number() } }, code);
const called = (name: string) => () => {
  calls.push(name);
  return name;
};

const code: Code = async (ctx) => {
  const [a, b] = await Promise.all([ctx.step("a", called("a")), ctx.step("b", called("b"), { key: "k", dedup: "1d" })]);
  await ctx.sleep("night", "8h");
  const n = await ctx.receive("go");
  return { a, b, n, at: ctx.now().toISOString(), id: ctx.uuid() };
};

/** The log of a run of `wf`, up to its end, or up to where it waits for the signal. */
async function recorded(wf: ReturnType<typeof orderOf>, toTheEnd = true): Promise<RunEventRecord[]> {
  const t = await testEngine({ workflows: [wf] });
  open.push(t);
  const h = await t.start(wf, undefined, { id: "order-17" });
  await t.until(h, { waiting: "signal" });
  if (toTheEnd) {
    await h.signal("go", 3);
    await h.result().catch(() => {});
  }
  const all: RunEventRecord[] = [];
  for await (const e of h.events()) all.push(e);
  calls.length = 0;
  return all;
}

it("the code that recorded a run replays it, as events, as JSON and as lines, and calls no step's function", async () => {
  const history = await recorded(orderOf(code));
  await replay(orderOf(code), history);
  await replay(orderOf(code), JSON.stringify(history));
  await replay(orderOf(code), history.map((e) => JSON.stringify(e)).join("\n"));
  expect(calls).toEqual([]);
});

it("a run that is under way replays up to where it stands; new steps behind that are no divergence", async () => {
  const history = await recorded(orderOf(code), false);
  await replay(
    orderOf(async (ctx) => {
      await code(ctx);
      await ctx.step("new", called("new"));
    }),
    history,
  );
  expect(calls).toEqual([]);
});

it("another call, another guarantee, a missing call and another end are thrown with both sides and both places", async () => {
  const history = await recorded(orderOf(code));
  const changed = (edit: (ctx: Ctx<Signals>) => Promise<unknown>): Promise<void> => replay(orderOf(edit), history);
  await expect(
    changed(async (ctx) => Promise.all([ctx.step("a2", called("a")), ctx.step("b", called("b"), { key: "k", dedup: "1d" })])),
  ).rejects.toMatchObject({
    code: "PAWL1006",
    message: expect.stringMatching(
      /^the code calls a2 where the record has effect a .*; called at test\/testing\/replay\.test\.ts:\d+:\d+, recorded as event 2$/,
    ),
    data: { expected: expect.stringContaining("effect a "), found: expect.stringContaining("effect a2 ") },
  });
  await expect(
    changed(async (ctx) => Promise.all([ctx.step("a", called("a")), ctx.step("b", called("b"), { once: true })])),
  ).rejects.toMatchObject({
    code: "PAWL1006",
    data: { expected: expect.stringContaining("KEYED"), found: expect.stringContaining("AT-MOST-ONCE") },
  });
  await expect(
    changed(async (ctx) => Promise.all([ctx.step("a", called("a")), ctx.step("b", called("b"), { key: "k", dedup: "1d" })])),
  ).rejects.toMatchObject({ code: "PAWL1006" });
  await expect(changed(async (ctx) => ({ ...((await code(ctx)) as object), a: "z" }))).rejects.toMatchObject({
    message: expect.stringContaining("the record ends with RunCompleted"),
  });
  await expect(
    changed(async (ctx) => {
      await code(ctx);
      await ctx.step("more", called("more"));
    }),
  ).rejects.toMatchObject({ data: { found: "StepStarted more" } });
  expect(calls).toEqual([]);
});

it("a guarded change fits old runs and new ones, under a new version too", async () => {
  const history = await recorded(orderOf(code));
  await replay(
    orderOf(async (ctx) => {
      if (ctx.patched("greet")) await ctx.step("greet", called("greet"));
      return code(ctx);
    }, "2"),
    history,
  );
  expect(calls).toEqual([]);
});

it("runs that failed with compensations replay, and runs that diverged do so once the code is put right", async () => {
  const failing: Code = async (ctx) => {
    await ctx.step("a", called("a"), { compensate: called("undo a") });
    await ctx.receive("go");
    ctx.fail("no");
  };
  await replay(orderOf(failing), await recorded(orderOf(failing)));
  const history = await recorded(orderOf(code), false);
  const paused = { ...history.at(-1)!, eventType: "RunPaused", payload: { category: "DIVERGED" } } as RunEventRecord;
  delete (paused as { stepId?: string }).stepId;
  await replay(orderOf(code), [...history, paused]);
  expect(calls).toEqual([]);
});

it("nobody is asked whether recorded effects still stand: the world of a test is not the run's", async () => {
  const asked: string[] = [];
  const file = task({ name: "file", input: z.null() }, () => "made", {
    repeatable: true,
    confirm: { mode: "strict", verifier: { name: "gone", check: async () => (asked.push("file"), { matches: false, reason: "gone" }) } },
  });
  const filed: Code = async (ctx) => {
    await ctx.do(file, null);
    return ctx.receive("go");
  };
  await replay(orderOf(filed), await recorded(orderOf(filed)));
  expect(asked).toEqual([]);
});

it("code that looks at its run's own id is given it, since the log does not have it", async () => {
  const named: Code = async (ctx) => ({
    id: await ctx.step("note", called("note"), { input: ctx.run.workflowId }),
    n: await ctx.receive("go"),
  });
  const history = await recorded(orderOf(named));
  await expect(replay(orderOf(named), history)).rejects.toMatchObject({ code: "PAWL1006" });
  await replay(orderOf(named), history, { workflowId: "order-17" });
});

it("what is no history is refused", async () => {
  const history = await recorded(orderOf(code));
  await expect(replay(orderOf(code), "nonsense")).rejects.toMatchObject({ code: "PAWL4011" });
  await expect(replay(orderOf(code), [])).rejects.toMatchObject({ code: "PAWL4011" });
  await expect(
    replay(
      workflow({ name: "other" }, async () => {}),
      history,
    ),
  ).rejects.toMatchObject({ code: "PAWL4011" });
});
