// What one process tells the others: the runs as long as they fit into one word, else the kinds of what happened. Ends of
// many runs must never look like work to be claimed, since every engine would go and look.
import { expect, it } from "vitest";
import { encodeHints } from "./watch.ts";

it("a word names its runs while they fit, and only what happened when they do not", () => {
  expect(
    encodeHints("o", [
      { kind: "due", runId: "a" },
      { kind: "settled", runId: "b" },
    ]),
  ).toBe('["o",["due","a"],["settled","b"]]');
  const ends = Array.from({ length: 500 }, (_, i) => ({ kind: "settled", runId: `run-${i}` }) as const);
  expect(encodeHints("o", ends)).toBe('["o",["settled"]]');
  expect(encodeHints("o", [...ends, { kind: "due", runId: "a" }])).toBe('["o",["settled"],["due"]]');
});
