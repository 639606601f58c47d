// The rules that stores share, as tables: when a run is due, which claimable run comes first, and whom a Commit hints at.
// Pure functions, so every row of a table is one line here.
import { describe, expect, it } from "vitest";
import { smallestIds } from "./audit.ts";
import type { CommitAnswer, Hint } from "./port.ts";
import { claimOrder, dueTime, collectHints, serveRank, waitingSince } from "./rules.ts";
import { create, event, next } from "./suite/build.ts";
import { Hints } from "./hints.ts";
import { proves } from "../../test/support/proves.ts";

const row = { runId: "a", fence: { epoch: 1, token: "t" }, stateVersion: 1 } as Parameters<typeof next>[0];
const committed = (dueAt: number | null): CommitAnswer => ({ kind: "committed", persistedAt: 1, dueAt, children: [{ kind: "created" }] });

describe("rules", () => {
  it("a run is due at the lesser of a time and a delay, and never once it has settled", proves("I8"), () => {
    expect(dueTime({ at: null, inMs: null }, 100, false)).toBeNull();
    expect(dueTime({ at: 7, inMs: null }, 100, false)).toBe(7);
    expect(dueTime({ at: null, inMs: 5 }, 100, false)).toBe(105);
    expect(dueTime({ at: 104, inMs: 5 }, 100, false)).toBe(104);
    expect(dueTime({ at: 106, inMs: 5 }, 100, false)).toBe(105);
    expect(dueTime({ at: 0, inMs: 0 }, 100, true)).toBeNull();
  });

  it("a version is served exactly, or by name unless the run is pinned", proves("K5", "K20"), () => {
    const serves = [
      { workflow: "order", version: "1" },
      { workflow: "order", version: "2" },
    ];
    const run = (workflow: string, version: string, pinned = false): Parameters<typeof serveRank>[1] => {
      return { runId: "r", workflow, version, pinned, status: "PENDING", waiting: null, createdAt: 0, since: 0 };
    };
    expect(serveRank(serves, run("order", "2"))).toBe(0);
    expect(serveRank(serves, run("order", "2", true))).toBe(0);
    expect(serveRank(serves, run("order", "3"))).toBe(1);
    expect(serveRank(serves, run("order", "3", true))).toBeUndefined();
    expect(serveRank(serves, run("refund", "1"))).toBeUndefined();
  });

  it(
    "a run waits since its due time or its first message, whichever came first, and never since before it was there",
    proves("T-57"),
    () => {
      expect(waitingSince({ dueAt: 40, createdAt: 0 }, null, 100)).toBe(40);
      expect(waitingSince({ dueAt: 40, createdAt: 0 }, 50, 100)).toBe(40);
      expect(waitingSince({ dueAt: 140, createdAt: 0 }, 50, 100)).toBe(50);
      expect(waitingSince({ dueAt: null, createdAt: 0 }, 50, 100)).toBe(50);
      expect(waitingSince({ dueAt: 90, createdAt: 90 }, 50, 100)).toBe(90);
      expect(waitingSince({ dueAt: null, createdAt: 90 }, 50, 100)).toBe(90);
    },
  );

  it("claims go by version, then by the second since which a run waits, then by state, age and id", proves("T-56", "T-57"), () => {
    type Ranked = Parameters<typeof claimOrder>[0];
    const at = (runId: string, rank: number, since: number, more: Partial<Ranked["c"]> = {}): Ranked => {
      return {
        rank,
        c: { runId, workflow: "w", version: "1", pinned: false, status: "RUNNING", waiting: null, createdAt: 5, since, ...more },
      };
    };
    const inOrder = [
      at("z", 0, 2_999, { status: "PENDING", createdAt: 6 }),
      at("y", 0, 2_500, { waiting: "retry", createdAt: 7 }),
      at("x", 0, 2_001, { createdAt: 4 }),
      at("a", 0, 2_000),
      at("b", 0, 2_000, { waiting: "timer" }),
      at("d", 0, 3_000, { status: "PENDING", createdAt: 1 }),
      at("c", 1, 0, { status: "PENDING", createdAt: 0 }),
    ];
    expect(inOrder.toReversed().toSorted(claimOrder)).toEqual(inOrder);
  });

  it("a Commit hints at what others may want to look at, and a refused one at nothing", () => {
    const hints = (c: Parameters<typeof collectHints>[0], answer: CommitAnswer): Hint[] => {
      const into: Hint[] = [];
      collectHints(c, answer, into);
      return into;
    };
    expect(hints(next(row), committed(0))).toEqual([]);
    expect(hints(next(row, { release: true }), committed(0))).toEqual([{ kind: "due", runId: "a" }]);
    expect(hints(next(row, { release: true }), committed(null))).toEqual([]);
    expect(hints(next(row, { status: "FAILED" }), committed(null))).toEqual([{ kind: "settled", runId: "a" }]);
    expect(hints(next(row, { children: [create("b")] }), committed(0))).toEqual([{ kind: "due", runId: "b" }]);
    expect(hints(next(row, { replies: [{ inboxId: 1, reply: "1" }] }), committed(0))).toEqual([{ kind: "reply", runId: "a" }]);
    const notices = [{ toRunId: "b", kind: "signal", name: "s", id: "1", payload: null }] as const;
    expect(hints(next(row, { notices, moveInboxTo: "c" }), committed(0))).toEqual([
      { kind: "inbox", runId: "b" },
      { kind: "inbox", runId: "c" },
    ]);
    expect(hints(next(row, { status: "FAILED", release: true }), { kind: "fenced" })).toEqual([]);
    expect(hints(next(row, { events: [event(1)] }), committed(0)), "of its events nobody wants to hear").toEqual([]);
  });

  it("a listener is told on a turn of its own, after the writer has gone on", async () => {
    const hints = new Hints();
    const heard: string[] = [];
    hints.add((h) => heard.push(h.kind));
    expect(() => hints.emit([{ kind: "any" }])).not.toThrow();
    expect(heard).toEqual([]);
    await Promise.resolve();
    expect(heard).toEqual(["any"]);
  });
});

it("ids that several tables name come in the order of their bytes, each once, and none is left out up to the limit", proves("C20"), () => {
  const [word, sign] = ["\uFFFD", "\u{1F600}"]; // by their bytes in this order, by their UTF-16 units in the other
  expect(smallestIds([["a", sign], [word], ["a", "b"]], 9)).toEqual(["a", "b", word, sign]);
  expect(smallestIds([["a", sign], [word], ["b"]], 3)).toEqual(["a", "b", word]);
});
