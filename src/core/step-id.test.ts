// Proves the grammar of step identities (K17) against golden vectors that were computed apart from this code, and by
// property that different calls never share a stepId. The vectors must never change: recorded runs depend on them.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compensationId, stepComponent, StepNames } from "./step-id.ts";
import { proves } from "../../test/support/proves.ts";

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");
interface Vector {
  readonly name: string;
  readonly calls: readonly { readonly scope: string; readonly name: string; readonly stepId: string }[];
}
const vectors = JSON.parse(readFileSync(new URL("../../contract/vectors/StepId.vectors.json", import.meta.url), "utf8")) as Vector[];

describe("golden vectors", () => {
  for (const v of vectors) {
    it(`${v.name}`, proves("K17"), () => {
      const names = new StepNames(sha256);
      expect(v.calls.map((c) => names.next(c.scope, c.name))).toEqual(v.calls.map((c) => c.stepId));
    });
  }
});

describe("step identities", () => {
  it("a name over 200 bytes becomes its hash, whose preimage is the name itself", proves("K17"), () => {
    const long = "é".repeat(300);
    expect(stepComponent(long, sha256)).toBe(`sha256-${sha256(long)}`);
  });

  it("'|' never reaches a stepId", proves("K17"), () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (text) => {
        expect(stepComponent(text, sha256)).toMatch(/^(?:[A-Za-z0-9._-]|%[0-9A-F]{2})+$/);
      }),
      { numRuns: 300 },
    );
  });

  it("different scopes, names or occurrences never share a stepId", proves("K17"), () => {
    const name = fc.oneof(
      fc.constantFrom(
        "a",
        "a~2",
        "a/a",
        "~2",
        "%7E2",
        "a%2Fa",
        "",
        "RUN",
        "sha256-",
        `sha256-${sha256("x".repeat(201))}`,
        "x".repeat(201),
        "x".repeat(200),
      ),
      fc.string({ unit: "grapheme", maxLength: 6 }),
    );
    const path = fc.array(name, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(path, { minLength: 2, maxLength: 30 }), (calls) => {
        const names = new StepNames(sha256);
        const seen = new Map<string, string>();
        const counts = new Map<string, number>();
        for (const parts of calls) {
          const scope = parts
            .slice(0, -1)
            .map((p) => stepComponent(p, sha256))
            .join("/");
          const call = JSON.stringify(parts);
          const n = (counts.get(call) ?? 0) + 1;
          counts.set(call, n);
          const stepId = names.next(scope, parts.at(-1) as string);
          expect(seen.get(stepId) ?? `${call}#${n}`).toBe(`${call}#${n}`);
          seen.set(stepId, `${call}#${n}`);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("the same calls give the same stepIds again", proves("K17"), () => {
    const once = (): string[] => {
      const names = new StepNames(sha256);
      return ["a", "b", "a", "ü", "a"].map((n) => names.next("s", n));
    };
    expect(once()).toEqual(once());
    expect(once()).toEqual(["s/a", "s/b", "s/a~2", "s/%C3%BC", "s/a~3"]);
  });

  it("a compensation's identity cannot be written by a name", proves("K17"), () => {
    expect(compensationId("items/charge~2")).toBe("items/charge~2/~compensate");
    expect(new StepNames(sha256).next("items/charge~2", "~compensate")).toBe("items/charge~2/%7Ecompensate");
  });

  it("a lone surrogate in a name is refused", proves("K17"), () => {
    expect(() => stepComponent("a\ud800", sha256)).toThrow(expect.objectContaining({ code: "PAWL1001" }));
  });
});
