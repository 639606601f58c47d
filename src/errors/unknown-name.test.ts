// Which names are close to a misspelt one.
// It must never offer a name that has little in common with it.
import { expect, it } from "vitest";
import { closeNames, unknownName } from "./unknown-name.ts";

const known = ["payments", "payment", "mails", "Mail", "refunds"];

it("finds a name with a letter too many, too few, wrong or swapped, in any case, the closest first", () => {
  expect(closeNames("paymnets", known)).toEqual(["payments", "payment"]);
  expect(closeNames("PAYMENTS", known)).toEqual(["payments", "payment"]);
  expect(closeNames("mail", known)).toEqual(["Mail", "mails"]);
  expect(closeNames("refnuds", known)).toEqual(["refunds"]);
});

it("offers nothing where nothing is close, and at most three", () => {
  expect(closeNames("emails-out", known)).toEqual([]);
  expect(closeNames("x", known)).toEqual([]);
  expect(closeNames("q0", ["q1", "q2", "q3", "q4"])).toEqual(["q1", "q2", "q3"]);
});

it("an unknown name is answered with those that may have been meant, else with all of few, else with none of many", () => {
  expect(unknownName("option", "keys", ["key", "dedup"])).toBe('has no option "keys"; did you mean "key"?');
  expect(unknownName("option", "idempotent", ["key", "dedup"])).toBe('has no option "idempotent"; there are key, dedup');
  const many = Array.from({ length: 13 }, (_, i) => `option-${i}`);
  expect(unknownName("option", "idempotent", many)).toBe('has no option "idempotent"');
});
