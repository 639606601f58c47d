// Proves the table of sending again cell by cell: what the line recorded, by class, against what a later run of it may do. A cell that
// changes here is a promise that changes.
import { describe, expect, it } from "vitest";
import { proves } from "../../test/support/proves.ts";
import {
  mayRerun,
  retryOutlook,
  sendRow,
  sendAgain,
  sendAgainTable,
  sendClassOf,
  type SendClass,
  type SendQuestion,
} from "./send-again.ts";

const classes = ["REPEATABLE", "UNDECLARED", "KEYED", "VERIFIED", "AT-MOST-ONCE", "ATOMIC"] as const;
const of = (q: Partial<SendQuestion>): SendQuestion => ({
  recorded: "completed",
  class: "KEYED",
  same: true,
  rerun: false,
  fromStep: false,
  ...q,
});
const line = (q: Partial<SendQuestion>): string[] => classes.map((c) => sendAgain(of({ ...q, class: c })));

describe("sendAgain", () => {
  const rows: readonly [string, Partial<SendQuestion>, readonly string[]][] = [
    ["nothing recorded", { recorded: "nothing" }, ["run", "run", "run", "run", "run", "run"]],
    ["completed, same call", {}, ["adopt", "adopt", "adopt", "adopt", "adopt", "adopt"]],
    ["completed, from the step on", { fromStep: true }, ["run", "run", "adopt", "adopt", "adopt", "adopt"]],
    ["completed, asked for", { rerun: true }, ["run", "run", "sendSameKey", "verifyFirst", "adopt", "adopt"]],
    [
      "completed, asked for and from the step on",
      { rerun: true, fromStep: true },
      ["run", "run", "sendSameKey", "verifyFirst", "adopt", "adopt"],
    ],
    ["completed, other input", { same: false }, ["run", "run", "decision", "decision", "decision", "decision"]],
    ["completed, other input, asked for", { same: false, rerun: true }, ["run", "run", "decision", "decision", "decision", "decision"]],
    ["in flight", { recorded: "unknown" }, ["run", "run", "recover", "recover", "recover", "run"]],
    ["in flight, asked for", { recorded: "unknown", rerun: true }, ["run", "run", "recover", "recover", "recover", "run"]],
    ["in flight, other call", { recorded: "unknown", same: false }, ["run", "run", "decision", "decision", "decision", "run"]],
    ["in doubt", { recorded: "doubt" }, ["run", "run", "recover", "recover", "recover", "decision"]],
    ["in doubt, other call", { recorded: "doubt", same: false }, ["run", "run", "decision", "decision", "decision", "decision"]],
    ["undone", { recorded: "undone" }, ["run", "run", "newKey", "verifyFirst", "decision", "run"]],
    ["undone, other input", { recorded: "undone", same: false }, ["run", "run", "newKey", "verifyFirst", "decision", "run"]],
    [
      "completed, and a forked run calls it with another input",
      { otherCall: true, same: false, fromStep: true },
      ["run", "run", "newKey", "newKey", "newKey", "run"],
    ],
    ["half undone", { recorded: "undoing" }, ["run", "run", "decision", "decision", "decision", "adopt"]],
  ];
  it.each(rows)("%s", proves("K19", "I7"), (_what, q, expected) => {
    expect(line(q)).toEqual(expected);
  });

  it(
    "nothing that may have happened is simply run, unless its author declared it repeatable or it was surely rolled back",
    proves("I6", "I7"),
    () => {
      for (const recorded of ["completed", "unknown", "doubt", "undoing"] as const)
        for (const same of [true, false])
          for (const rerun of [true, false])
            for (const fromStep of [true, false])
              for (const c of ["KEYED", "VERIFIED", "AT-MOST-ONCE"] as const)
                expect(sendAgain({ recorded, same, rerun, fromStep, class: c }), `${recorded} ${c}`).not.toBe("run");
    },
  );

  it("waits begin anew from the step on; what another run was asked to do is asked once", proves("K19"), () => {
    const cells = (c: SendClass): string[] =>
      [{}, { fromStep: true }, { rerun: true }, { recorded: "unknown" } as const].map((q) => sendAgain(of({ ...q, class: c })));
    expect(cells("WAIT")).toEqual(["adopt", "run", "run", "run"]);
    expect(cells("CALL")).toEqual(["adopt", "adopt", "adopt", "run"]);
    expect((["timer", "signal", "child", "start", "send", "tx"] as const).map((kind) => sendClassOf({ kind }))).toEqual([
      "WAIT",
      "WAIT",
      "CALL",
      "CALL",
      "CALL",
      "ATOMIC",
    ]);
    expect([sendClassOf({ kind: "effect" }), sendClassOf({ kind: "effect", class: "KEYED" })]).toEqual(["UNDECLARED", "KEYED"]);
  });

  it("every row of the table is reached by a question", () => {
    const recorded = ["nothing", "completed", "unknown", "doubt", "undone", "undoing"] as const;
    const reached = new Set(
      recorded.flatMap((r) =>
        [true, false].flatMap((same) =>
          [true, false].flatMap((rerun) => [true, false].map((fromStep) => sendRow({ recorded: r, same, rerun, fromStep }))),
        ),
      ),
    );
    reached.add(sendRow({ recorded: "completed", same: false, rerun: false, fromStep: true, otherCall: true }));
    expect([...reached].sort()).toEqual(Object.keys(sendAgainTable).sort());
  });

  it("AT-MOST-ONCE and ATOMIC cannot be asked for again", proves("I6", "I5"), () => {
    expect(classes.filter(mayRerun)).toEqual(["REPEATABLE", "UNDECLARED", "KEYED", "VERIFIED"]);
  });
});

describe("outlookOf", () => {
  it("says the same as the table", proves("K19"), () => {
    const told = (q: Partial<SendQuestion>, inWindow = true): string[] =>
      classes.map((c) => retryOutlook(of({ ...q, class: c }), inWindow));
    expect(told({})).toEqual(["kept", "kept", "kept", "kept", "kept", "kept"]);
    expect(told({ fromStep: true })).toEqual(["may repeat", "may repeat", "kept", "kept", "kept", "kept"]);
    expect(told({ recorded: "nothing" })).toEqual(Array.from({ length: 6 }, () => "runs again"));
    expect(told({ recorded: "unknown" })).toEqual([
      "may repeat",
      "may repeat",
      "runs again",
      "runs again",
      "needs a decision",
      "runs again",
    ]);
    expect(told({ recorded: "unknown" }, false)[2]).toBe("needs a decision");
    expect(told({ rerun: true }, false)[2]).toBe("needs a decision");
    expect(told({ recorded: "undone" })).toEqual([
      "may repeat",
      "may repeat",
      "runs again",
      "runs again",
      "needs a decision",
      "runs again",
    ]);
  });
});
