// Processes that die around the engine's own writes: before and after the run is created, claimed, committed. One file,
// SQLite, real SIGKILLs. After each death the store is looked at before anything else touches it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import type { RunEventRecord } from "../../src/index.ts";
import { killChildren, limitConcurrency, runChild, startChild, type Ended } from "../support/child-process.ts";
import { requests } from "./programs/receiver.ts";
import { proves } from "../support/proves.ts";

const home = mkdtempSync(join(tmpdir(), "pawl-hits-"));
const worker = "test/crash/programs/worker.js";
let n = 0;
let store = "";
let ledger = "";
beforeEach(() => {
  store = join(home, `${++n}.db`);
  ledger = join(home, `${n}.ledger`);
});
afterAll(async () => {
  await killChildren();
  rmSync(home, { recursive: true, force: true });
});

const run = (input: number, crash?: string, s = store, l = ledger): Promise<Ended> =>
  runChild(worker, {
    args: [JSON.stringify({ store: s, ledger: l, start: { workflow: "count", id: "c", input } })],
    ...(crash === undefined ? {} : { env: { PAWL_CRASH: crash } }),
  });
const said = (e: Ended, what: string): string | undefined => e.lines.find((l) => l.startsWith(`${what} `))?.slice(what.length + 1);

async function look<T>(body: (c: Awaited<ReturnType<typeof connect>>) => Promise<T>, s = store): Promise<T> {
  const client = await connect({ store: `sqlite:${s}` });
  try {
    return await body(client);
  } finally {
    await client.close();
  }
}
const sent = (l = ledger): string[] => requests(l).map((r) => r.key);

it("a run whose create never committed does not exist, and starting it again makes one", proves("C1"), async () => {
  expect((await run(2, "engine:create")).signal).toBe("SIGKILL");
  expect(await look((c) => c.list())).toEqual({ runs: [] });
  expect(sent()).toEqual([]);
  const again = await run(2);
  expect(said(again, "result")).toBe("3");
  expect(said(again, "started")).toMatch(/^true /);
  expect((await look((c) => c.list())).runs).toHaveLength(1);
  expect(sent()).toEqual(["s1", "s2"]);
});

it("a run whose create committed and was never answered is the one that a second start finds", proves("C2"), async () => {
  expect((await run(2, "engine:created")).signal).toBe("SIGKILL");
  const [left] = (await look((c) => c.list())).runs;
  expect(left).toMatchObject({ workflowId: "c", status: "RUNNING" });
  expect(sent(), "nothing leaves before the answer").toEqual([]);
  const again = await run(2);
  expect(said(again, "started")).toBe(`false ${left?.runId}`);
  expect(said(again, "result")).toBe("3");
  expect((await look((c) => c.list())).runs).toHaveLength(1);
  expect(sent()).toEqual(["s1", "s2"]);
});

it("a run that was claimed and not begun goes to the next engine", proves("C3"), async () => {
  const { runId } = await look((c) => c.start({ workflow: "count", allowUnknown: true, input: 2, id: "c" }));
  const dead = await runChild(worker, { args: [JSON.stringify({ store, ledger, lease: "600s" })], env: { PAWL_CRASH: "engine:claim" } });
  expect(dead.signal).toBe("SIGKILL");
  expect(sent()).toEqual([]);
  expect(await look((c) => c.events(runId))).toHaveLength(1);
  const next = startChild(worker, { args: [JSON.stringify({ store, ledger })] });
  expect(await look((c) => c.waitForEnd(runId))).toMatchObject({ status: "COMPLETED", result: 3 });
  next.send("stop");
  expect((await next.ended).code).toBe(0);
  // Fence 1 was the dead owner's.
  expect(requests(ledger).map((r) => r.fence)).toEqual(["2", "2"]);
});

it(
  "killed before or after any of its commits, a run continues from what is recorded, and no recorded step runs again",
  proves("C9", "C10", "L-01"),
  async () => {
    const steps = 4;
    const atATime = limitConcurrency(3);
    const cells = ["commit", "ack"].flatMap((hit) => Array.from({ length: steps + 1 }, (_, i) => ({ hit, ordinal: i + 1 })));
    await Promise.all(
      cells.map(({ hit, ordinal }) =>
        atATime(async () => {
          const [s, l] = [join(home, `${hit}${ordinal}.db`), join(home, `${hit}${ordinal}.ledger`)];
          const where = `engine:${hit}#${ordinal}`;
          expect((await run(steps, where, s, l)).signal, where).toBe("SIGKILL");
          // Commit n holds the outcome of step n-1 and the start of step n.
          const recorded = hit === "ack" ? ordinal - 1 : Math.max(0, ordinal - 2);
          const log = await look(async (c) => ((await c.list()).runs.length === 0 ? [] : c.events("c")), s);
          expect(completed(log), where).toEqual(names(recorded));
          const again = await run(steps, undefined, s, l);
          expect(said(again, "result"), where).toBe("10");
          const twice = hit === "commit" && ordinal > 1 ? [`s${ordinal - 1}`] : [];
          expect(sent(l), where).toEqual([...names(steps), ...twice].toSorted());
          const whole = await look((c) => c.events("c"), s);
          expect(whole.slice(0, log.length), "what was recorded stays as it was").toEqual(log);
          expect(completed(whole), where).toEqual(names(steps));
        }),
      ),
    );
  },
);

function names(n: number): string[] {
  return Array.from({ length: n }, (_, i) => `s${i + 1}`);
}
function completed(log: readonly RunEventRecord[]): (string | undefined)[] {
  return log.filter((e) => e.eventType === "StepCompleted").map((e) => ("stepId" in e ? (e.stepId as string) : undefined));
}

it(
  "a signal whose sender died is stored or it is not, and completes exactly one wait",
  proves("C16", "W-077", "W-079", "W-092", "AX-23"),
  async () => {
    const { runId } = await look((c) => c.start({ workflow: "waiter", allowUnknown: true, id: "w" }));
    const sender = (signalId: string, payload: string, crash?: string): Promise<Ended> => {
      const child = startChild("test/crash/programs/sender.js", {
        args: [store, "w", signalId, payload],
        ...(crash === undefined ? {} : { env: { PAWL_CRASH: crash } }),
      });
      child.send("go");
      return child.ended;
    };
    // Died before the write: nothing is there, and the retry is accepted as the first.
    expect((await sender("a", "lost", "engine:post")).signal).toBe("SIGKILL");
    const first = JSON.parse(said(await sender("a", "one"), "signal") ?? "") as { replayed: boolean };
    expect(first.replayed).toBe(false);
    // Died after it: the retry is told what the dead sender would have been told.
    expect((await sender("b", "two", "engine:posted")).signal).toBe("SIGKILL");
    const retry = JSON.parse(said(await sender("b", "other"), "signal") ?? "") as { replayed: boolean; result: { signalId: string } };
    expect(retry).toMatchObject({ replayed: true, result: { accepted: true, signalId: "b", workflowId: "w" } });

    const dying = await runChild(worker, { args: [JSON.stringify({ store, ledger })], env: { PAWL_CRASH: "engine:commit" } });
    expect(dying.signal).toBe("SIGKILL");
    const next = startChild(worker, { args: [JSON.stringify({ store, ledger })] });
    expect(await look((c) => c.waitForEnd(runId))).toMatchObject({ status: "COMPLETED", result: ["one", "two"] });
    next.send("stop");
    await next.ended;
  },
);

it("window A of a run's very first step leaves a run that the restart finishes", async () => {
  const how = { args: [JSON.stringify({ store, ledger, start: { workflow: "count", id: "c", input: 1 } })], env: { PAWL_CRASH: "s1:A" } };
  expect((await runChild(worker, how)).signal).toBe("SIGKILL");
  expect(sent()).toEqual([]);
  expect(said(await runChild(worker, how), "result")).toBe("1");
  expect(sent()).toEqual(["s1"]);
});
