// What a reader who is behind gets of what steps say: nothing that has a hole, and always the news that an attempt is void. Guards that no reader costs
// more memory than its bound.
import { describe, expect, it } from "vitest";
import { StepStreams, type Streamed } from "../../engine/streams/step-streams.ts";
import { LiveItems } from "./live-items.ts";

const modes = ["tokens", "custom"] as const;
function reader(): { readonly items: LiveItems; readonly say: (s: Streamed) => void } {
  let say: (s: Streamed) => void = () => {};
  const items = new LiveItems({ listen: (_, listener) => ((say = listener), () => {}) }, "r", modes);
  return { items, say: (s) => say(s) };
}
const text = (delta: string, attempt = 1, stepId = "talk"): Streamed => ({
  type: "value",
  runId: "r",
  stepId,
  attempt,
  value: { type: "text", id: "1", delta },
});
const reset = (attempt: number): Streamed => ({ type: "reset", runId: "r", stepId: "talk", attempt });
const custom = (value: unknown): Streamed => ({ type: "custom", runId: "r", item: "1/a", value });
const mebi = 1024 * 1024;

describe("a reader who is behind", () => {
  it("misses the rest of an attempt, not a part of its middle; the next attempt is whole", () => {
    const { items, say } = reader();
    say(text("a".repeat(mebi)));
    say(text("lost"));
    expect(items.take()).toMatchObject([{ mode: "tokens", part: { delta: "a".repeat(mebi) } }]);
    say(text("after the hole"));
    expect(items.take()).toEqual([]);
    say(text("another step", 1, "think"));
    say(reset(2));
    say(text("whole", 2));
    expect(items.take()).toMatchObject([{ stepId: "think" }, { mode: "reset", attempt: 2 }, { attempt: 2, part: { delta: "whole" } }]);
  });

  it("learns that an attempt is void, however much waits, and is spared what is void", () => {
    const { items, say } = reader();
    for (let i = 0; i < 10_001; i++) say(custom(i));
    say(reset(2));
    const got = items.take();
    expect([got.length, got.at(-1)]).toEqual([10_001, { mode: "reset", runId: "r", stepId: "talk", attempt: 2 }]);
    say(text("void"));
    say(reset(3));
    expect(items.take()).toMatchObject([{ mode: "reset", attempt: 3 }]);
  });

  it("costs no more than its bound, whatever nodes emit", () => {
    const { items, say } = reader();
    for (let i = 0; i < 100; i++) say(custom("x".repeat(100_000)));
    expect(items.take().length).toBe(10);
    say(custom({ big: 1n }));
    expect(items.take()).toEqual([]);
  });
});

it("what has no JSON form is heard by those who listen, and fails no step", () => {
  const streams = new StepStreams();
  const heard: unknown[] = [];
  streams.listen("r", (s) => heard.push(s.type === "value" ? s.value : s));
  streams.send({ runId: "r", parentRunId: null }, "talk", { logical: 1, engine: 1 }, 1n);
  expect(heard).toEqual([1n]);
});
