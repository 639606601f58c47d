// The commands that act on runs, with and without a live engine: what needs no code is applied by the command itself, what
// needs code waits in the inbox and the command says so. What a run's status does not permit is refused, never swallowed.
import { afterEach, expect, it } from "vitest";
import { killCommands, orderFile, CliFolder, quickFile, type Running } from "./pawl-process.ts";
import { proves } from "../support/proves.ts";

afterEach(killCommands);

/** A run that waits for its signal, and the process that owns it. */
async function waiting(place: CliFolder, id: string): Promise<Running> {
  const running = place.start(["run", "./order.ts", "-P", `id=${id}`, "--id", id]);
  await place.until(id, (r) => r.waiting === "signal");
  return running;
}
async function handedBack(place: CliFolder, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    const running = await waiting(place, id);
    running.child.kill("SIGINT");
    await running.ended;
  }
}

it("pause, resume and terminate need no engine of the user's: the command claims, commits and leaves", proves("K5"), async () => {
  const place = new CliFolder({ "order.ts": orderFile });
  await handedBack(place, "o-1");
  const paused = await place.pawl("pause", "o-1", "--reason", "bank is down");
  expect([paused.code, paused.out]).toEqual([0, "o-1  paused\n"]);
  expect((await place.pawl("inspect", "o-1")).out).toMatch(
    /^o-1 {2}order@3 {2}PAUSED {2}bank is down; no engine serves it\n[^]*continue: pawl resume o-1\n$/,
  );
  const twice = await place.pawl("pause", "o-1");
  expect([twice.code, twice.err.includes("PAWL4010")]).toEqual([5, true]);
  expect(await place.json("resume", "o-1")).toMatchObject({ workflowId: "o-1", verb: "resume", status: "RUNNING" });
  expect((await place.pawl("resume", "o-1")).code).toBe(5);
  expect(await place.json("terminate", "o-1", "--reason", "test data", "--dry-run")).toMatchObject({ dryRun: true, status: "RUNNING" });
  const ended = await place.pawl("terminate", "o-1", "--reason", "test data", "--yes");
  expect([ended.code, ended.out]).toEqual([0, "o-1  terminated\n"]);
  expect((await place.json("events", "o-1")).at(-1)).toMatchObject({
    eventType: "RunCancelled",
    payload: { terminated: true, reason: "test data" },
  });
  expect(
    (await place.json("events", "o-1")).map((e: { eventType: string }) => e.eventType).filter((t: string) => /Paused|Resumed/.test(t)),
  ).toEqual(["RunPaused", "RunResumed"]);
});

it("a resumed run goes on where it was when its file is run again", async () => {
  const place = new CliFolder({ "order.ts": orderFile });
  await handedBack(place, "o-1");
  await place.pawl("pause", "o-1");
  await place.pawl("signal", "o-1", "approved", "-P", "by=ann");
  await place.pawl("resume", "o-1");
  expect((await place.json("run", "./order.ts", "-P", "id=o-1", "--id", "o-1")).result).toEqual({ id: "o-1", by: "ann" });
});

it("a run that a live engine owns is left to that engine: it pauses, resumes, answers updates and is cancelled", async () => {
  const place = new CliFolder({ "order.ts": orderFile });
  const running = await waiting(place, "o-1");
  expect((await place.pawl("pause", "o-1")).code).toBe(0);
  await running.saw("paused: pawl resume o-1");
  expect((await place.pawl("resume", "o-1")).err).toBe("");
  const answer = await place.pawl("update", "o-1", "address", "-P", "city=Ulm", "--update-id", "u-1");
  expect([answer.code, answer.out]).toEqual([0, "to Ulm\n"]);
  expect(await place.json("update", "o-1", "address", "-P", "city=Bonn", "--update-id", "u-1")).toEqual({
    updateId: "u-1",
    result: "to Ulm",
  });
  const refused = await place.pawl("update", "o-1", "unknown");
  expect([refused.code, refused.err.includes("PAWL1016")]).toEqual([2, true]);
  const misspelt = await place.pawl("signal", "o-1", "aproved", "-P", "by=ann");
  expect([misspelt.code, misspelt.err.includes("signal aproved is not declared by workflow")]).toEqual([2, true]);
  const cancelled = await place.pawl("cancel", "o-1", "--reason", "shop closed");
  expect([cancelled.code, cancelled.out, cancelled.err]).toEqual([0, "o-1  cancel requested\n", ""]);
  const { code, err } = await running.ended;
  expect(code).toBe(6);
  expect(err).toContain("PAWL1014 RunCancelled: the run was cancelled: shop closed");
});

it("without an engine, cancel, signal and update wait in the inbox and the command says so", async () => {
  const place = new CliFolder({ "order.ts": orderFile });
  await handedBack(place, "o-1");
  const said = "queued: no engine that serves order is alive";
  const update = await place.pawl("update", "o-1", "address", "-P", "city=Ulm", "--json");
  expect([update.code, update.err.includes(said), JSON.parse(update.out).queued]).toEqual([0, true, true]);
  const signal = await place.pawl("signal", "o-1", "approved", "--payload", '{"by":"ann"}', "--dry-run");
  expect([signal.code, signal.out]).toEqual([0, "signal approved would go to o-1 (RUNNING)\n"]);
  const cancel = await place.pawl("cancel", "o-1");
  expect([cancel.code, cancel.err.includes(said)]).toEqual([0, true]);
  expect((await place.json("inspect", "o-1")).status).toBe("RUNNING");
  expect((await place.pawl("run", "./order.ts", "-P", "id=o-1", "--id", "o-1")).code).toBe(6);
  expect((await place.json("inspect", "o-1")).status).toBe("CANCELLED");
});

it("- reads ids from standard input; one failure does not stop the rest and gives the exit code", async () => {
  const place = new CliFolder({ "order.ts": orderFile, "quick.ts": quickFile });
  await place.pawl("run", "./quick.ts", "--id", "ended");
  await handedBack(place, "o-1", "o-2");
  const ids = (await place.pawl("ls", "running", "--ids")).out;
  expect(ids.trim().split("\n").length).toBe(2);
  const many = await place.start(["pause", "-"], {}, `ended\nnope\n${ids}`).ended;
  expect(many.code).toBe(5);
  expect(many.out).toBe("o-2  paused\no-1  paused\n");
  expect(many.err).toMatch(/PAWL4003[^]*PAWL4001/);
  const lines = (await place.pawl("ls", "paused", "--jsonl")).out;
  const rest = await place.start(["terminate", "-", "--json"], {}, lines).ended;
  expect(rest.code).toBe(0);
  expect(
    rest.out
      .trim()
      .split("\n")
      .map((l) => (JSON.parse(l) as { status: string }).status),
  ).toEqual(["CANCELLED", "CANCELLED"]);
});

it("a run that has ended never changes; retry makes a new one that keeps what was finished", async () => {
  const place = new CliFolder({ "quick.ts": quickFile });
  await place.pawl("run", "./quick.ts", "--id", "q", "-P", "fail=true");
  const ends = await place.all([
    ["pause", "q"],
    ["cancel", "q"],
    ["terminate", "q"],
    ["signal", "q", "x"],
  ]);
  for (const e of ends) expect([e.code, e.err.includes("PAWL4003")], e.err).toEqual([5, true]);
  const unknown = await place.pawl("retry", "q", "--from-step", "third");
  expect([unknown.code, unknown.err.includes("has no step third")]).toEqual([2, true]);
  const old = (await place.json("inspect", "q")).runId as string;
  const retried = await place.json("retry", "q", "--from-step", "second");
  expect(retried).toMatchObject({ originalRunId: old, workflowId: "q" });
  expect(retried.runId).not.toBe(old);
  place.write("quick.ts", quickFile.replace('throw new Error("the bank said no")', "return"));
  expect((await place.json("run", "./quick.ts", "--id", "q", "-P", "fail=true")).status).toBe("COMPLETED");
  const [first] = (await place.json("inspect", "q")).steps;
  expect(first).toMatchObject({ stepId: "first", status: "SUCCESS" });
  expect((await place.pawl("inspect", "q")).out).toMatch(/✔ first +kept/);
  const waiting = place.start(["retry", "q", "--from-step", "second", "--wait", "--json"]);
  await waiting.saw("retried as");
  await place.pawl("run", "./quick.ts", "--id", "other");
  const ended = await waiting.ended;
  expect([ended.code, (JSON.parse(ended.out) as { status: string }).status]).toEqual([0, "COMPLETED"]);
});

it("a dry run of retry says of each step what would become of it; an order to send again needs a name", proves("K19"), async () => {
  const place = new CliFolder({
    "pay.ts": `import { workflow } from "pawl";
export default workflow({ name: "pay" }, async (ctx) => {
  await ctx.step("price", () => 12);
  await ctx.step("charge", () => "ch-1", { key: "order-1", dedup: "1d" });
  await ctx.step("once", () => 1, { once: true });
});
`,
  });
  await place.pawl("run", "./pay.ts", "--id", "p");
  const plan = await place.pawl("retry", "p", "--from-step", "price", "--dry-run");
  expect([plan.code, plan.out]).toEqual([
    0,
    "p  2 kept; 1 may repeat\n" +
      "  price  may repeat  (it completed, and the run starts again before it)\n" +
      "  charge  kept  (it completed)\n" +
      "  once  kept  (it completed)\n",
  ]);
  const order = ["--rerun", "charge", "--by", "ann", "--reason", "the bank lost it"];
  expect(await place.json("retry", "p", ...order, "--dry-run")).toMatchObject({
    dryRun: true,
    steps: [{ outlook: "kept" }, { stepId: "charge", outlook: "runs again", class: "KEYED", key: "order-1" }, { outlook: "kept" }],
  });
  const nobody = await place.pawl("retry", "p", "--rerun", "charge");
  expect([nobody.code, nobody.err.includes("who orders it")]).toEqual([2, true]);
  const refused = await place.pawl("retry", "p", "--rerun", "once", "--by", "ann", "--reason", "why");
  expect([refused.code, refused.err.includes("PAWL4052")]).toEqual([5, true]);
  expect((await place.json("retry", "p", ...order)).workflowId).toBe("p");
});

it("a retry warns of what the failed run did in a catch, before and when it is made", async () => {
  const place = new CliFolder({
    "hand.ts": `import { workflow } from "pawl";
export default workflow({ name: "hand" }, async (ctx) => {
  await ctx.step("reserve", () => 1);
  try {
    await ctx.step("ship", () => { throw new Error("too heavy"); });
  } catch (e) {
    await ctx.step("release", () => 1);
    throw e;
  }
});
`,
  });
  await place.pawl("run", "./hand.ts", "--id", "h");
  const plan = await place.pawl("retry", "h", "--dry-run");
  expect(plan.out).toContain("\n  warning: after ship failed, the run continued with release:");
  expect((await place.pawl("retry", "h")).err).toContain("warning: after ship failed, the run continued with release:");
});
