// The conformance suite for Postgres where pg's connection is not the one that Pawl knows: every statement goes through pg's own queries. Only
// the verbs that every store has: the other facets send nothing past them.
import { describe, expect, it } from "vitest";
import { postgresBundle } from "../../../test/postgres/bundle.ts";
import { canSendDirectly } from "../postgres/wire/prepared-query.ts";
import { suites } from "./index.ts";

describe("postgres, plain queries", () => {
  for (const c of suites.store) {
    it(c.title, () => expect(c.run(() => postgresBundle(undefined, { plainQueries: true }))).resolves.toBeUndefined());
  }
});

it("what a connection of pg must have for statements to be sent past its queries", () => {
  const verb = (): void => {};
  const known = { stream: { cork: verb, uncork: verb, write: verb }, parsedStatements: {}, parse: verb };
  expect(canSendDirectly(known)).toBe(true);
  for (const other of [
    undefined,
    null,
    {},
    { ...known, stream: undefined },
    { ...known, stream: { ...known.stream, cork: undefined } },
    { ...known, parsedStatements: undefined },
    { ...known, parse: "parse" },
  ]) {
    expect(canSendDirectly(other)).toBe(false);
  }
});
