// Proves the derivation of guarantees over every combination of what an author may supply: the expected class is written
// down here a second time, as a table, so that no combination can be weakened unnoticed.
import { describe, expect, it } from "vitest";
import { deriveGuarantee, type GuaranteeOptions } from "./guarantee.ts";
import { proves } from "../../test/support/proves.ts";

const verify = (): void => {};
const supplied: Required<GuaranteeOptions> = { key: "order-7", dedup: "1d", verify, once: true, repeatable: true, settle: "2s" };
const names = ["key", "dedup", "verify", "once", "repeatable", "settle"] as const;
const contradiction = expect.objectContaining({ code: "PAWL1005" });

/** The only combinations that mean something; every other one is a contradiction. */
const meaningful: Readonly<Record<string, string>> = {
  "": "UNDECLARED",
  repeatable: "REPEATABLE",
  once: "AT-MOST-ONCE",
  key: "AT-MOST-ONCE",
  "key settle": "AT-MOST-ONCE",
  "key dedup": "KEYED",
  "key dedup settle": "KEYED",
  "key dedup verify": "KEYED",
  "key dedup verify settle": "KEYED",
  verify: "VERIFIED",
  "verify settle": "VERIFIED",
  "key verify": "VERIFIED",
  "key verify settle": "VERIFIED",
};

describe("every combination of options", () => {
  for (let bits = 0; bits < 2 ** names.length; bits++) {
    const chosen = names.filter((_, i) => (bits >> i) & 1);
    const combination = chosen.join(" ");
    const options = Object.fromEntries(chosen.map((n) => [n, supplied[n]])) as GuaranteeOptions;
    const expected = meaningful[combination];
    if (expected === undefined) {
      it(`${combination} is a contradiction`, proves("I7"), () => {
        expect(() => deriveGuarantee(options)).toThrow(contradiction);
      });
    } else {
      it(`${combination || "nothing"} is ${expected}`, proves("C6", "I7"), () => {
        expect(deriveGuarantee(options)).toEqual({
          class: expected,
          key: chosen.includes("key") ? "order-7" : null,
          dedupMs: chosen.includes("dedup") ? 86_400_000 : null,
          settleMs: chosen.includes("settle") ? 2000 : 5000,
          verified: chosen.includes("verify"),
        });
      });
    }
  }
});

describe("single options", () => {
  it("forever is the largest exact number", () => {
    expect(deriveGuarantee({ key: "k", dedup: "forever" })).toMatchObject({ class: "KEYED", dedupMs: Number.MAX_SAFE_INTEGER });
  });

  it("false and undefined say nothing", () => {
    expect(deriveGuarantee({ once: false, repeatable: false, key: undefined, verify: undefined }).class).toBe("UNDECLARED");
    expect(deriveGuarantee({ once: false, repeatable: true }).class).toBe("REPEATABLE");
  });

  it.each([
    { once: 1 },
    { once: "yes" },
    { once: null },
    { repeatable: "true" },
    { verify: true },
    { verify: null },
    { key: "k", dedup: 0 },
  ])("%j is refused as a contradiction", (o) => {
    expect(() => deriveGuarantee(o)).toThrow(contradiction);
  });

  it.each(["", 5, null, "a\0", "a\ud800", "x".repeat(513)])("a key of %j is refused", (key) => {
    expect(() => deriveGuarantee({ key })).toThrow(expect.objectContaining({ code: "PAWL1001" }));
  });

  it("times that are no durations are refused", () => {
    expect(() => deriveGuarantee({ key: "k", dedup: "a while" })).toThrow(expect.objectContaining({ code: "PAWL1002" }));
    expect(() => deriveGuarantee({ key: "k", settle: -1 })).toThrow(expect.objectContaining({ code: "PAWL1002" }));
  });
});
