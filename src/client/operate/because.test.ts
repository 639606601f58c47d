// Why a run waits: every code once, from a row and facts that were made up, and what comes first when several reasons hold. Runs that really are in
// each of these states are in test/operate/because.test.ts.
import { expect, it } from "vitest";
import type { Because } from "../../api/types/operate.ts";
import type { RunRow } from "../../store/port.ts";
import { becauseOf, type BecauseFacts } from "./because.ts";
import type { EventRecord } from "../../events/event.ts";
import { noTail, readTail, type TailFacts } from "./log-tail.ts";

const base = {
  runId: "r",
  workflowId: "o-1",
  workflow: "order",
  version: "2",
  status: "RUNNING",
  waiting: null,
  owner: "e1",
  persistedAt: 5_000,
  createdAt: 1_000,
  dueAt: 1_000,
  origin: "engine",
} as unknown as RunRow;

const because = (row: Partial<RunRow>, facts: Partial<Omit<BecauseFacts, "row">> = {}): Because =>
  becauseOf({
    row: { ...base, ...row },
    nowMs: 10_000,
    served: true,
    ownerAlive: true,
    unread: false,
    workflowPaused: null,
    tail: noTail,
    ...facts,
  });
const tail = (t: Partial<TailFacts>): { tail: TailFacts } => ({ tail: { ...noTail, ...t } });
const gone = { owner: null, dueAt: 2_000 } as const;
const away = { ownerAlive: false };

const table: readonly (readonly [Because["code"], Because, string])[] = [
  ["ended", because({ status: "COMPLETED" }), "It completed."],
  ["ended", because({ status: "FAILED" }), "It failed."],
  ["moved", because({ origin: "moved", status: "FAILED" }), "It continues in another store, or is on its way there."],
  ["external", because({ origin: "external" }), "A program outside writes its events; no engine works on it."],
  ["paused", because({ status: "PAUSED" }, tail({ paused: { at: 1, diverged: false, reason: "bank." } })), "It is paused: bank."],
  ["diverged", because({ status: "PAUSED", waiting: "decision" }), "Its code and its log disagree."],
  [
    "approval",
    because({ waiting: "decision" }, tail({ asked: { kind: "approval", at: 1, step: "pay", reason: "over 100" } })),
    "Step pay waits for approval: over 100.",
  ],
  ["decision", because({ waiting: "decision" }), "A person must decide how it continues."],
  [
    "decision",
    because({ waiting: "decision" }, tail({ asked: { kind: "decision", at: 1, step: "pay", reason: "unknown" } })),
    "A person must decide about step pay: unknown.",
  ],
  ["timer", because({ ...gone, waiting: "timer", dueAt: 20_000 }, away), "It sleeps."],
  ["timer", because({ ...gone, status: "PENDING", dueAt: 20_000 }, away), "It was started for later."],
  [
    "retry",
    because({ waiting: "retry", dueAt: 20_000 }, tail({ open: [{ step: "pay", waits: "retry", at: 1, error: "no answer" }] })),
    "An attempt of step pay failed; the next one follows: no answer.",
  ],
  [
    "signal",
    because(
      { ...gone, waiting: "signal", dueAt: null },
      { ...away, ...tail({ open: [{ step: "s", waits: "signal", at: 1, signal: "paid" }] }) },
    ),
    "It waits for signal paid.",
  ],
  [
    "child",
    because(
      { ...gone, waiting: "child", dueAt: null },
      { ...away, ...tail({ open: [{ step: "c", waits: "child", at: 1, child: "o-1/ship" }] }) },
    ),
    "It waits for o-1/ship, which it called.",
  ],
  ["working", because({}, tail({ open: [{ step: "pay", waits: null, at: 1 }] })), "Step pay is at work."],
  ["working", because({}), "An engine works on it."],
  ["queued", because({ ...gone, status: "PENDING" }, away), "It is due; an engine takes it on when it has a place."],
  ["queued", because({ dueAt: 2_000 }, away), "Its engine e1 is gone; another one takes it over."],
  ["no-engine", because({ ...gone, status: "PENDING" }, { ...away, served: false }), "No engine that has workflow order is alive."],
  ["no-engine", because({ ...gone, status: "PENDING" }, { ...away, draining: true }), "Each engine that has workflow order drains."],
  [
    "workflow-paused",
    because({ ...gone, status: "PENDING" }, { ...away, served: false, workflowPaused: { since: 7_000, reason: "bank is down" } }),
    "Workflow order is paused: bank is down.",
  ],
];

it.each(table)("%s", (code, found, text) => {
  expect([found.code, found.text]).toEqual([code, text]);
  expect(Date.parse(found.since)).toBeGreaterThan(0);
});

it("a message that nobody has taken makes a run wait for an engine, not for the message", () => {
  const row = { ...gone, waiting: "signal", dueAt: null } as const;
  expect(because(row, { ...away, unread: true, served: false }).code).toBe("no-engine");
  expect(because(row, { ...away, unread: true }).code).toBe("queued");
  expect(because({ ...row, waiting: "decision" }, { ...away, unread: true, served: false }).code).toBe("no-engine");
  expect(because({ ...row, waiting: "decision" }, { unread: true }).code).toBe("decision");
});

it("a question ends with its own mark", () => {
  const asked = { kind: "approval", at: 1, step: "mail", reason: "mail bob?" } as const;
  expect(because({ waiting: "decision" }, tail({ asked })).text).toBe("Step mail waits for approval: mail bob?");
});

it("a live run of a paused workflow is not held up by that", () => {
  expect(because({}, { workflowPaused: { since: 1 } }).code).toBe("working");
});

it("says when it continues by itself, and what to type", () => {
  expect(because({ ...gone, waiting: "timer", dueAt: 20_000 }, away).until).toBe("1970-01-01T00:00:20.000Z");
  expect(because({ status: "PAUSED" }).fix).toBe("pawl resume o-1");
  expect(because({ ...gone, status: "PENDING" }, { ...away, workflowPaused: { since: 7_000 } })).toMatchObject({
    since: "1970-01-01T00:00:07.000Z",
    fix: "pawl workflows resume order",
  });
});

it("names the step that failed for good and waits for a person, until somebody has answered", () => {
  const event = (eventType: string, stepId: string | null, payload: object): EventRecord =>
    ({ eventType, stepId, payload: JSON.stringify(payload), persistedAt: 1_000 }) as unknown as EventRecord;
  const held = [
    event("StepStarted", "clean/r3", { kind: "effect", name: "r3" }),
    event("pawl.StepHeld", null, { stepId: "clean/r3", error: { message: "three is bad" }, category: "FAILED" }),
  ];
  const row = { waiting: "decision" } as const;
  expect(because(row, { tail: readTail(held) }).text).toBe("A person must decide about step clean/r3: three is bad.");
  const answered = event("pawl.DecisionAnswered", null, { stepId: "clean/r3", answer: "retry" });
  expect(readTail([...held, answered]).asked).toBeNull();
});

it("says which of its words a step's error or a verifier said", () => {
  const doubt = (code: string): Because => {
    const payload = JSON.stringify({ stepId: "pay", reason: "no receipt for card 4.", code });
    const e = { eventType: "pawl.StepInDoubt", stepId: null, payload, persistedAt: 1_000 } as unknown as EventRecord;
    return because({ waiting: "decision" }, { tail: readTail([e]) });
  };
  expect(doubt("PAWL2002")).toMatchObject({ text: expect.stringContaining(": no receipt for card 4."), quotes: "no receipt for card 4" });
  expect(doubt("PAWL2001")).not.toHaveProperty("quotes");
  const open = [{ step: "pay", waits: "retry", at: 1, error: "refused!" }] as const;
  expect(because({ waiting: "retry" }, tail({ open }))).toMatchObject({ quotes: "refused!" });
});

it("a step at work says until when a killed engine would count as alive, and who it is", () => {
  const open = tail({ open: [{ step: "pay", waits: null, at: 1 }] });
  expect(because({}, { ...open, leaseLeftMs: 6_200 })).toMatchObject({
    text: "Step pay is at work.",
    fix: "Its engine is e1. If its process was killed, another engine takes over: usually within about a second, at the latest in 7 s, when its lease ends.",
  });
  expect(because({ waiting: "signal" }, { leaseLeftMs: 6_200 }).fix).not.toContain("lease");
});
