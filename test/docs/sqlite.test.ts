// What the SQLite store's page promises to its reader: the ids here are about what is said, so the text is what is tested.
// A sentence that is taken out of the page turns these red.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { proves } from "../support/proves.ts";

const page = readFileSync(new URL("../../docs/stores/sqlite.md", import.meta.url), "utf8").replaceAll(/\s+/g, " ");

describe("the page about SQLite", () => {
  it("says what the store is for and what it is not for", proves("L-29", "L-30"), () => {
    for (const fit of ["Local development and tests", "single-process", "prototypes", "edge and embedded", "CI", "100,000 steps a day"]) {
      expect(page).toContain(fit);
    }
    for (const unfit of ["distributed system with several writers", "100 concurrent writers", "network file system", "100 GB"]) {
      expect(page).toContain(unfit);
    }
  });

  it("says how fast a single writer is and that it is the limit", proves("L-31", "L-33", "L-34"), () => {
    expect(page).toContain("about 1,000 or more writes a second");
    expect(page).toContain("less than a millisecond");
    expect(page).toContain("There is a single writer. This is the scaling limit, and it is accepted.");
  });
});
