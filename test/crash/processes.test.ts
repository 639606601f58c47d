// Several processes on one file: who attaches, who takes over and on what evidence, what a process may still do that was
// stopped past its lease, what random kills leave behind. Nothing here measures time: every wait is for a line or an end.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { connect as connectClient } from "../../src/client.ts";
import { openConnection } from "../../src/store/sqlite/wire/driver.ts";
import { killChildren, startChild, type Child } from "../support/child-process.ts";
import { requests } from "./programs/receiver.ts";
import { proves } from "../support/proves.ts";

const home = mkdtempSync(join(tmpdir(), "pawl-processes-"));
let n = 0;
let store = "";
let ledger = "";
let hold = "";
beforeEach(() => {
  [store, ledger, hold] = [`${++n}.db`, `${n}.ledger`, `${n}.go`].map((f) => join(home, f)) as [string, string, string];
});
afterAll(async () => {
  await killChildren();
  rmSync(home, { recursive: true, force: true });
});

const worker = (o: object): Child => startChild("test/crash/programs/worker.js", { args: [JSON.stringify({ store, ledger, ...o })] });
const holding = { start: { workflow: "held", id: "h" } };
const marks = (): string[] => requests(ledger).map((r) => `${r.key} ${r.fence}`);

async function sql(text: string): Promise<Record<string, unknown>[]> {
  const db = await openConnection(store);
  try {
    return db.prepare(text).all();
  } finally {
    db.close();
  }
}
/** Everything that an owner may change. */
const owned = async (): Promise<unknown> => ({
  runs: await sql("select * from pawl_runs"),
  events: await sql("select * from pawl_events"),
  inbox: await sql("select * from pawl_inbox"),
});

it("a second process that starts the same run attaches to it, and both get its result", proves("C2"), async () => {
  const first = worker({ ...holding, hold });
  const [, , runId] = (await first.waitForLine("started")).split(" ");
  await first.waitForLine("begun");
  const second = worker({ ...holding, hold });
  expect(await second.waitForLine("started")).toBe(`started false ${runId}`);
  writeFileSync(hold, "");
  expect([await first.waitForLine("result"), await second.waitForLine("result")]).toEqual(['result "1"', 'result "1"']);
  expect(marks()).toEqual(["begun 1", "done 1", "next 1"]);
  expect([(await first.ended).code, (await second.ended).code]).toEqual([0, 0]);
});

it(
  "a process killed under a long lease is taken over by one that was there, on the evidence of its lock",
  proves("K2", "I12"),
  async () => {
    const other = worker({});
    await other.waitForLine("ready");
    const first = worker({ ...holding, hold, lease: "600s" });
    const [, , runId = ""] = (await first.waitForLine("started")).split(" ");
    await first.waitForLine("begun");
    const [longest] = await sql("select max(lease_until) as until from pawl_engines where not dead");
    expect(Number(longest?.["until"]), "the lease alone would have kept it for minutes").toBeGreaterThan(Date.now() + 300_000);
    first.signal("SIGKILL");
    expect((await first.ended).signal).toBe("SIGKILL");
    const client = await connectClient({ store: `sqlite:${store}` });
    expect(await client.waitForEnd(runId)).toMatchObject({ status: "COMPLETED", result: "2" });
    await client.close();
    expect(marks()).toEqual(["begun 1", "begun 2", "done 2", "next 2"]);
    other.send("stop");
    expect((await other.ended).code).toBe(0);
  },
);

it("a process killed while its run only waited: the timeline says who took over, and from whom", proves("K21"), async () => {
  const first = worker({ start: { workflow: "waiter", id: "w" } });
  const [, , runId = ""] = (await first.waitForLine("started")).split(" ");
  const client = await connectClient({ store: `sqlite:${store}` });
  await vi.waitFor(async () => expect((await client.get("w"))!.waiting).toBe("signal"), { timeout: 60_000, interval: 20 });
  const [owner] = await sql("select owner from pawl_runs");
  first.signal("SIGKILL");
  await first.ended;
  const next = worker({});
  await next.waitForLine("ready");
  for (const go of ["a", "b"]) await client.signal("w", "go", go);
  expect(await client.waitForEnd(runId)).toMatchObject({ status: "COMPLETED", result: ["a", "b"] });
  const { gaps } = await client.timeline("w");
  await client.close();
  next.send("stop");
  expect((await next.ended).code).toBe(0);
  expect(gaps).toEqual([expect.objectContaining({ reason: "crash", lost: owner!["owner"] })]);
  expect(gaps[0]!.engine).not.toBe(owner!["owner"]);
});

it(
  "a process stopped past its lease writes nothing when it wakes, and begins again under a new id",
  proves("I3", "I4", "C14", "K1", "AX-35", "AX-36"),
  async () => {
    const zombie = worker({ ...holding, hold, lease: "1s" });
    await zombie.waitForLine("begun 1");
    zombie.signal("SIGSTOP");
    const next = worker({ ...holding, lease: "1s" });
    expect(await next.waitForLine("begun")).toBe("begun 2");
    expect(await next.waitForLine("result")).toBe('result "2"');
    await next.ended;
    const before = await owned();
    writeFileSync(hold, "");
    zombie.signal("SIGCONT");
    // What it answers is what the owner recorded, whether its own effect comes to its end before that or not.
    expect(await zombie.waitForLine("result")).toBe('result "2"');
    const end = await zombie.ended;
    expect(await owned()).toEqual(before);
    expect(marks().filter((m) => m !== "done 1")).toEqual(["begun 1", "begun 2", "done 2", "next 2"]);
    expect(end.lines.join("\n")).toContain("was declared dead and begins again under a new id");
  },
);

it("an owner that does not know it was declared dead has its commit refused by the store, whole", proves("I3", "C13", "C14"), async () => {
  const zombie = worker({ ...holding, hold, lease: "600s" });
  await zombie.waitForLine("begun 1");
  await sql("update pawl_engines set dead = 1");
  const next = worker(holding);
  expect(await next.waitForLine("result")).toBe('result "2"');
  await next.ended;
  const before = await owned();
  writeFileSync(hold, "");
  expect(await zombie.waitForLine("result")).toBe('result "2"');
  const end = await zombie.ended;
  expect(end.lines.at(-1), "two batches were sent, one commit was taken").toMatch(/pawl_commits_total 1 .*pawl_commit_batches_total 2 /);
  expect(await owned()).toEqual(before);
  expect(marks()).toEqual(["begun 1", "begun 2", "done 2", "next 2", "done 1"]);
});

it("many processes sending one signal at once are told the same, and one of them enqueued it", proves("W-075", "W-091"), async () => {
  const client = await connectClient({ store: `sqlite:${store}` });
  await client.start({ workflow: "waiter", allowUnknown: true, id: "w" });
  await client.close();
  const senders = Array.from({ length: 5 }, (_, i) =>
    startChild("test/crash/programs/sender.js", { args: [store, "w", "same", `from ${i}`] }),
  );
  await Promise.all(senders.map((s) => s.waitForLine("ready")));
  for (const s of senders) s.send("go");
  const told = await Promise.all(
    senders.map(async (s) => JSON.parse((await s.waitForLine("signal")).slice(7)) as { replayed: boolean; result: unknown }),
  );
  expect(told.filter((t) => !t.replayed)).toHaveLength(1);
  expect(new Set(told.map((t) => JSON.stringify(t.result))).size).toBe(1);
  expect(await sql("select payload from pawl_inbox")).toHaveLength(1);
  expect(await sql("select inbox_id from pawl_accepted")).toHaveLength(1);
});

it(
  "killed again and again at any moment, a run ends with every effect that its class promises",
  { ...proves("I1", "I2", "I12"), timeout: 240_000 },
  async () => {
    const rounds = 8;
    let seed = 20_261;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    let result: string | undefined;
    for (let kills = 0; result === undefined; kills++) {
      const child = worker({ start: { workflow: "mixed", id: "m", input: rounds } });
      await child.waitForLine("started");
      // K5: after six owners in a row that could not commit, a person decides. On a busy machine no kill may leave time for a Commit.
      if (kills < 4) setTimeout(() => child.signal("SIGKILL"), random(60));
      const end = await child.ended;
      expect([0, null], end.stderr).toContain(end.code);
      result = end.lines.find((l) => l.startsWith("result"));
    }
    expect(result).toBe(`result ${rounds * 3}`);
    const sent = new Set(requests(ledger).map((r) => r.key));
    for (let i = 1; i <= rounds; i++) for (const name of ["keyed", "again", "plain"]) expect(sent).toContain(`${name}${i}`);
    const outcomes = await sql("select step_id, count(*) as n from pawl_events where event_type = 'StepCompleted' group by step_id");
    expect(outcomes).toHaveLength(rounds * 4);
    expect(outcomes.every((o) => o["n"] === 1)).toBe(true);
  },
);

it(
  "signals sent while their run's owners are killed one after the other are all delivered, in order, once",
  { ...proves("I9", "C16"), timeout: 240_000 },
  async () => {
    const signals = 24;
    const client = await connectClient({ store: `sqlite:${store}` });
    const { runId } = await client.start({ workflow: "gather", allowUnknown: true, input: signals, id: "g" });
    let seed = 77;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let sent = 0; sent < signals;) {
      const child = worker({});
      await child.waitForLine("ready");
      for (const until = Math.min(signals, sent + 6); sent < until; sent++) {
        const { replayed } = await client.signal("g", "go", sent, { signalId: `s${sent}` });
        expect(replayed).toBe(false);
        // A sender that is not sure asks again: nothing more is enqueued.
        expect((await client.signal("g", "go", -1, { signalId: `s${random(sent + 1)}` })).replayed).toBe(true);
      }
      setTimeout(() => child.signal("SIGKILL"), random(40));
      await child.ended;
    }
    const last = worker({});
    expect(await client.waitForEnd(runId)).toMatchObject({ status: "COMPLETED", result: Array.from({ length: signals }, (_, i) => i) });
    last.send("stop");
    await last.ended;
    await client.close();
    expect(await sql("select consumed from pawl_inbox where consumed = 0")).toEqual([]);
    expect(await sql("select inbox_id from pawl_inbox")).toHaveLength(signals);
  },
);
