// The conformance suite, compiled once for each store of this package. A title says which; a case that fails on one
// store and not on the other is a difference between the specification and an implementation.
import { describe, it } from "vitest";
import { memoryBundle, sqliteBundle } from "../../../test/store/bundles.ts";
import { suite } from "./index.ts";

describe("memory", () => {
  for (const c of suite) it.skipIf(c.needs === "sql")(c.title, () => c.run(() => memoryBundle()));
});

describe("sqlite", () => {
  for (const c of suite) it(c.title, () => c.run(() => sqliteBundle()));
});
