// The page about the campaign against the campaign itself: its figures, its parts, its stores and its planted bugs, and that
// the commands it prints exist. Guards that a figure on the page is what the long form does.
import { describe, expect, it } from "vitest";
import { figures, partNames, parts } from "../campaign/parts.ts";
import { pageSource } from "./read-page.ts";

const page = pageSource("docs/campaign.md");

describe("docs/campaign.md", () => {
  it("prints the figures of the long form and the planted bug of each part", () => {
    for (const name of partNames) {
      const row = new RegExp(
        `^\\| ${name} \\| ${figures[name].toLocaleString("en")}( for each server)? \\|.*\\| ${parts[name].canary.bug} \\|$`,
        "m",
      );
      expect(page).toMatch(row);
    }
  });

  it("shows what was seen for every part on each of its stores, without a violation, with its bug noticed", () => {
    for (const name of partNames)
      for (const store of parts[name].stores)
        expect(page).toMatch(new RegExp(`^\\| ${name} \\| ${store} \\| \\d+ \\|.*\\| 0 \\| 0 \\| 0 \\| 0 \\| 0 \\| caught \\|`, "m"));
  });

  it("names a command that package.json has, and is linked from the papers", () => {
    expect((JSON.parse(pageSource("package.json")) as { scripts: Record<string, string> }).scripts["campaign"]).toContain(
      "test/campaign/main.ts",
    );
    for (const paper of ["README.md", "GUARANTEES.md", "CONTRIBUTING.md"]) expect(pageSource(paper)).toContain("docs/campaign.md");
  });
});
