// The conformance suite, compiled for the memory store: the specification itself is held to its own cases. Each other store
// has a file like this one, so that they run beside each other; a case that fails in one file only is a difference between
// the specification and an implementation.
import { describe, expect, it } from "vitest";
import { memoryBundle } from "../../../test/store/bundles.ts";
import { suites } from "./index.ts";
import { proves } from "../../../test/support/proves.ts";

const { transactions: _, ...facets } = suites;

describe.each(Object.entries(facets))("memory, %s", (_facet, cases) => {
  for (const c of cases.filter((x) => x.needs === undefined || x.needs === "watch" || x.needs === "maintenance"))
    it(c.title, proves(...c.ids), () => expect(c.run(() => memoryBundle())).resolves.toBeUndefined());
});
