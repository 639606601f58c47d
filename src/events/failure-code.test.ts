// Which text a failed run is listed by, whatever wrote its last event: the engine, or a producer outside, whose payload may hold
// anything.
import { describe, expect, it } from "vitest";
import { failureCode } from "./failure-code.ts";

const payload = (value: unknown): string => JSON.stringify(value);

describe("failureCode", () => {
  it.each([
    ["a code that the error brought", { error: { name: "CardError", code: "E_CARD" }, category: "FAILED" }, "E_CARD"],
    ["a code of Pawl", { error: { name: "Timeout", code: "PAWL1035" }, category: "TIMEOUT" }, "PAWL1035"],
    ["a category, where there is no code", { error: { name: "Error" }, category: "INVALID_INPUT" }, "INVALID_INPUT"],
    ["the name, where the category says no more than that it failed", { error: { name: "TypeError" }, category: "FAILED" }, "TypeError"],
    [
      "what a step failed with",
      { error: { name: "StepFailed", code: "PAWL1012", data: { step: "s", category: "FAILED" }, cause: { name: "E", code: "E_CARD" } } },
      "E_CARD",
    ],
    [
      "the name of what a step threw",
      { error: { name: "StepFailed", code: "PAWL1012", data: { category: "FAILED" }, cause: { name: "RangeError" } } },
      "RangeError",
    ],
    ["why a step ended", { error: { name: "StepFailed", code: "PAWL1012", data: { category: "TIMEOUT" } } }, "TIMEOUT"],
    ["that a step failed, if nothing else is known", { error: { name: "StepFailed", code: "PAWL1012" } }, "PAWL1012"],
    ["a producer's own code", { code: "GATEWAY_502" }, "GATEWAY_502"],
  ])("takes %s", (_, value, code) => expect(failureCode(payload(value))).toBe(code));

  it.each([null, "", "no JSON", "7", "null", payload({ error: "broken" }), payload({ error: { code: 7, name: "" } })])(
    "finds none in %o",
    (text) => expect(failureCode(text)).toBeUndefined(),
  );

  it("passes over a text that a store cannot hold", () => {
    expect(failureCode(payload({ error: { code: "x".repeat(300), name: "LongError" } }))).toBe("LongError");
    expect(failureCode(payload({ error: { code: "a\0b", name: "NulError" } }))).toBe("NulError");
  });
});
