// The conformance suite, compiled for SQLite: every case, none left out.
import { describe, expect, it } from "vitest";
import { sqliteBundle } from "../../../test/store/bundles.ts";
import { suite } from "./index.ts";

describe("sqlite", () => {
  for (const c of suite) it(c.title, () => expect(c.run(() => sqliteBundle())).resolves.toBeUndefined());
});
