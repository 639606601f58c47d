// Compensations on a live engine: undone in reverse order, one after the other, a failed one named at the end. Guards K19's
// order. It must never need a crash to see it: this is the plain way a run fails.
import { expect, it } from "vitest";
import { openEngine } from "../../client/engine.ts";
import { virtualPlatform } from "../../platform/virtual.ts";
import { memoryStore } from "../../store/memory/store.ts";
import { workflow } from "../../workflow/define.ts";
import { proves } from "../../../test/support/proves.ts";

it("a failing run undoes its completed steps in reverse order, and names those it could not undo", proves("K19"), async () => {
  const platform = virtualPlatform();
  const store = memoryStore(platform);
  const did: string[] = [];
  const wf = workflow({ name: "wf" }, async (ctx) => {
    for (const name of ["a", "b", "c"])
      await ctx.step(name, () => name.toUpperCase(), {
        compensate: (result) => {
          did.push(`undo ${result}`);
          if (name === "b") throw new Error("cannot");
        },
      });
    ctx.fail("no");
  });
  const { engine } = await openEngine({ platform, log: () => {}, open: async () => store }, { workflows: [wf] });
  const h = await engine.start(wf);
  const ended = h.result().then(
    () => "completed",
    (e: Error) => e.message,
  );
  await platform.settle();
  expect(await ended).toBe("no");
  expect(did).toEqual(["undo C", "undo B", "undo A"]);
  const events = await store.events({ runId: h.runId, after: 0, limit: 100 });
  expect(events.map((e) => `${e.eventType} ${e.stepId ?? ""}`.trim()).slice(-6)).toEqual([
    "StepCompleted c/~compensate",
    "StepStarted b/~compensate",
    "StepFailed b/~compensate",
    "StepStarted a/~compensate",
    "StepCompleted a/~compensate",
    "RunFailed",
  ]);
  expect(JSON.parse(events.at(-1)?.payload ?? "{}")).toMatchObject({ category: "FAILED", compensationsFailed: ["b"] });
  await engine.stop();
});

it.each([
  ["cannot be stored", () => (): void => {}],
  ["is too large", () => "x".repeat(1_100_000)],
])("a run whose result %s has failed, and undoes what it did", proves("K19"), async (_why, result) => {
  const platform = virtualPlatform();
  const store = memoryStore(platform);
  const did: string[] = [];
  const wf = workflow({ name: "wf" }, async (ctx) => {
    await ctx.step("a", () => 1, { compensate: () => void did.push("undo a") });
    return result();
  });
  const { engine } = await openEngine({ platform, log: () => {}, open: async () => store }, { workflows: [wf] });
  const h = await engine.start(wf);
  const ended = h.result().catch((e: unknown) => e);
  await platform.settle();
  expect(await ended).toMatchObject({ code: "PAWL1013", data: { category: "NOT_ENCODABLE" } });
  expect(did).toEqual(["undo a"]);
  await engine.stop();
});
