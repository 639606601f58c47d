// docs/upgrading.md says of every format what it changed: a layout of stored rows never changes in silence. The page is what is tested: a row that is
// taken out of it turns this red.
import { expect, it } from "vitest";
import { migrations } from "../../src/store/sqlite/migrations.ts";
import { proves } from "../support/proves.ts";
import { pageSource } from "./read-page.ts";

it("the page about upgrades has a row for every format of a store", proves("Q-13"), () => {
  const rows = [...pageSource("docs/upgrading.md").matchAll(/^\| (\d+) +\| (.+?) *\|$/gm)].map(
    ([, format, what]) => [Number(format), what] as const,
  );
  const formats = migrations.map((m) => m.format);
  expect(formats.length).toBeGreaterThan(1);
  expect(rows.map(([format]) => format).toSorted((a, b) => a - b)).toEqual(formats);
  for (const [format, what] of rows) expect(what!.length, `format ${format}`).toBeGreaterThan(10);
});
