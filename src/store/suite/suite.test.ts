// The conformance suite, compiled once for each store of this package. A title says which; a case that fails on one
// store and not on the other is a difference between the specification and an implementation.
import { describe, expect, it } from "vitest";
import { memoryBundle, sqliteBundle } from "../../../test/store/bundles.ts";
import { mysqlBundle } from "../../../test/mysql/bundle.ts";
import { postgresBundle } from "../../../test/postgres/bundle.ts";
import { skipsWithoutMariadb } from "../../../test/support/mariadb.ts";
import { virtualPlatform } from "../../platform/virtual.ts";
import { suite } from "./index.ts";

describe("memory", () => {
  for (const c of suite) it.skipIf(c.needs !== undefined)(c.title, () => expect(c.run(() => memoryBundle())).resolves.toBeUndefined());
});

describe("sqlite", () => {
  for (const c of suite) it(c.title, () => expect(c.run(() => sqliteBundle())).resolves.toBeUndefined());
});

describe("postgres", () => {
  for (const c of suite) {
    it.skipIf(c.needs === "one writer")(c.title, () => expect(c.run(() => postgresBundle())).resolves.toBeUndefined());
  }
});

describe.skipIf(skipsWithoutMariadb()).each([
  ["mysql", undefined],
  ["mysql, statement by statement", false],
])("%s", (_, compound) => {
  for (const c of suite) {
    it.skipIf(c.needs === "one writer")(c.title, () =>
      expect(c.run(() => mysqlBundle(virtualPlatform(), compound))).resolves.toBeUndefined(),
    );
  }
});
