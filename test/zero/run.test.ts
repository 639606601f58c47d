// run(): zero ceremony, as a newcomer meets it: a program in a folder, started again and again. Which store it opens, what
// the same id means, what it leaves alone, and that the process ends by itself.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { engine, workflow } from "../../src/index.ts";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { requests } from "../crash/programs/receiver.ts";
import { killChildren, runChild, startChild, type ChildOptions, type Ended } from "../support/child-process.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "pawl-zero-")));
let n = 0;
let dir = "";
let ledger = "";
beforeEach(() => {
  dir = join(home, String(++n));
  mkdirSync(dir);
  ledger = join(dir, "ledger");
});
afterAll(async () => {
  await killChildren();
  rmSync(home, { recursive: true, force: true });
});

const program = "test/zero/programs/hello.js";
const how = (id: string, does: string, o: ChildOptions = {}): ChildOptions => ({ cwd: dir, ...o, args: [id, does, ledger] });
const hello = (id: string, does = "greet", o: ChildOptions = {}): Promise<Ended> => runChild(program, how(id, does, o));
const last = (e: Ended): string | undefined => e.lines.at(-1);
const storeOf = (at: string): string => join(at, ".pawl/state.db");

it("creates .pawl here when there is none, and the process ends by itself", async () => {
  const e = await hello("ann");
  expect(e).toMatchObject({ code: 0, signal: null, stderr: "", lines: ["begun", "result hello ann"] });
  expect(existsSync(storeOf(dir))).toBe(true);
});

it("uses the nearest .pawl upward, and makes none below it", async () => {
  await hello("ann");
  const below = join(dir, "a/b");
  mkdirSync(below, { recursive: true });
  expect(await hello("ann", "greet", { cwd: below })).toMatchObject({ code: 0, lines: ["result hello ann"] });
  expect(existsSync(join(below, ".pawl"))).toBe(false);
});

it("uses PAWL_STORE before any .pawl", async () => {
  await hello("ann");
  const e = await hello("ann", "greet", { env: { PAWL_STORE: `sqlite:${join(dir, "other.db")}` } });
  expect(e.lines).toEqual(["begun", "result hello ann"]);
  expect(existsSync(join(dir, "other.db"))).toBe(true);
});

it("resumes the same id after a kill, and returns a settled id's result without running anything", async () => {
  const crash = { env: { PAWL_CRASH: "greet:D" } };
  expect((await hello("ann", "greet", crash)).signal).toBe("SIGKILL");
  expect((await hello("ann", "greet", crash)).lines).toEqual(["begun", "result hello ann"]);
  expect((await hello("ann", "greet", crash)).lines).toEqual(["result hello ann"]);
  expect(requests(ledger).map((r) => r.fence)).toEqual(["1", "2"]);
});

it("throws a settled id's recorded failure, again and again, and refuses the same id with another input", async () => {
  const failed = "failed PAWL1013 no such town (StepFailed)";
  expect(last(await hello("bob", "fail"))).toBe(failed);
  const again = await hello("bob", "fail");
  expect(again.lines).toEqual([failed]);
  expect(requests(ledger)).toHaveLength(1);
  expect(last(await hello("bob", "greet"))).toMatch(/^failed PAWL4009 /);
  expect((await hello("bob", "greet")).code).toBe(0);
});

it("recovers other runs of what it knows, hands them back when its own has settled, and names what it does not know once", async () => {
  expect((await hello("resting", "rest", { env: { PAWL_CRASH: "greet:C" } })).signal).toBe("SIGKILL");
  const store = await openStore(`sqlite:${storeOf(dir)}`, systemPlatform());
  const client = await connect({ store });
  for (const id of ["x", "y"]) await client.start({ workflow: "elsewhere", allowUnknown: true, id });
  const { runId } = (await client.get("resting"))!;
  expect((await store.run({ runId }))?.owner).not.toBe(null);

  const e = await hello("ann");
  expect(e).toMatchObject({ code: 0, lines: ["begun", "begun", "result hello ann"] });
  expect(e.stderr.split("\n").filter((l) => l.includes("elsewhere"))).toEqual([
    expect.stringContaining("skipped 2 unfinished runs of workflow elsewhere"),
  ]);
  expect(
    requests(ledger)
      .map((r) => `${r.key} ${r.fence}`)
      .toSorted(),
  ).toEqual(["ann 1", "resting 1", "resting 2"]);
  expect(await store.run({ runId })).toMatchObject({ owner: null, status: "RUNNING" });
  expect((await client.get("x"))?.status).toBe("PENDING");
  await store.close();
});

it("a second process attaches to the run instead of racing it", async () => {
  const first = startChild(program, how("eve", "hold"));
  await first.waitForLine("begun");
  const second = startChild(program, how("eve", "hold"));
  const client = await connect({ store: `sqlite:${storeOf(dir)}` });
  await expect.poll(async () => (await client.info()).engines.filter((x) => x.alive).length, { timeout: 20_000 }).toBe(2);
  await client.close();
  writeFileSync(`${ledger}.go`, "");
  expect(await Promise.all([first.ended, second.ended])).toMatchObject([
    { code: 0, lines: ["begun", "result hello eve"] },
    { code: 0, lines: ["result hello eve"] },
  ]);
  expect(requests(ledger)).toHaveLength(1);
});

it("processes that start together in an empty folder make one store and one run", async () => {
  const all = await Promise.all(Array.from({ length: 3 }, () => hello("zoe")));
  for (const e of all) expect(e).toMatchObject({ code: 0, stderr: "" });
  expect(all.map(last)).toEqual(Array.from({ length: 3 }, () => "result hello zoe"));
  expect(requests(ledger)).toHaveLength(1);
});

it("says so when its run waits for a person, also when it came to that before, and goes on with the answer", async () => {
  expect((await hello("kim", "pay", { env: { PAWL_CRASH: "greet:D" } })).signal).toBe("SIGKILL");
  for (let n = 1; n <= 2; n++) {
    const waiting = startChild(program, how("kim", "pay"));
    await waiting.waitForStderr("kim waits for a person: pawl decisions");
    if (n === 1) {
      waiting.signal("SIGKILL");
      await waiting.ended;
      continue;
    }
    const client = await connect({ store: `sqlite:${storeOf(dir)}` });
    const [asked] = await client.decisions();
    await client.resolve(asked?.decisionId ?? "", { by: "ann", reason: "looked", happened: true, result: "paid" });
    await client.close();
    expect(await waiting.ended).toMatchObject({ code: 0, lines: ["result paid"] });
  }
  expect(requests(ledger)).toHaveLength(1);
});

it("a store that is no store, and workflows that are no list, are refused with a code", async () => {
  const one = workflow({ name: "one" }, async () => 1);
  const asked: [object, string][] = [
    [{ store: null }, "PAWL5002"],
    [{ store: 5 }, "PAWL5002"],
    [{ store: "nosuch:db" }, "PAWL5002"],
    [{ store: "" }, "PAWL4071"],
    [{ store: "memory:", workflows: one }, "PAWL5001"],
    [{ store: "memory:", workflows: [{}] }, "PAWL4008"],
  ];
  for (const [o, code] of asked) await expect(engine(o)).rejects.toMatchObject({ code });
  // A path alone is what the command line takes, and what a newcomer writes here.
  await expect(engine({ store: "./shop.db" })).rejects.toMatchObject({
    code: "PAWL5002",
    message: expect.stringContaining('write "sqlite:./shop.db"') as string,
  });
});

it("a misspelt option of engine, start or retry is refused: it would silently not hold", async () => {
  const wf = workflow({ name: "one" }, async (ctx) => {
    await ctx.step("a", () => 1, { repeatable: true });
    throw new Error("no");
  });
  await expect(engine({ store: "memory:", workflow: [wf] } as never)).rejects.toMatchObject({ code: "PAWL5001" });
  const app = await engine({ store: "memory:", workflows: [wf] });
  await expect(app.start(wf, undefined, { ID: "x" } as never)).rejects.toMatchObject({ code: "PAWL5001" });
  const h = await app.start(wf, undefined, { id: "x" });
  await expect(h.signal("go" as never, 1 as never, { signalID: "s" } as never)).rejects.toMatchObject({ code: "PAWL5001" });
  await expect(h.update("set" as never, 1 as never, { updateid: "u" } as never)).rejects.toMatchObject({ code: "PAWL5001" });
  await expect(h.answer("q", 1, { submisionId: "s" } as never)).rejects.toMatchObject({ code: "PAWL5001" });
  await expect(h.result({ timout: "1s" } as never)).rejects.toMatchObject({ code: "PAWL5001" });
  await expect(app.stop({ gracee: "1s" } as never)).rejects.toMatchObject({ code: "PAWL5001" });
  await expect(h.result()).rejects.toMatchObject({ code: "PAWL1013" });
  await expect(h.retry({ dryrun: true } as never)).rejects.toMatchObject({ code: "PAWL5001" });
  await expect(h.retry(5 as never)).rejects.toMatchObject({ code: "PAWL5001" });
  expect((await app.list()).runs.length).toBe(1);
  await app.stop();
});
