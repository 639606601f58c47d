// Every example, run for real: a child process on the package, in an empty folder, and then once more. Guards that what
// the papers show works as shown. An example must never depend on anything but the package and its own folder.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withoutDecisionNotices } from "../support/child-process.ts";
import { exampleLauncher } from "../support/package-under-test.ts";

const root = resolve(import.meta.dirname, "../..");
let dir: string;

interface Ended {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
  readonly signal: string | null;
}

/** `killWhen`: the process is killed as soon as its output contains this. */
function example(name: string, args: readonly string[] = [], killWhen?: string): Promise<Ended> {
  const { PAWL_STORE: _, PAWL_CRASH: __, ...env } = process.env;
  const child = spawn(process.execPath, [exampleLauncher(), name, ...args], { cwd: dir, env });
  let out = "";
  let err = "";
  child.stdout.on("data", (d: Buffer) => {
    out += String(d);
    if (killWhen !== undefined && out.includes(killWhen)) child.kill("SIGKILL");
  });
  child.stderr.on("data", (d: Buffer) => (err += String(d)));
  return new Promise((done) => child.on("close", (code, signal) => done({ out, err: withoutDecisionNotices(err), code, signal })));
}

const retried =
  "out of stock\nprice: may repeat (it completed, and the run starts again before it)\ncharge: kept (it completed)\nreserve: may repeat (it may have happened)\nretried: order-42\non ann's order: order-42, order-42\n";
const operated =
  "failed: 3\nserved: false - No engine that has workflow order is alive.\nWorkflow order is paused: the bank is down.\nretried: 3, skipped: 0, failed: 0\ncompleted: 4\n";
const shown: Readonly<Record<string, { first: string; again: string }>> = {
  retrying: { first: retried, again: retried },
  operating: { first: operated, again: operated },
  order: {
    first: "reserve stock\nship\nshipped\nreserve stock\nrefund ch_1\nrelease stock\nPAWL1013 too heavy to ship\n",
    again: "shipped\nPAWL1013 too heavy to ship\n",
  },
  queue: { first: "charge 17: 500 cents under order-17\n17-paid\n", again: "17-paid\n" },
  "etl-dag": { first: etlOutput(), again: etlOutput() },
  "template/main": {
    first:
      "{ mail: [ 'ann@example.org knows of 500' ] }\ntrue route SUCCESS, sign SKIPPED, charge SUCCESS, mail/ann%40example.org SUCCESS\n{}\n",
    again:
      "{ mail: [ 'ann@example.org knows of 500' ] }\ntrue route SUCCESS, sign SKIPPED, charge SUCCESS, mail/ann%40example.org SUCCESS\n{}\n",
  },
  "research-graph/main": { first: researchOutput(), again: researchOutput() },
  "fan-out": {
    first: "{ 'cat.jpg': 700, 'dog.jpg': 700, 'owl.jpg': 700, 'fox.jpg': 700 }\n",
    again: "{ 'cat.jpg': 700, 'dog.jpg': 700, 'owl.jpg': 700, 'fox.jpg': 700 }\n",
  },
  approval: {
    first: approvalOutput(),
    again: approvalOutput(),
  },
  "form-with-questions": { first: formOutput(), again: formOutput() },
  children: {
    first: "{ packed: [ 'cup in paper', 'vase in paper' ], stars: 5 }\n",
    again: "{ packed: [ 'cup in paper', 'vase in paper' ], stars: 5 }\n",
  },
  poller: {
    first: "headline 1\nheadline 2\nheadline 3\n[ 'headline 1', 'headline 2', 'headline 3' ]\n",
    again: "[ 'headline 1', 'headline 2', 'headline 3' ]\n",
  },
  transfer: {
    first: "[ { name: 'ann', cents: 750 }, { name: 'bob', cents: 250 } ]\n",
    again: "[ { name: 'ann', cents: 750 }, { name: 'bob', cents: 250 } ]\n",
  },
  "at-most-once-payout": { first: payoutOutput(true), again: payoutOutput(false) },
  "transactional-start": {
    first: "a label for o-1\nCHECK constraint failed: cents > 0\n[ 'o-1' ] [ 'o-1' ]\n",
    again: "a label for o-1\nCHECK constraint failed: cents > 0\n[ 'o-1' ] [ 'o-1' ]\n",
  },
  "external-producer": { first: producerOutput(), again: producerOutput() },
  "read-model": {
    first: "12 events\nRunCompleted after 2 steps\nRunCompleted after 2 steps\n",
    again: "0 events\nRunCompleted after 2 steps\nRunCompleted after 2 steps\n",
  },
  "events/old-events": { first: oldEventsOutput(), again: oldEventsOutput() },
  "agent-refunds/main": { first: refundsOutput(true), again: refundsOutput(false) },
  "agent-refunds/by-hand": {
    first: `the bank refunds ch_7 to c7\n${byHandOutput()}`,
    again: byHandOutput(),
  },
  "chat/main": { first: chatOutput(true), again: chatOutput(false) },
  "guarded-ai-sdk": {
    first: "the bank refunds o-1\n{ refundId: 're_o-1' } Your money is on its way.\n",
    again: "{ refundId: 're_o-1' } Your money is on its way.\n",
  },
  "mcp-tools": { first: `the desk looks at 12A\nthe desk books 12A\n${seatOutput()}`, again: seatOutput() },
  sealed: { first: sealedOutput(), again: sealedOutput() },
  telemetry: { first: telemetryOutput(), again: telemetryOutput() },
  webhooks: { first: webhooksOutput(), again: webhooksOutput() },
  "cron-invoicing": { first: invoicingOutput(), again: invoicingOutput() },
  retries: {
    first: "{ price: 42, refused: 'FAILED: no such article', slow: 'TIMEOUT' }\n",
    again: "{ price: 42, refused: 'FAILED: no such article', slow: 'TIMEOUT' }\n",
  },
};

function byHandOutput(): string {
  return "user: I was charged twice.\ntool: done\ntool: done, as in 2/tools/refund\nassistant: You have your money back.\n";
}

/** The second time both turns are recorded, and the kitchen hears nothing. */
function chatOutput(first: boolean): string {
  return [
    "guest: What do you have?",
    "waiter: We have margherita and funghi. Which one?",
    "guest: A funghi, please.",
    ...(first ? ["the kitchen makes a funghi"] : []),
    "waiter: One moment.",
    'waiter uses order: {"minutes":20}',
    "waiter: Your funghi is ready in 20 minutes.",
    "",
  ].join("\n");
}

function researchOutput(): string {
  return [
    "{",
    "  facts: [",
    "    'Owls hunt at night.',",
    "    'Owls turn their heads.',",
    "    'Barn owls nest in barns.'",
    "  ],",
    "  missing: [ 'nothing about newts' ],",
    "  rounds: 2",
    "}",
    "after superstep 4: 3 facts, next nothing",
    "after superstep 3: 3 facts, next decide",
    "after superstep 2: 2 facts, next search",
    "after superstep 1: 2 facts, next note, decide",
    "after superstep 0: 0 facts, next search, search",
    "{",
    "  facts: [ 'Owls hunt at night.', 'Owls turn their heads.', 'Owls see well.' ],",
    "  missing: [ 'nothing about newts' ],",
    "  rounds: 1",
    "}",
    "",
  ].join("\n");
}

/** The second time it is restarted: what was paid is kept, nobody is asked, and the proof counts over both runs. */
function payoutOutput(asked: boolean): string {
  const attempted = "attempted once and took effect once, because a person said so (AT-MOST-ONCE).";
  return [
    ...(asked
      ? [
          "effect pay AT-MOST-ONCE - it did not answer within its time limit",
          "happened | did-not-happen | fail",
          "the book says: ann payout-ann",
        ]
      : []),
    "paid: tr-77",
    asked
      ? `pay for payout-ann was ${attempted}`
      : `pay for payout-ann was sent once, by run <run>; took effect once. The last run says that it was ${attempted}`,
    "1. the sqlite store kept what it acknowledged, and nobody who can write to it rewrote the log: the chain alone shows damage and partial change only",
    "2. a call of its function performs the effect at most once, and not after it has ended",
    "3. clerk was right that it happened: it is in the bank's book",
    "",
  ].join("\n");
}

/** Killed after the bank acted: one refund, and the model that asks again gets its result. The second time there is nothing left to kill. */
function refundsOutput(killed: boolean): string {
  const shared =
    "its key refund:ch_7 was used by 2 operations of 1 run, and each is counted alone here: pawl proof refund:ch_7 counts the key (KEYED).";
  return [
    ...(killed ? ["refund 75 to c7?"] : []),
    `killed: ${killed}; refunds at the bank: 1`,
    "I have refunded 75.00. (4 turns); refunds at the bank: 1",
    "5/tools/refund: asked for by 4/model/model, approved by ann",
    "7/tools/refund: asked for by 6/model/model, approved by ann, a repeat of 5/tools/refund",
    `refund for refund:ch_7 was approved by ann because it was charged twice, was attempted at most 2 times and took effect once, because its outcome is recorded, and every send had the same key inside the receiver's window; ${shared}`,
    `refund for refund:ch_7 was not sent: step 5/tools/refund of this run did it, and this call took its result over; ${shared}`,
    "",
  ].join("\n");
}

function formOutput(): string {
  return [
    "What do we ask Carla for? ann, bob",
    "PAWL1008 the answer to price.cents: Too small: expected number to be >=1",
    "PAWL4081 eve may not answer: the question is for ann, bob",
    "applied true",
    "PAWL4070 ann answered <question> another answer changes nothing",
    "PAWL4081 ann may not answer: somebody else must",
    "proposed",
    "applied",
    "{ cents: 900, by: 'ann', checkedBy: 'bob', yes: 2 }",
    "",
  ].join("\n");
}

/** The model asks for the same seat twice; the desk books it once. */
function seatOutput(): string {
  const [look, book, again] = ["2/model/model", "4/model/model", "6/model/model"];
  return `Seat 12A is yours. (4 turns)\ndesk__look: asked for in ${look}\ndesk__book: asked for in ${book}\ndesk__book: asked for in ${again}\n`;
}

function invoicingOutput(): string {
  return [
    "2027-03-27T01:30:00.000Z started",
    "2027-03-28T01:00:00.000Z started",
    "2027-03-29T00:30:00.000Z started",
    "2027-10-30T00:30:00.000Z started",
    "2027-10-31T00:30:00.000Z started",
    "2027-11-01T01:30:00.000Z started",
    "nights: 220 runs: 220 invoices: 220 twice: 0",
    "of 1 effect of invoices/2027-10-31T00:30:00.000Z, 1 took effect once, under 3 assumptions.",
    "",
  ].join("\n");
}

function producerOutput(): string {
  return [
    "events added by a second start: 0",
    "1 RunStarted",
    "2 StepStarted orders",
    "3 StepCompleted orders",
    "4 StepStarted customers",
    "5 StepCompleted customers",
    "6 RunCompleted",
    "INVALID_TRANSITION: StepStarted is invalid now: it needs run RUNNING, but found run COMPLETED",
    "",
  ].join("\n");
}

function oldEventsOutput(): string {
  return "COMPLETED orders SUCCESS\nevent 2 of run import-7 has the shape of version 1\n";
}

function sealedOutput(): string {
  return [
    "without a key: verified",
    "  assumed: nobody who can write to the store rewrote the log: the chain has no key, and shows damage and partial change only (seals: --key; heads kept elsewhere: --witness)",
    "with the key: verified - the end is sealed: true",
    "with another key: NOT verified",
    "",
  ].join("\n");
}

function telemetryOutput(): string {
  return [
    "POST /orders",
    "  run order waiting",
    "    step reserve (attempt 1) completed",
    "    step charge (attempt 1) failed",
    "  run order COMPLETED",
    "    step charge (attempt 2) completed",
    "",
  ].join("\n");
}

function webhooksOutput(): string {
  return [
    "pawl.run.started (busy)",
    "pawl.run.started (again)",
    "pawl.step.started charge",
    "pawl.step.completed charge",
    "pawl.step.started ship",
    "pawl.step.completed ship",
    "pawl.run.completed",
    "shipped",
    "",
  ].join("\n");
}

function etlOutput(): string {
  return "failed: row 7 has no currency\ncleaned 10000 rows, 0 of them twice\n{ rows: 10000, cents: 495000 }\nrun again: 10 rows\n";
}
function approvalOutput(): string {
  return [
    "{ was: 900 }",
    "update correct: an expense is more than nothing",
    "waiting for a decision",
    "one acceptance",
    "{ cents: 950, approved: true } decided by ann",
    "",
  ].join("\n");
}

describe("examples", () => {
  // An empty folder for each: what one leaves behind is nothing to another.
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "pawl-examples-"));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it("every example has a test", () => {
    const files = readdirSync(join(root, "examples"))
      .filter((f) => f.endsWith(".ts"))
      .map((f) => f.slice(0, -3));
    expect(files.sort()).toEqual([...Object.keys(shown).filter((name) => !name.includes("/")), "hello"].sort());
  });

  for (const [name, { first, again }] of Object.entries(shown)) {
    it(`${name} shows what it says, and the same end when it is run again`, async () => {
      expect(await example(name)).toEqual({ out: first, err: "", code: 0, signal: null });
      const second = await example(name);
      const out = second.out.replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f-]{17}\b/g, "<run>");
      expect({ ...second, out }).toEqual({ out: again, err: "", code: 0, signal: null });
    });
  }

  it("hello goes on where it was killed: what was recorded is not run again", async () => {
    const killed = await example("hello", [], "second roll");
    expect(killed.signal).toBe("SIGKILL");
    expect(killed.out).toContain("first roll");
    const resumed = await example("hello");
    expect(resumed).toMatchObject({ err: "", code: 0 });
    expect(resumed.out).not.toContain("first roll"); // its outcome was committed before the second roll began
    expect(resumed.out).toMatch(/\{ sum: \d+ \}\n$/);
    const settled = await example("hello");
    expect(settled.out).toBe(`${resumed.out.trimEnd().split("\n").at(-1)}\n`);
  });
});

describe("the demo", () => {
  it("charges once although its process was killed between the charge and its record, and says so as one line", async () => {
    dir = mkdtempSync(join(tmpdir(), "pawl-examples-"));
    try {
      const { out, err, code } = await example("demo/main", ["--json"]);
      expect(out.trimEnd().split("\n").at(-1)).toBe('{"charges":1,"crashes":1,"status":"COMPLETED"}');
      expect({ err, code }).toEqual({ err: "", code: 0 });
      expect(readdirSync(dir)).toEqual([]);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });

  it("tells in a few lines what happened and why", async () => {
    dir = mkdtempSync(join(tmpdir(), "pawl-examples-"));
    try {
      const { out, code } = await example("demo/main");
      expect(code).toBe(0);
      expect(out.split("\n").length).toBeLessThan(25);
      for (const said of [
        "killed (SIGKILL)",
        "charge is RUNNING",
        "asks the bank first (verify: 1 question)",
        "COMPLETED",
        "1 charge, 1 request to charge",
      ])
        expect(out).toContain(said);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

describe("the approval", () => {
  it("ends in three ways without waiting, and is paid once wherever it is killed and a person answers", async () => {
    dir = mkdtempSync(join(tmpdir(), "pawl-examples-"));
    try {
      const { out, err, code } = await example("human-approval/main");
      expect({ err, code }).toEqual({ err: "", code: 0 });
      expect(out.split("\n").slice(0, 5)).toEqual([
        "e-1 { paid: 900, by: 'ann' } paid, approved by ann",
        "e-2 { paid: 0, by: 'bob' } refused by bob",
        "e-3 { paid: 0, by: null } nobody answered",
        "",
        "paid once, whatever happened",
      ]);
      expect(out).toMatch(/^pay +AT-MOST-ONCE( +✔ once){5}$/m);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

describe("the saga", () => {
  it("runs in both its ways, and prints a crash matrix without a finding", async () => {
    dir = mkdtempSync(join(tmpdir(), "pawl-examples-"));
    try {
      const { out, err, code } = await example("order-saga/main");
      expect({ err, code }).toEqual({ err: "", code: 0 });
      expect(out).toMatch(/^\{ shipped: 'light', cups: 9 \}\nPAWL1013 too heavy to ship\n9 cups, 2 charges, 1 refund\n/);
      expect(out).toContain("\nevery effect kept its promise\n");
      expect(out).toMatch(/^charge +KEYED( +✔ once){5}$/m);
      expect(out).not.toContain("✘");
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

describe("query builders", () => {
  it("each takes a cup in the store's own transaction, once", async () => {
    dir = mkdtempSync(join(tmpdir(), "pawl-examples-"));
    try {
      const out = "{ left: 9 }\n{ left: 8 }\n{ left: 7 }\n";
      for (let n = 0; n < 2; n++) expect(await example("query-builders/main")).toEqual({ out, err: "", code: 0, signal: null });
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
