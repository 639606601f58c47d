// Error codes as workflow code and callers meet them: each situation has a code of its own, whose page says what to do about exactly that.
// On the memory store with a virtual clock, through the public entry points; what needs a database or a process is tested there.
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { workflow, type StepError } from "../../src/index.ts";
import { testClusters } from "../support/test-cluster.ts";
import { testEngine, type TestEngine, type TestEngineOpts } from "../../src/testing.ts";

const open: TestEngine[] = [];
const engineOf = async (o: TestEngineOpts): Promise<TestEngine> => {
  const t = await testEngine({ abandoned: "allow", ...o });
  open.push(t);
  return t;
};
afterEach(async () => {
  for (const t of open.splice(0)) await t.stop();
});

const fresh = testClusters();
const codeOf = (e: unknown): string | undefined => (e as { code?: string }).code;
const causeOf = (e: StepError): readonly [string, string | undefined] => [e.category, codeOf(e.cause)];
const never = (): Promise<never> => new Promise(() => {});

it("PAWL1032: a wait that is open when its run is cancelled ends with the run", async () => {
  let seen: unknown;
  const waits = workflow({ name: "waits", signals: { go: z.null() } }, async (ctx) => {
    await ctx.receive("go").catch((e: StepError) => {
      seen = causeOf(e);
      throw e;
    });
  });
  const t = await engineOf({ workflows: [waits] });
  const h = await t.start(waits);
  await t.until(h, { waiting: "signal" });
  await h.cancel();
  await t.until(h, { status: "CANCELLED" });
  expect(seen).toEqual(["ABANDONED", "PAWL1032"]);
});

it("PAWL1032: a step whose function does not stop when its run ends is closed as abandoned", async () => {
  const stuck = workflow({ name: "stuck" }, async (ctx) => ctx.step("upload", never, { repeatable: true }));
  const t = await engineOf({ workflows: [stuck] });
  const h = await t.start(stuck);
  await t.advance("1s");
  await h.cancel();
  await t.until(h, { status: "CANCELLED" });
  let failed: unknown;
  for await (const e of h.events()) if (e.eventType === "StepFailed") failed = e.payload;
  expect(failed).toMatchObject({ category: "ABANDONED", error: { code: "PAWL1032" } });
});

it("PAWL1033: what ctx.continueAsNew throws says that it must not be caught", async () => {
  const codes: (string | undefined)[] = [];
  const twice = workflow({ name: "twice", input: z.number() }, async (ctx, n): Promise<number> => {
    if (n === 1) return n;
    try {
      return ctx.continueAsNew(1);
    } catch (e) {
      codes.push(codeOf(e));
      throw e;
    }
  });
  const t = await engineOf({ workflows: [twice] });
  expect(await t.run(twice, 0)).toBe(1);
  expect(codes).toEqual(["PAWL1033"]);
});

it("PAWL1034: a step that takes longer than its limit fails, and its function is asked to stop", async () => {
  let reason: unknown;
  const slow = workflow({ name: "slow" }, async (ctx) =>
    ctx
      .step("ask", (s) => new Promise(() => s.signal.addEventListener("abort", () => (reason = s.signal.reason))), {
        timeout: "30s",
        retry: { attempts: 1 },
      })
      .catch(causeOf),
  );
  const t = await engineOf({ workflows: [slow] });
  expect(await t.run(slow)).toEqual(["TIMEOUT", "PAWL1034"]);
  expect(codeOf(reason)).toBe("PAWL1034");
});

it("PAWL1035: a run that passes its deadline fails with it", async () => {
  const long = workflow({ name: "long" }, async (ctx) => ctx.sleep("night", "8h"));
  const t = await engineOf({ workflows: [long] });
  const h = await t.start(long, undefined, { deadline: "1h" });
  const failed = await h.result().catch((e: unknown) => e);
  expect(failed).toMatchObject({ code: "PAWL1013", cause: { code: "PAWL1035" } });
});

it("PAWL1036: a call that waits for a child longer than its limit fails", async () => {
  const child = workflow({ name: "child" }, async (ctx) => ctx.sleep("night", "8h"));
  const parent = workflow({ name: "parent" }, async (ctx) => ctx.call(child, undefined, { timeout: "1h" }).catch(causeOf));
  const t = await engineOf({ workflows: [parent, child] });
  expect(await t.run(parent)).toEqual(["TIMEOUT", "PAWL1036"]);
});

it("PAWL3017: a step's function is asked to stop when its engine no longer owns the run", async () => {
  let reason: unknown;
  const upload = workflow({ name: "upload" }, async (ctx) =>
    ctx.step("send", (s) => new Promise(() => s.signal.addEventListener("abort", () => (reason = s.signal.reason))), { repeatable: true }),
  );
  const cluster = await fresh();
  let isDead = false;
  const { engine } = await cluster.engine([upload], {
    lease: "1s",
    wrap: (s) => ({ ...s, renew: async (r) => (isDead ? "dead" : s.renew(r)) }),
  });
  const h = await engine.start(upload);
  await cluster.advanceUntilLine(h.runId, "StepStarted send");
  isDead = true;
  for (let i = 0; i < 20 && reason === undefined; i++) await cluster.platform.advance(250);
  expect(codeOf(reason)).toBe("PAWL3017");
});
