// The key that a step is sent under when its author gave none (K24). Guards its value: a receiver remembers it, so a version that
// made it otherwise would send again what an earlier one had sent.
import { describe, expect, it } from "vitest";
import { stableKey } from "./ledger.ts";
import { proves } from "../../../test/support/proves.ts";

const scope = { tenantId: "default", projectId: "shop", environmentId: "prod" };
const row = { scope, rootRunId: "01234567-89ab-7cde-8f01-23456789abcd" };

describe("a key that the engine makes", () => {
  it(
    "is pawl- and the SHA-256 of tenant, project, environment, root run and step as a JSON array, for all versions alike",
    proves("K19", "K24"),
    () => {
      const made = "pawl-5f96665ed24e7993d6e1b8bf4c5e9a5954736141f2d3b4afd80a3f9d58ef69b9";
      const started = {};
      expect(stableKey(row, "pay/card~2", started)).toBe(made);
      expect(stableKey(row, "pay/card~2", started)).toBe(made);
      expect(stableKey({ ...row }, "pay/card~2", {})).toBe(made);
    },
  );

  it("differs with the step and with the root run; the author's own comes first", proves("K19", "K24"), () => {
    const other = { scope, rootRunId: "01234567-89ab-7cde-8f01-000000000000" };
    const keys = [stableKey(row, "a", {}), stableKey(row, "b", {}), stableKey(other, "a", {}), stableKey(row, "a", { key: "mine" })];
    expect(new Set(keys).size).toBe(4);
    expect(keys.at(-1)).toBe("mine");
  });
});
