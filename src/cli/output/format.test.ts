// Text for people: durations of every size, tables, and text of users that must not act on a terminal.
// All of it is pure, so every case is one line.
import { expect, it } from "vitest";
import { clip, formatDuration, withoutControlChars, formatTable } from "./format.ts";
import { withoutPassword } from "../../core/store-url.ts";

it("durations have at most two units and never round up into another", () => {
  const cases: [number, string][] = [
    [0, "0ms"],
    [-5, "0ms"],
    [41, "41ms"],
    [999, "999ms"],
    [1_000, "1s"],
    [1_299, "1.2s"],
    [9_999, "9.9s"],
    [59_999, "59s"],
    [60_000, "1m"],
    [184_000, "3m 4s"],
    [3_600_000, "1h"],
    [2 * 86_400_000 + 3 * 3_600_000 + 59_000, "2d 3h"],
  ];
  for (const [ms, text] of cases) expect(formatDuration(ms)).toBe(text);
});

it("text of users cannot move the cursor, colour the terminal or forge a line", () => {
  expect(withoutControlChars("a\u001B[2Jb\r\nc\u0000d\u009Be\u007F")).toBe("a [2Jb c d e ");
  expect(clip("one\ntwo and more", 8)).toBe("one two…");
});

it("columns are as wide as their widest cell and nothing trails", () => {
  expect(
    formatTable([
      ["a", "bbb", ""],
      ["aaa", "b", "c"],
    ]),
  ).toBe("a    bbb\naaa  b    c\n");
});

it("a store's URL is shown without its password, wherever it stands, and is otherwise unchanged", () => {
  const cases: [string, string][] = [
    ["postgres://app:s3cret@db:5432/shop?schema=p", "postgres://app:***@db:5432/shop?schema=p"],
    ["mysql://app:a:b@c@db/shop", "mysql://app:***@db/shop"],
    ["postgres://app:a/b@db/shop", "postgres://app:***@db/shop"], // no URL, and still a password
    ["postgres://app:12345@db/shop", "postgres://app:***@db/shop"],
    ["postgres://db/shop?user=app&password=s3cret&ssl=true", "postgres://db/shop?user=app&password=***&ssl=true"],
    ["postgres://app@db:5432/shop?application_name=a@b", "postgres://app@db:5432/shop?application_name=a@b"],
    ["postgres://db:5432/shop?application_name=a@b", "postgres://db:5432/shop?application_name=a@b"],
    ["sqlite:/srv/a:b@c/state.db", "sqlite:/srv/a:b@c/state.db"],
  ];
  for (const [url, shown] of cases) expect(withoutPassword(url)).toBe(shown);
});
