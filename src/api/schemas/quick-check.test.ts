// The quick check against zod itself: whatever it says yes to, zod says yes to, and leaves as it is. Requests are made
// near what members take, of every operation.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { operations, type Operation } from "../operations.ts";
import { quickCheck } from "./quick-check.ts";
import { schemas } from "./schemas.ts";

const names = Object.keys(operations) as Operation[];

/** Values near what members take: right ones, empty ones, too long, of another type. */
const value = fc.oneof(
  fc.string({ maxLength: 3 }),
  fc.constantFrom("", "attach", "restart", "FAILED", "x".repeat(1_025), "x".repeat(4_097)),
  fc.integer({ min: -10, max: 2_000 }),
  fc.constantFrom(0.5, -0, 30, 30.001, 1_000, 1_001, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53),
  fc.boolean(),
  fc.constantFrom(null, undefined),
  fc.array(fc.string({ maxLength: 2 }), { maxLength: 2 }),
  fc.dictionary(fc.string({ maxLength: 2 }), fc.string({ maxLength: 2 }), { maxKeys: 2 }),
);

describe("the quick check of a request", () => {
  it("says yes to nothing that zod refuses or changes, for every operation", () => {
    for (const name of names) {
      const { input } = schemas[name];
      const quick = quickCheck(input);
      const shape = (input._zod.def as unknown as { shape?: Record<string, unknown> }).shape ?? {};
      const members = [...Object.keys(shape), "unknownMember", "__proto__", "toString"];
      const given = fc.array(fc.tuple(fc.constantFrom(...members), value), { maxLength: members.length }).map((pairs) => {
        const made: Record<string, unknown> = {};
        for (const [key, v] of pairs) Object.defineProperty(made, key, { value: v, enumerable: true, configurable: true, writable: true });
        return made;
      });
      fc.assert(
        fc.property(given, (request) => {
          if (!quick(request)) return;
          const checked = input.safeParse(request);
          expect(checked.success).toBe(true);
          expect(checked.data).toEqual(request);
        }),
        { numRuns: 300 },
      );
    }
  });

  it("says yes to what is sent most, and no to what is no object", () => {
    expect(quickCheck(schemas["runs.start"].input)({ workflow: "order", id: "order-17", input: { cents: 1 }, wait: 30 })).toBe(true);
    expect(quickCheck(schemas["runs.start"].input)({ id: "order-17" })).toBe(false);
    expect(quickCheck(schemas["runs.get"].input)({ id: "order-17" })).toBe(true);
    for (const given of [null, undefined, [], "x", new Map(), Object.create({ id: "x" })])
      expect(quickCheck(schemas["runs.get"].input)(given)).toBe(false);
  });
});
