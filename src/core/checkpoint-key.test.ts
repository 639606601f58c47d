// Method: the golden vectors of the contract, and what a key may and may not depend on. Proves that the key of a checkpoint
// is one formula over bytes, the same in whatever order a frontier was gathered. It asks no store.
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { checkpointKey, type CheckpointPlace } from "./checkpoint-key.ts";
import { proves } from "../../test/support/proves.ts";

interface Vector {
  readonly runId: string;
  readonly stepId: number;
  readonly frontier: readonly { readonly nodeId: string; readonly orderKey: string }[];
  readonly stateJson: string;
  readonly expected: string;
}
const vectors = (
  JSON.parse(readFileSync(new URL("../../contract/vectors/StoreGuarantees.vectors.json", import.meta.url), "utf8")) as {
    readonly checkpointKey: readonly Vector[];
  }
).checkpointKey;

const key = (place: CheckpointPlace): string => checkpointKey(sha256Hex, place);
const place: CheckpointPlace = {
  runId: "run-001",
  stepId: 1,
  frontier: [
    { nodeId: "b", orderKey: 2n },
    { nodeId: "a", orderKey: 1n },
  ],
  stateJson: '{"n":1}',
};

describe("the key of a checkpoint", () => {
  it.each(vectors)("is the contract's formula over bytes: $expected", proves("L-36", "L-37", "L-38", "L-39", "L-40", "L-41"), (v) => {
    const frontier = v.frontier.map((f) => ({ nodeId: f.nodeId, orderKey: BigInt(f.orderKey) }));
    expect(key({ ...v, frontier })).toBe(v.expected);
    expect(v.expected).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it(
    "a frontier is sorted before it is hashed, on a copy: the order it was gathered in changes nothing",
    proves("L-39", "L-43", "L-44", "L-47", "L-67", "L-75"),
    () => {
      const item = fc.record({ nodeId: fc.string({ maxLength: 5 }), orderKey: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) });
      // Few places, so that ties are common.
      const tied = fc.record({ nodeId: fc.constantFrom("a", "b", "c"), orderKey: fc.constantFrom(0n, 1n) });
      fc.assert(
        fc.property(fc.array(fc.oneof(item, tied), { maxLength: 8 }), fc.infiniteStream(fc.nat()), (frontier, numbers) => {
          const shuffled = [...frontier];
          for (let i = shuffled.length - 1; i > 0; i--) {
            const j = numbers.next().value % (i + 1);
            [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
          }
          const before = [...shuffled];
          expect(key({ ...place, frontier: shuffled })).toBe(key({ ...place, frontier }));
          expect(shuffled).toEqual(before);
        }),
        { numRuns: 200, seed: 7 },
      );
    },
  );

  it("another step, run, state or frontier has another key", proves("L-45"), () => {
    const others: CheckpointPlace[] = [
      { ...place, stepId: 2 },
      { ...place, runId: "run-002" },
      { ...place, stateJson: '{"n":2}' },
      { ...place, frontier: place.frontier.slice(1) },
      { ...place, frontier: [{ nodeId: "a", orderKey: 3n }, ...place.frontier.slice(0, 1)] },
    ];
    expect(new Set([place, ...others].map(key)).size).toBe(others.length + 1);
  });
});
