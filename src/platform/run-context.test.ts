// Attribution along a chain of asynchronous calls: what each context sees of its own and of another's. Guards that a stray
// rejection is never laid at the door of another engine's run (K16).
import { AsyncLocalStorage } from "node:async_hooks";
import { expect, it, vi } from "vitest";
import { currentZone, inZone, RunContext, type Zone } from "./run-context.ts";
import { proves } from "../../test/support/proves.ts";

it("a value follows all that was started under it, and no other context sees it", proves("K16"), async () => {
  const one = new RunContext<string>();
  const two = new RunContext<string>();
  expect(one.current()).toBeUndefined();
  const seen = one.run("a", async () => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    return [one.current(), two.current(), two.run("b", () => [one.current(), two.current()]), one.current()];
  });
  expect(one.current()).toBeUndefined();
  expect(await seen).toEqual(["a", undefined, [undefined, "b"], "a"]);
});

it("contexts cost the process nothing: however many there are, one storage serves them", () => {
  const run = vi.spyOn(AsyncLocalStorage.prototype, "run");
  for (let i = 0; i < 10; i++) new RunContext<number>().run(i, () => i);
  expect(new Set(run.mock.contexts).size).toBe(1);
  run.mockRestore();
});

it("a zone holds for what is started in it, keeps whose code it is, and ends where a run's other code begins", proves("K16"), async () => {
  const context = new RunContext<string>();
  const zone = (stepId: string | null): Zone => ({ runId: "r", workflow: "w", stepId, alive: () => true });
  const seen: unknown[] = [];
  const look = (): void => void seen.push([context.current(), currentZone()?.stepId]);
  look();
  await context.run("run", () =>
    inZone(zone(null), async () => {
      look();
      context.run("run", look);
      inZone(null, look);
      await new Promise<void>((resolve) => setImmediate(resolve));
      inZone(zone("a"), look);
      look();
    }),
  );
  expect(seen).toEqual([
    [undefined, undefined],
    ["run", null],
    ["run", undefined],
    ["run", undefined],
    ["run", "a"],
    ["run", null],
  ]);
});
