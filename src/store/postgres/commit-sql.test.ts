// What a Commit's statement says. A step without a queue must cost what it cost before there were queues: its text, name and parameters know
// nothing of dispatches or snapshots, and a Commit beside it that dispatches has a statement of another name.
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import type { RunRow } from "../port.ts";
import { create, event, next } from "../suite/build.ts";
import { dispatch } from "../suite/queues/build.ts";
import { manyQuery, oneQuery } from "./commit-sql.ts";

const row = { runId: "a", fence: { epoch: 1, token: "t" }, stateVersion: 1 } as unknown as RunRow;
const other = { ...row, runId: "b" };
const step = (r: RunRow) => next(r, { events: [event(1), event(2)] });
const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

it("a Commit without a dispatch has the statement that it had before there were queues, byte for byte", () => {
  const one = oneQuery("pawl", null, step(row));
  const many = manyQuery("pawl", null, [step(row), step(other)], undefined);
  const made = oneQuery("pawl", null, create("a", {}, { events: [event(1)] }));
  for (const q of [one, many, made]) expect(q.text).not.toMatch(/dispatch|snapshot|queue/);
  expect([one.name, one.values?.length]).toEqual(["pawl_one_step_2_0", expect.any(Number)]);
  // Another digest is another statement: measure W1 to W6 (docs/performance.md) before you write it here.
  expect([one, many, made].map((q) => digest(q.text))).toEqual(["ffce555f35756e53", "194d0368e4ea322d", "219e880309a1590b"]);
  expect(oneQuery("pawl", null, { ...step(row), dispatches: [], ends: [] }).text).toBe(one.text);
});

it("one that dispatches has a statement of another name, and the steps beside it keep theirs", () => {
  const queued = { ...step(row), dispatches: [dispatch(1)] };
  const q = oneQuery("pawl", null, queued);
  expect(q.text).toContain("insert into pawl.dispatches");
  expect(q.name).not.toBe(oneQuery("pawl", null, step(row)).name);
  expect(manyQuery("pawl", null, [queued, step(other)], undefined).name).not.toBe(
    manyQuery("pawl", null, [step(row), step(other)], undefined).name,
  );
});
