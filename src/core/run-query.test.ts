// The grammar of a query for runs: statuses, members with values, words; and that nothing that was typed is dropped, so that
// a list never shows more than somebody asked for.
import { describe, expect, it } from "vitest";
import { parseQuery, splitQuery } from "./run-query.ts";

describe("a query for runs", () => {
  it("has statuses, members with values, and words", () => {
    expect(parseQuery(splitQuery(`failed workflow:order tag:customer=7 "tag:note=a b" status:paused,Running since:24h owls`))).toEqual({
      status: ["FAILED", "PAUSED", "RUNNING"],
      workflow: "order",
      since: "24h",
      tags: { customer: "7", note: "a b" },
      words: ["owls"],
    });
  });

  it("keeps what it does not know as a word, and values with colons whole", () => {
    expect(parseQuery(["status:broken", "tag:none", "workflow:", "a:b", "until:2026-11-18T08:00:00Z"])).toEqual({
      status: [],
      until: "2026-11-18T08:00:00Z",
      tags: {},
      words: ["status:broken", "tag:none", "workflow:", "a:b"],
    });
  });
});
