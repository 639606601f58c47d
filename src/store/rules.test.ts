// The rules that stores share, as tables: when a run is due, which claimable run comes first, and whom a Commit hints at.
// Pure functions, so every row of a table is one line here.
import { describe, expect, it } from "vitest";
import type { CommitAnswer, Hint } from "./port.ts";
import { claimOrder, dueOf, hintsOf, servedAs } from "./rules.ts";
import { create, next } from "./suite/build.ts";
import { Hints } from "./hints.ts";

const row = { runId: "a", fence: { epoch: 1, token: "t" }, stateVersion: 1 } as Parameters<typeof next>[0];
const committed = (dueAt: number | null): CommitAnswer => ({ kind: "committed", persistedAt: 1, dueAt, children: [{ kind: "created" }] });

describe("rules", () => {
  it("I8 a run is due at the lesser of a time and a delay, and never once it has settled", () => {
    expect(dueOf({ at: null, inMs: null }, 100, false)).toBeNull();
    expect(dueOf({ at: 7, inMs: null }, 100, false)).toBe(7);
    expect(dueOf({ at: null, inMs: 5 }, 100, false)).toBe(105);
    expect(dueOf({ at: 104, inMs: 5 }, 100, false)).toBe(104);
    expect(dueOf({ at: 106, inMs: 5 }, 100, false)).toBe(105);
    expect(dueOf({ at: 0, inMs: 0 }, 100, true)).toBeNull();
  });

  it("K5 K20 a version is served exactly, or by name unless the run is pinned", () => {
    const serves = [
      { workflow: "order", version: "1" },
      { workflow: "order", version: "2" },
    ];
    const run = (workflow: string, version: string, pinned = false): Parameters<typeof servedAs>[1] => {
      return { runId: "r", workflow, version, pinned, dueAt: 0 };
    };
    expect(servedAs(serves, run("order", "2"))).toBe(0);
    expect(servedAs(serves, run("order", "2", true))).toBe(0);
    expect(servedAs(serves, run("order", "3"))).toBe(1);
    expect(servedAs(serves, run("order", "3", true))).toBeUndefined();
    expect(servedAs(serves, run("refund", "1"))).toBeUndefined();
  });

  it("claims go by rank, then by due time, then by id", () => {
    const at = (runId: string, rank: number, dueAt: number | null): Parameters<typeof claimOrder>[0] => {
      return { rank, c: { runId, workflow: "w", version: "1", pinned: false, dueAt } };
    };
    const sorted = [at("d", 1, 0), at("c", 0, 9), at("b", 0, 3), at("a", 0, 3), at("e", 0, null)].toSorted(claimOrder);
    expect(sorted.map((x) => x.c.runId)).toEqual(["e", "a", "b", "c", "d"]);
  });

  it("a Commit hints at what others may want to look at, and a refused one at nothing", () => {
    const hints = (c: Parameters<typeof hintsOf>[0], answer: CommitAnswer): Hint[] => {
      const into: Hint[] = [];
      hintsOf(c, answer, into);
      return into;
    };
    expect(hints(next(row), committed(0))).toEqual([]);
    expect(hints(next(row, { release: true }), committed(0))).toEqual([{ kind: "due", runId: "a" }]);
    expect(hints(next(row, { release: true }), committed(null))).toEqual([]);
    expect(hints(next(row, { status: "FAILED" }), committed(null))).toEqual([{ kind: "settled", runId: "a" }]);
    expect(hints(next(row, { children: [create("b")] }), committed(0))).toEqual([{ kind: "due", runId: "b" }]);
    expect(hints(next(row, { status: "FAILED", release: true }), { kind: "fenced" })).toEqual([]);
  });

  it("a listener is told on a turn of its own, after the writer has gone on", async () => {
    const hints = new Hints();
    const heard: string[] = [];
    hints.add((h) => heard.push(h.kind));
    expect(() => hints.give([{ kind: "any" }])).not.toThrow();
    expect(heard).toEqual([]);
    await Promise.resolve();
    expect(heard).toEqual(["any"]);
  });
});
