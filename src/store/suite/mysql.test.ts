// The conformance suite, compiled for MySQL as the server at hand allows it: on MariaDB, compound statements. Only what is
// true of a file with one writer is left out.
import { describe, expect, it } from "vitest";
import { mysqlBundle } from "../../../test/mysql/bundle.ts";
import { skipsWithoutMariadb } from "../../../test/support/mariadb.ts";
import { virtualPlatform } from "../../platform/virtual.ts";
import { suites } from "./index.ts";
import { proves } from "../../../test/support/proves.ts";

describe.skipIf(skipsWithoutMariadb()).each(Object.entries(suites))("mysql, %s", (_facet, cases) => {
  for (const c of cases) {
    it.skipIf(c.needs === "one writer")(c.title, proves(...c.ids), () =>
      expect(c.run(() => mysqlBundle(virtualPlatform()))).resolves.toBeUndefined(),
    );
  }
});
