// `pawl run` as a user calls it: TypeScript files on this Node, inputs in every form, ends and their exit codes, a death in
// the middle, a second process. Every child is a real process on a store of its own.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { killCommands, orderFile, CliFolder, quickFile } from "./pawl-process.ts";
import { proves } from "../support/proves.ts";

afterEach(killCommands);

it("a TypeScript file runs, its result is on stdout and everything else on stderr", async () => {
  const place = new CliFolder({ "quick.ts": quickFile });
  const text = await place.pawl("run", "./quick.ts", "-P", "text=hello", "-P", "deep.n=4", "--id", "q-1");
  expect(text.code).toBe(0);
  expect(JSON.parse(text.out)).toEqual({ first: 1, input: { text: "hello", deep: { n: 4 } } });
  expect(text.err).toContain("q-1  quick@1  started");
  const again = await place.json("run", "./quick.ts", "-P", "text=hello", "-P", "deep.n=4", "--id", "q-1");
  expect(again).toMatchObject({ workflowId: "q-1", created: false, status: "COMPLETED", result: { first: 1 } });
});

it("a file without a pawl beside it is lent every entry of the package", async () => {
  const { exports } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { exports: object };
  const entries = Object.keys(exports).filter((name) => !/[*]|json$/.test(name));
  expect(entries).toContain("./graph");
  const imports = entries.map((name) => `await import("pawl${name.slice(1)}");`).join("\n");
  const place = new CliFolder({ "all.ts": `${imports}\nexport { quick } from "./quick.ts";`, "quick.ts": quickFile });
  const { code, err } = await place.pawl("run", "./all.ts");
  expect([code, err]).toEqual([0, expect.not.stringContaining("PAWL")]);
});

it("a file that calls run() itself is run as a program, awaited or not; without a call it is refused", async () => {
  const program = (call: string): string => `import { run, workflow } from "pawl";
const nap = workflow({ name: "nap" }, async (ctx) => { await ctx.sleep("nap", "200ms"); return ctx.step("wake", (): string => "woken"); });
${call}`;
  const place = new CliFolder({
    "awaited.ts": program('console.log(await run(nap, undefined, { id: "n-1" }));'),
    "loose.ts": program('run(nap, undefined, { id: "n-2" }).then((x) => { console.log(x); process.exitCode = 3; });'),
    "tested.ts": program(
      'const { testEngine } = await import("pawl/testing"); const t = await testEngine({ workflows: [nap] }); console.log(await t.run(nap)); await t.stop();',
    ),
    "exporting.ts": program(
      'export { nap };\nexport const other = workflow({ name: "other" }, async () => 1);\nconsole.log(await run(nap, undefined, { id: "n-4" }));',
    ),
    "client.ts": `import { connect } from "pawl/client";
const client = await connect({ store: "memory:" });
console.log((await client.list({})).runs.length);
await client.close();`,
    "remote.ts": `import { connect } from "pawl/http";
await (await connect({ url: "http://127.0.0.1:9" })).close();
console.log("closed");`,
    "nothing.ts": program(""),
  });
  expect(await place.pawl("run", "./client.ts")).toEqual({ code: 0, out: "0\n", err: "" });
  expect(await place.pawl("run", "./remote.ts")).toEqual({ code: 0, out: "closed\n", err: "" });
  expect(await place.pawl("run", "./tested.ts")).toEqual({ code: 0, out: "woken\n", err: "" });
  expect(await place.pawl("run", "./awaited.ts")).toEqual({ code: 0, out: "woken\n", err: "" });
  expect(await place.pawl("run", "./loose.ts")).toEqual({ code: 3, out: "woken\n", err: "" });
  expect((await place.json("ls")).runs).toMatchObject([{ workflowId: "n-2" }, { workflowId: "n-1" }]);
  const ends = await place.all([
    ["run", "./nothing.ts"],
    ["run", "./awaited.ts", "--id", "n-3"],
  ]);
  for (const e of ends) expect([e.code, e.err.includes("it exports no workflow")]).toEqual([2, true]);
  // What a program exports is not started as well, unless it is asked for.
  expect(await place.pawl("run", "./exporting.ts")).toEqual({ code: 0, out: "woken\n", err: "" });
  const named = await place.pawl("run", "./exporting.ts#other", "--id", "o-1");
  expect([named.code, named.out, named.err.trim()]).toEqual([0, "woken\n1\n", "o-1  other@1  started"]);
});

it("the input comes from JSON, from a file or from standard input, and -P adds to it", async () => {
  const place = new CliFolder({ "quick.ts": quickFile, "in.json": '{"text":"file"}' });
  const file = await place.json("run", "./quick.ts#quick", "--input", "@in.json", "-P", "deep.n=1");
  expect(file.result.input).toEqual({ text: "file", deep: { n: 1 } });
  const piped = await place.start(["run", "./quick.ts", "--input", "-", "--json"], {}, '{"text":"piped"}').ended;
  expect(JSON.parse(piped.out).result.input).toEqual({ text: "piped" });
});

it("a run that fails ends with exit code 6, its failure on stderr, and can be retried", async () => {
  const place = new CliFolder({ "quick.ts": quickFile });
  const failed = await place.pawl("run", "./quick.ts", "-P", "fail=true", "--id", "q-1", "--json");
  expect(failed.code).toBe(6);
  expect(JSON.parse(failed.out)).toMatchObject({ status: "FAILED", category: "FAILED" });
  expect(JSON.parse(failed.err.trim().split("\n").at(-1) ?? "")).toMatchObject({
    code: "PAWL1013",
    title: "RunFailed",
    detail: "the bank said no",
  });
  const dry = await place.json("retry", "q-1", "--dry-run");
  expect(dry.steps.map((s: { stepId: string; outlook: string }) => [s.stepId, s.outlook])).toEqual([
    ["first", "kept"],
    ["second", "may repeat"],
  ]);
  const retried = await place.pawl("retry", "q-1", "--reason", "the bank is back");
  expect(retried.code).toBe(0);
  expect(retried.err).toContain("queued: no engine that serves quick is alive");
  expect((await place.json("inspect", "q-1")).status).toBe("PENDING");
});

it("a run that is killed goes on when the same command is given again, and its charge is not repeated", async () => {
  const place = new CliFolder({ "order.ts": orderFile });
  const command = ["run", "./order.ts", "-P", "id=o-1", "-P", "cents=500", "--id", "o-1"];
  const dead = await place.start(command, { PAWL_CRASH: "charge:E" }).ended;
  expect(dead.code).toBe(null);
  const second = place.start(command);
  await place.until("o-1", (r) => r.waiting === "signal");
  const signal = await place.json("signal", "o-1", "approved", "-P", "by=ann", "--signal-id", "mail-1");
  expect(signal).toMatchObject({
    replayed: false,
    result: { accepted: true, workflowId: "o-1", signalName: "approved", signalId: "mail-1" },
  });
  const { code, out } = await second.ended;
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({ id: "o-1", by: "ann" });
  expect(readFileSync(join(place.dir, "charges"), "utf8")).toBe("500\n");
  expect(await place.json("signal", "o-1", "approved", "-P", "by=bob", "--signal-id", "mail-1")).toMatchObject({
    replayed: true,
    result: { signalId: "mail-1" },
  });
});

it("an interrupt hands the run back and ends with exit code 130", async () => {
  const place = new CliFolder({ "order.ts": orderFile });
  const running = place.start(["run", "./order.ts", "-P", "id=o-1", "--id", "o-1"]);
  await place.until("o-1", (r) => r.waiting === "signal");
  running.child.kill("SIGINT");
  const { code, err } = await running.ended;
  expect(code).toBe(130);
  expect(err).toContain("--id o-1 continues it");
  expect((await place.json("inspect", "o-1")).status).toBe("RUNNING");
  expect((await place.json("doctor")).store.engines.filter((e: { alive: boolean }) => e.alive)).toEqual([]);
});

it("an effect in doubt ends the wait with exit code 8 and is shown by inspect, ls and doctor", proves("K27"), async () => {
  const place = new CliFolder({
    "once.ts": `import { workflow } from "pawl";
export default workflow({ name: "once" }, async (ctx) => ctx.step("send", () => 1, { once: true }));`,
  });
  await place.start(["run", "./once.ts", "--id", "o-1"], { PAWL_CRASH: "send:C" }).ended;
  const stuck = await place.pawl("run", "./once.ts", "--id", "o-1");
  expect(stuck.code).toBe(8);
  expect(stuck.err).toContain("PAWL2001");
  expect(await place.json("inspect", "o-1")).toMatchObject({ status: "RUNNING", waiting: "decision" });
  expect((await place.json("ls", "running")).runs).toMatchObject([{ workflowId: "o-1", waiting: "decision" }]);
  expect((await place.pawl("inspect", "o-1")).out).toMatch(/needs a decision; no engine serves it\n└─ \? send +in doubt/);
  const doctor = await place.pawl("doctor", "--json");
  expect(doctor.code).toBe(8);
  expect(JSON.parse(doctor.out).decisions).toMatchObject([{ workflowId: "o-1", code: "PAWL2001" }]);
  const resumed = await place.pawl("resume", "o-1");
  expect([resumed.code, resumed.err.includes("PAWL2001")]).toEqual([8, true]);
});

it("a name is recorded for an engine that serves it, with its version, and --wait waits for that engine", async () => {
  const place = new CliFolder({ "quick.ts": quickFile, "order.ts": orderFile });
  expect((await place.pawl("run", "quick")).code).toBe(10);
  await place.pawl("run", "./quick.ts");
  const queued = await place.pawl("run", "quick", "--id", "named", "-P", "text=x");
  expect([queued.code, queued.out]).toEqual([0, "named\n"]);
  expect(queued.err).toContain("queued: no engine that serves quick is alive");
  const late = await place.pawl("run", "quick", "--id", "named", "-P", "text=x", "--wait", "--timeout", "1ms");
  expect([late.code, late.err.includes("PAWL4006")]).toEqual([7, true]);
  const waiting = place.start(["run", "quick", "--id", "named", "-P", "text=x", "--wait"]);
  await waiting.saw("queued");
  await place.pawl("run", "./quick.ts", "--id", "other");
  expect(JSON.parse((await waiting.ended).out)).toEqual({ first: 1, input: { text: "x" } });
});

it("--no-wait records the start with the file's version and runs nothing", async () => {
  const place = new CliFolder({ "order.ts": orderFile });
  const started = await place.json("run", "./order.ts", "-P", "id=o-1", "--id", "o-1", "--no-wait", "--tag", "shop=ulm");
  expect(started).toMatchObject({ workflowId: "o-1", created: true });
  expect(await place.json("inspect", "o-1")).toMatchObject({ status: "PENDING", version: "3", steps: [], tags: { shop: "ulm" } });
});

it("what cannot be run is refused with its code, its place and no stack trace", async () => {
  const place = new CliFolder({
    "quick.ts": quickFile,
    "two.ts": `import { workflow } from "pawl";\nexport const a = workflow({ name: "a" }, async () => 1);\nexport const b = workflow({ name: "b" }, async () => 2);`,
    "none.ts": "export const x = 1;",
    "broken.ts": "export const = 1;",
    "throws.ts": 'throw new Error("no config");',
    "missing.ts": 'import "not-a-package";',
  });
  const cases: [string[], number, string][] = [
    [["run", "./gone.ts"], 2, "there is no such file"],
    [["run", "./two.ts"], 2, "name one after #: a, b"],
    [["run", "./two.ts#c"], 2, "it exports no workflow c"],
    [["run", "./none.ts"], 2, "it exports no workflow"],
    [["run", "./broken.ts"], 2, "PAWL5005"],
    [["run", "./throws.ts"], 2, "no config"],
    [["run", "./missing.ts"], 2, "not-a-package"],
    [["run", "./quick.ts", "--input", "{"], 2, "--input is not JSON"],
    [["run", "./quick.ts", "--input", "@gone.json"], 2, "there is no file gone.json"],
    [["run", "./quick.ts", "--input", "[]", "-P", "a=1"], 2, "to be an object"],
    [["run", "./quick.ts", "-P", "a"], 2, "name=value"],
    [["run", "./quick.ts", "--id", "a|b"], 2, "PAWL1001"],
    [["run", "./quick.ts", "--deadline", "soon"], 2, "PAWL1002"],
    [["run", "./quick.ts", "--on-conflict", "fight"], 2, "attach, reject or restart"],
    [["run"], 2, "missing required argument"],
  ];
  const ends = await place.all(cases.map(([args]) => args));
  for (const [i, [args, code, text]] of cases.entries()) {
    const ended = ends[i]!;
    expect([args.join(" "), ended.code], ended.err).toEqual([args.join(" "), code]);
    expect(ended.err).toContain(text);
    expect(ended.err).toMatch(/\n {2}fix /);
    expect(ended.err).not.toMatch(/\n\s+at .*:\d+:\d+/);
  }
  expect((await place.start(["run", "./throws.ts"], { PAWL_DEBUG: "1" }).ended).err).toMatch(/caused by Error: no config/);
});

it("the same id with another input is a conflict", async () => {
  const place = new CliFolder({ "quick.ts": quickFile });
  await place.pawl("run", "./quick.ts", "--id", "q", "-P", "text=a");
  const other = await place.pawl("run", "./quick.ts", "--id", "q", "-P", "text=b");
  expect([other.code, other.err.includes("PAWL4009")]).toEqual([5, true]);
});

it("workflow code that reads the machine is warned about with its line, and runs; not so in production", async () => {
  const clock = `import { workflow } from "pawl";
interface Gone {
  readonly before: "it runs";
}
export const clock = workflow({ name: "clock" }, async (ctx) => {
  const at = Date.now();
  return ctx.step("age", () => Date.now() - at >= 0);
});
`;
  const place = new CliFolder({ "clock.ts": clock });
  const warned = await place.pawl("run", "./clock.ts");
  expect([warned.code, warned.out]).toEqual([0, "true\n"]);
  expect(warned.err).toContain(
    "pawl warn: Date.now() in the code of workflow clock is not the same on every replay: use ctx.now().getTime()\n",
  );
  expect(warned.err).toContain("clock.ts:6:");
  expect(warned.err).toContain("> 6 |   const at = Date.now();");
  expect(warned.err.match(/Date\.now\(\) in the code/g)).toHaveLength(1);
  expect((await place.start(["run", "./clock.ts"], { NODE_ENV: "production" }).ended).err).not.toContain("Date.now()");
});

const mistakes = `import { workflow } from "pawl";
const text = { "~standard": { version: 1, vendor: "test", validate: ({ id }) => (typeof id === "string" ? { value: { id } } : { issues: [{ message: "expected string" }] }) } } as never;
const none = undefined as unknown as { name: string };
export const code = workflow({ name: "code" }, async () => none.name);
export const step = workflow({ name: "step" }, async (ctx) => {
  await ctx.step("read", () => none.name, { retry: { attempts: 1 } });
});
export const world = workflow({ name: "world" }, async (ctx) => {
  await ctx.step("fetch", () => { throw new TypeError("fetch failed", { cause: new Error("refused") }); }, { retry: { attempts: 1 } });
});
export const nested = workflow({ name: "nested" }, async (ctx) => ctx.step("outer", () => ctx.step("inner", () => 1)));
export const named = workflow({ name: "text", input: text }, async (_, { id }: { id: string }) => id);
`;

it("a mistake in the code is logged with its line; what the world refused is not", async () => {
  const place = new CliFolder({ "mistakes.ts": mistakes });
  const [code, step, world] = await place.all([
    ["run", "./mistakes.ts#code", "--id", "c"],
    ["run", "./mistakes.ts#step", "--id", "s"],
    ["run", "./mistakes.ts#world", "--id", "w"],
  ]);
  expect([code?.code, code?.err]).toEqual([
    6,
    expect.stringMatching(/the code of workflow code threw TypeError at mistakes\.ts:4:\d+: Cannot read/),
  ]);
  expect([step?.code, step?.err]).toEqual([
    6,
    expect.stringMatching(/step read of workflow step threw TypeError at mistakes\.ts:6:\d+: Cannot read/),
  ]);
  expect([world?.code, world?.err.includes("threw TypeError")]).toEqual([6, false]);
});

it("a call that Pawl refused is explained by its own code, and a number that should be text by how to write it", async () => {
  const place = new CliFolder({ "mistakes.ts": mistakes });
  const [nested, number, right] = await place.all([
    ["run", "./mistakes.ts#nested", "--id", "n"],
    ["run", "./mistakes.ts#named", "--id", "t", "-P", "id=17"],
    ["run", "./mistakes.ts#named", "--id", "t", "-P", 'id="17"'],
  ]);
  expect([nested?.code, nested?.err]).toEqual([6, expect.stringContaining("pawl explain PAWL1013, pawl explain PAWL1030")]);
  expect([number?.code, number?.err]).toEqual([2, expect.stringContaining(`for text write -P 'id="17"'`)]);
  expect([right?.code, right?.out]).toEqual([0, "17\n"]);
});
