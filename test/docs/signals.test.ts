// The page about signals: what it recommends, its validation table and its table of crash windows. The ids here ask for
// documentation, so the sentences are what is tested; the behaviour has tests of its own.
import { describe, expect, it } from "vitest";
import { pageText, pageSource } from "./read-page.ts";
import { proves } from "../support/proves.ts";

const page = pageText("docs/signals.md");
const rows = pageSource("docs/signals.md");

describe("docs/signals.md", () => {
  it("says that signalId is the client's, and recommended for callers that may retry", proves("W-042"), () => {
    expect(page).toContain("`signalId` is optional and chosen by the client.");
    expect(page).toContain("**It is recommended for every caller that may retry** after a timeout, a disconnect or any other failure");
  });

  it("says that callers without signalId stay valid and are not idempotent", proves("W-043"), () => {
    expect(page).toContain(
      "Callers without a `signalId` stay valid: each accepted request gets a fresh id, so their retries are not idempotent",
    );
  });

  it("has the validation table", () => {
    expect(rows).toMatch(/^\| left out \| accepted under a fresh id/m);
    expect(rows).toMatch(/^\| empty, not a string, over 128 bytes of UTF-8, .*PAWL4005, before anything is stored \|$/m);
    expect(rows).toMatch(/^\| known for this workflow and signal name \| the first accepted result, nothing enqueued \|$/m);
  });

  it("has the table of crash windows", () => {
    const table = rows.slice(rows.indexOf("| the crash |"));
    const windows = table.split("\n").slice(2, 7);
    expect(windows.map((w) => w.split("|")[1]?.trim())).toEqual([
      "before the payload is stored",
      "after the payload, before the accepted record",
      "after the accepted record, before the response",
      "after the response",
      "after the record expired",
    ]);
    expect(windows[1]).toContain("SignalAcceptanceIndeterminate; nothing is enqueued a second time");
  });

  it("says when SignalAcceptanceIndeterminate may be retried", proves("W-082"), () => {
    expect(page).toContain(
      "It may be retried only after an operator has inspected the run's inbox, or after the retention of the record has been cleaned up.",
    );
  });
});
