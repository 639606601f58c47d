// The conformance suite, compiled for Postgres, each case in a schema of its own. Only what is true of a file with one writer
// is left out.
import { describe, expect, it } from "vitest";
import { postgresBundle } from "../../../test/postgres/bundle.ts";
import { suites } from "./index.ts";
import { proves } from "../../../test/support/proves.ts";

describe.each(Object.entries(suites))("postgres, %s", (_facet, cases) => {
  for (const c of cases) {
    it.skipIf(c.needs === "one writer")(c.title, proves(...c.ids), () => expect(c.run(() => postgresBundle())).resolves.toBeUndefined());
  }
});
