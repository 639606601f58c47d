// The commands that look: ls, inspect, events, tail. Each in text and as JSON, with its filters and its bounds. Looking
// changes nothing and makes nothing.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { dropSchema, freshPlace, raw } from "../postgres/bundle.ts";
import { killCommands, orderFile, CliFolder, quickFile } from "./pawl-process.ts";
import { proves } from "../support/proves.ts";

afterEach(killCommands);

it("ls lists runs newest first, by status, workflow, tag and text, page by page", async () => {
  const place = new CliFolder({ "quick.ts": quickFile });
  await place.pawl("run", "./quick.ts", "--id", "shop-1", "--tag", "town=ulm");
  await place.pawl("run", "./quick.ts", "--id", "shop-2", "-P", "fail=true");
  await place.pawl("run", "./quick.ts", "--id", "mill-3", "--no-wait");
  const idsOf = (page: { runs: { workflowId: string }[] }): string[] => page.runs.map((r) => r.workflowId);
  expect(idsOf(await place.json("ls"))).toEqual(["mill-3", "shop-2", "shop-1"]);
  expect(idsOf(await place.json("ls", "failed"))).toEqual(["shop-2"]);
  expect(idsOf(await place.json("ls", "--status", "PENDING,COMPLETED"))).toEqual(["mill-3", "shop-1"]);
  expect(idsOf(await place.json("ls", "--tag", "town=ulm"))).toEqual(["shop-1"]);
  expect(idsOf(await place.json("ls", "--workflow", "other"))).toEqual([]);
  expect(idsOf(await place.json("ls", "SHOP-"))).toEqual(["shop-2", "shop-1"]);
  const failed = (await place.json("ls", "failed")) as { runs: { errorCode: string; createdAt: string }[] };
  expect(failed.runs[0]?.errorCode).toBe("Error");
  expect(idsOf(await place.json("ls", "--error-code", "Error"))).toEqual(["shop-2"]);
  expect(idsOf(await place.json("ls", "--error-code", "E"))).toEqual([]);
  expect(idsOf(await place.json("ls", "--since", failed.runs[0]?.createdAt ?? "", "--until", "0s"))).toEqual(["mill-3", "shop-2"]);
  expect(idsOf(await place.json("ls", "--until", "1h"))).toEqual([]);
  expect(idsOf(await place.json("ls", "--parent", "shop-1"))).toEqual([]);
  expect(idsOf(await place.json("ls", "--waiting", "signal"))).toEqual([]);
  const odd = await place.pawl("ls", "--waiting", "godot");
  expect([odd.code, odd.err]).toEqual([2, expect.stringContaining("PAWL4011")]);
  const note = /--since (\S+) --cursor (\S+)/.exec((await place.pawl("ls", "--since", "1h", "--limit", "2")).err);
  expect(idsOf(await place.json("ls", "--since", note?.[1] ?? "", "--cursor", note?.[2] ?? ""))).toEqual(["shop-1"]);
  const other = await place.pawl("ls", "failed", "--cursor", note?.[2] ?? "");
  expect([other.code === 0, other.err]).toEqual([false, expect.stringContaining("PAWL4082")]);
  const first = await place.json("ls", "shop-", "--limit", "1");
  expect(idsOf(first)).toEqual(["shop-2"]);
  expect(idsOf(await place.json("ls", "shop-", "--limit", "1", "--cursor", first.cursor))).toEqual(["shop-1"]);
  const text = await place.pawl("ls");
  expect(text.out).toMatch(/^ID +WORKFLOW +STATUS +WAITING +STARTED\nmill-3 +quick@1 +PENDING/);
  const lines = (await place.pawl("ls", "--jsonl")).out.trim().split("\n");
  expect(lines.map((l) => (JSON.parse(l) as { status: string }).status)).toEqual(["PENDING", "FAILED", "COMPLETED"]);
  expect((await place.pawl("ls", "--ids", "completed")).out).toMatch(/^[0-9a-f-]{36}\n$/);
});

it("a looking command makes no store: without one it says so with exit code 10", async () => {
  const place = new CliFolder();
  const ends = await place.all([["ls"], ["inspect", "x"], ["doctor"], ["--store", "sqlite:gone.db", "ls"], ["signal", "x", "y"]]);
  for (const e of ends) {
    expect(e.code).toBe(10);
    expect(e.err).toContain("PAWL5006");
  }
  expect(existsSync(join(place.dir, ".pawl"))).toBe(false);
  expect(existsSync(join(place.dir, "gone.db"))).toBe(false);
  const named = await place.start(["ls", "--json"], { PAWL_STORE: "sqlite:also-gone.db" }).ended;
  expect(JSON.parse(named.err)).toMatchObject({ code: "PAWL5006", title: "NoStoreHere" });
});

it("a looking command makes no store on a server either, and shows no password", async () => {
  const { url, schema } = await freshPlace();
  const named = new URL(url);
  named.password ||= "s3cret";
  const store = ["--store", named.href];
  const place = new CliFolder({ "quick.ts": quickFile });
  try {
    for (const e of await place.all([
      ["ls", ...store],
      ["doctor", "--json", ...store],
      ["run", "quick", ...store],
    ])) {
      expect(e.code).toBe(10);
      expect(e.err).toContain(`schema ${schema} has no store`);
      expect(e.err).toContain(":***@");
      expect(e.err).not.toContain(named.password);
    }
    const c = await raw(url);
    expect((await c.query({ text: "select 1 as n from pg_namespace where nspname = $1", values: [schema] })).rows).toEqual([]);
    await c.end();
    await place.pawl("run", "./quick.ts", "--no-wait", ...store);
    const seen = await place.pawl("doctor", ...store);
    expect(seen.out).toContain(":***@");
    expect(seen.out).not.toContain(`:${named.password}@`);
    expect(seen.out).toContain("hints=notify");
  } finally {
    await dropSchema(url, schema);
  }
});

it("an unknown run is exit code 4, whatever is asked of it", async () => {
  const place = new CliFolder({ "quick.ts": quickFile });
  await place.pawl("run", "./quick.ts");
  const ends = await place.all([
    ["inspect", "nope"],
    ["events", "nope"],
    ["signal", "nope", "x"],
    ["update", "nope", "x"],
    ["cancel", "nope"],
    ["retry", "nope"],
  ]);
  for (const e of ends) {
    expect(e.code).toBe(4);
    expect(e.err).toMatch(/^PAWL4001 RunNotFound: there is no run nope\n {2}at {4}sqlite:/);
    expect(e.err).toContain("the tenant");
  }
  const [none] = await place.all([["ls", "--tenant", "acme"]]);
  expect(none!.err).toContain("no runs of tenant acme/default/default");
});

it("inspect shows the tree: guarantees, tries, take-overs, what the run waits for and how to send it", async () => {
  const place = new CliFolder({ "order.ts": orderFile });
  const command = ["run", "./order.ts", "-P", "id=o-1", "-P", "cents=5", "--id", "o-1"];
  await place.start(command, { PAWL_CRASH: "charge:D" }).ended;
  const running = place.start(command);
  await place.until("o-1", (r) => r.waiting === "signal");
  const { out } = await place.pawl("inspect", "o-1");
  expect(out).toMatch(/^o-1 {2}order@3 {2}RUNNING {2}waiting for signal approved\n/);
  expect(out).toMatch(/├─ ✔ charge +\d+(\.\d+)?m?s +keyed order-1 · crash, taken over at \+\d+(\.\d+)?m?s \(fence 2\)\n/);
  expect(out).toMatch(/└─ ◌ approved +waiting +send: pawl signal o-1 approved\n/);
  const watching = place.start(["inspect", "o-1", "--watch"]);
  await watching.saw("waiting for signal");
  await place.pawl("signal", "o-1", "approved", "-P", "by=ann");
  const watched = await watching.ended;
  expect(watched.code).toBe(0);
  expect(watched.out).toContain('result: {"id":"o-1","by":"ann"}');
  await running.ended;
  const data = await place.json("inspect", "o-1");
  expect(data).toMatchObject({ workflowId: "o-1", status: "COMPLETED", result: { by: "ann" } });
  expect(data.steps).toMatchObject([
    { stepId: "charge", kind: "effect", class: "KEYED", status: "SUCCESS", engineAttempts: 2 },
    { stepId: "approved", kind: "signal", status: "SUCCESS" },
  ]);
});

it("events prints the log, whole or after an event, and follows it to the run's end", async () => {
  const place = new CliFolder({ "order.ts": orderFile });
  const running = place.start(["run", "./order.ts", "--id", "o-1"]);
  await place.until("o-1", (r) => r.waiting === "signal");
  const following = place.start(["events", "o-1", "-f", "--jsonl"]);
  await following.saw("StepCompleted");
  await place.pawl("signal", "o-1", "approved", "-P", "by=ann");
  const { code, out } = await following.ended;
  await running.ended;
  expect(code).toBe(0);
  const types = out
    .trim()
    .split("\n")
    .map((l) => (JSON.parse(l) as { eventType: string }).eventType);
  expect(types).toEqual(["RunStarted", "StepStarted", "StepCompleted", "StepStarted", "StepCompleted", "RunCompleted"]);
  const [text, after, limited, both] = await place.all([
    ["events", "o-1"],
    ["events", "o-1", "--after", "4", "--json"],
    ["events", "o-1", "--limit", "2", "--jsonl"],
    ["events", "o-1", "--json", "-f"],
  ]);
  expect(text?.out).toMatch(/ {4}2 {2}StepStarted {2}charge {2}effect · keyed\n/);
  expect((JSON.parse(after?.out ?? "") as unknown[]).length).toBe(2);
  expect(limited?.out.trim().split("\n").length).toBe(2);
  expect(both?.code).toBe(2);
});

it("tail prints what all runs record from now on, up to its limit", async () => {
  const place = new CliFolder({ "quick.ts": quickFile });
  await place.pawl("run", "./quick.ts", "--id", "before");
  const tailing = place.start(["tail", "--limit", "12", "--jsonl"]);
  await tailing.saw("following");
  await place.pawl("run", "./quick.ts", "--id", "one");
  await place.pawl("run", "./quick.ts", "--id", "two");
  const { code, out } = await tailing.ended;
  expect(code).toBe(0);
  const types = out
    .trim()
    .split("\n")
    .map((l) => (JSON.parse(l) as { eventType: string }).eventType);
  expect(types.length).toBe(12);
  expect(types.filter((t) => t === "RunCompleted").length).toBe(2);
  const idle = place.start(["tail"]);
  await idle.saw("following");
  idle.child.kill("SIGINT");
  expect((await idle.ended).code).toBe(130);
});

it("colours are for terminals: a pipe and NO_COLOR get none, FORCE_COLOR gets them", async () => {
  const place = new CliFolder({ "quick.ts": quickFile });
  await place.pawl("run", "./quick.ts", "--id", "q");
  expect((await place.pawl("inspect", "q")).out).not.toContain("\u001B[");
  expect((await place.start(["inspect", "q"], { FORCE_COLOR: "1" }).ended).out).toContain("\u001B[");
  expect((await place.start(["inspect", "q"], { FORCE_COLOR: "1", NO_COLOR: "1" }).ended).out).not.toContain("\u001B[");
});

it("inspect shows input, views, result and owner; whole values with --full; and that no engine serves a waiting run", async () => {
  const place = new CliFolder({
    "wide.ts": `import { workflow } from "pawl";
const any = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } } as never;
export const wide = workflow({ name: "wide", input: any, signals: { go: any }, views: { state: any } }, async (ctx, input) => {
  ctx.publish("state", { at: "begun" });
  await ctx.step("long", () => ({ text: "x".repeat(300) + "end" }), { repeatable: true });
  await ctx.step("bad", () => { throw new Error("y".repeat(150) + "tail"); }, { repeatable: true }).catch(() => {});
  await ctx.receive("go");
  return { done: true };
});
`,
  });
  await place.pawl("run", "./wide.ts", "--id", "w-1", "-P", "orderId=o-7", "--timeout", "1s");
  const waiting = (await place.pawl("inspect", "w-1")).out;
  expect(waiting).toMatch(/^w-1 {2}wide@1 {2}RUNNING {2}waiting for signal go; no engine serves it\n/);
  expect(waiting).toContain('\ninput: {"orderId":"o-7"}\nview state: {"at":"begun"}\n');
  expect(waiting).not.toContain("xend");
  expect(waiting).not.toContain("ytail");
  const full = (await place.pawl("inspect", "w-1", "--full")).out;
  expect(full).toContain("xend");
  expect(full).toContain("ytail");
  expect((await place.pawl("ls")).out).toMatch(/^w-1 +wide@1 +RUNNING +signal; no engine serves it/m);
  const data = await place.json("inspect", "w-1");
  expect(data).toMatchObject({ served: false, input: { orderId: "o-7" }, views: { state: { at: "begun" } } });
  expect(data.steps[0].result.text).toMatch(/xend$/);

  const live = place.start(["run", "./wide.ts", "--id", "w-1", "-P", "orderId=o-7"]);
  await live.saw("was started before");
  for (;;) {
    const seen = await place.json("inspect", "w-1");
    if (seen.served !== true) continue;
    if (seen.owner !== undefined) expect((await place.pawl("inspect", "w-1")).out).toMatch(/\nowner: engine /);
    break;
  }
  await place.pawl("signal", "w-1", "go", "--payload", "1");
  expect((await live.ended).code).toBe(0);
  expect((await place.pawl("inspect", "w-1")).out).toContain('result: {"done":true}\n');
});

it("--tenant, or PAWL_TENANT, says whose runs are started, shown and changed", proves("I11"), async () => {
  const place = new CliFolder({ "quick.ts": quickFile });
  await place.pawl("run", "./quick.ts", "--id", "a-1", "--tenant", "acme");
  await place.pawl("run", "./quick.ts", "--id", "b-1", "--tenant", "acme/shop/prod", "--no-wait");
  await place.pawl("run", "./quick.ts", "--id", "c-1");
  const ids = async (...args: string[]): Promise<string[]> =>
    (await place.json<{ runs: { workflowId: string }[] }>("ls", ...args)).runs.map((r) => r.workflowId);
  expect(await ids()).toEqual(["c-1"]);
  expect(await ids("--tenant", "acme")).toEqual(["a-1"]);
  expect(await ids("--tenant", "acme/shop/prod")).toEqual(["b-1"]);
  const named = await place.start(["ls", "--ids"], { PAWL_TENANT: "acme" }).ended;
  expect(named.out.trim().split("\n").length).toBe(1);
  expect((await place.pawl("terminate", "b-1", "--yes", "--tenant", "acme")).code).toBe(4);
  expect((await place.pawl("terminate", "b-1", "--yes", "--tenant", "acme/shop/prod")).code).toBe(0);
  for (const wrong of ["", "a/b/c/d", "a//c", "x|y"]) expect((await place.pawl("ls", "--tenant", wrong)).code).toBe(2);
});

it("why says of any run why it is not further, with its open steps and what to do", async () => {
  const place = new CliFolder({
    "wait.ts": `import { workflow } from "pawl";
const any = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } } as never;
export default workflow({ name: "wait", signals: { paid: any } }, async (ctx) => {
  await ctx.step("ask", () => 1);
  return ctx.receive("paid");
});
`,
  });
  const owner = place.start(["run", "./wait.ts", "--id", "w-1"]);
  await place.until("w-1", (r) => r.waiting === "signal");
  const why = await place.pawl("why", "w-1");
  expect([why.code, why.out]).toEqual([
    0,
    expect.stringMatching(/^RUNNING: It waits for signal paid\.\nwhat to do: pawl signal w-1 paid .*\npaid +running /),
  ]);
  expect(await place.json("why", "w-1", "ask")).toMatchObject({
    status: "RUNNING",
    because: { code: "signal" },
    steps: [{ stepId: "ask", readiness: "succeeded" }],
  });
  const unknown = await place.pawl("why", "w-1", "aks");
  expect([unknown.code, unknown.err]).toEqual([4, expect.stringContaining("has no step aks")]);
  owner.child.kill("SIGTERM");
  await owner.ended;
});
