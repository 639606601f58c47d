// The conformance suite, compiled for SQLite, each case in a file of its own. No case is left out: what needs one writer, or
// SQL, finds both here.
import { describe, expect, it } from "vitest";
import { sqliteBundle } from "../../../test/store/bundles.ts";
import { suites } from "./index.ts";
import { proves } from "../../../test/support/proves.ts";

describe.each(Object.entries(suites))("sqlite, %s", (_facet, cases) => {
  for (const c of cases) it(c.title, proves(...c.ids), () => expect(c.run(() => sqliteBundle())).resolves.toBeUndefined());
});
