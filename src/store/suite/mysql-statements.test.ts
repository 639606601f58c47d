// The conformance suite, compiled for MySQL without compound statements, as on servers that have none: the same verbs, statement
// by statement. Only what is true of a file with one writer is left out.
import { describe, expect, it } from "vitest";
import { mysqlBundle } from "../../../test/mysql/bundle.ts";
import { skipsWithoutMariadb } from "../../../test/support/mariadb.ts";
import { virtualPlatform } from "../../platform/virtual.ts";
import { suites } from "./index.ts";
import { proves } from "../../../test/support/proves.ts";

describe.skipIf(skipsWithoutMariadb()).each(Object.entries(suites))("mysql, statement by statement, %s", (_facet, cases) => {
  for (const c of cases) {
    it.skipIf(c.needs === "one writer")(c.title, proves(...c.ids), () =>
      expect(c.run(() => mysqlBundle(virtualPlatform(), false))).resolves.toBeUndefined(),
    );
  }
});
