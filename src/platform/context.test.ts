// Attribution along a chain of asynchronous calls: what each context sees of its own and of another's. Guards that a stray
// rejection is never laid at the door of another engine's run (K16).
import { AsyncLocalStorage } from "node:async_hooks";
import { expect, it, vi } from "vitest";
import { RunContext } from "./context.ts";

it("a value follows all that was started under it, and no other context sees it", async () => {
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
