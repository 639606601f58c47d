// The commands of operators, as people call them: workflows, engines, batch, ls --count, inspect with its reason, timeline and check. Each is run as a
// process on a store in a folder of its own.
import { afterEach, expect, it } from "vitest";
import { CliFolder, killCommands } from "./pawl-process.ts";

afterEach(killCommands);

const bank = `import { workflow } from "pawl";
import { existsSync } from "node:fs";
export const bank = workflow({ name: "bank" }, (ctx) => ctx.step("pay", () => {
  if (!existsSync("up")) throw new Error("the bank is down");
  return 1;
}));`;

it("a failed run is counted, looked at and retried by a batch that this process works", async () => {
  const place = new CliFolder({ "bank.ts": bank });
  expect((await place.pawl("run", "./bank.ts", "--id", "b-1")).code).not.toBe(0);
  expect((await place.pawl("ls", "--count")).out).toMatch(/FAILED +1\nbank +1\n/);
  expect(await place.json("ls", "--count", "--workflow", "bank")).toMatchObject({ byStatus: { FAILED: 1 } });
  expect((await place.pawl("ls", "--count", "b-1")).err).toContain("--count takes filters");
  expect((await place.json("inspect", "b-1")).because).toMatchObject({ code: "ended" });
  expect((await place.pawl("inspect", "b-1", "--timeline")).out).toMatch(/^pay +█+ .* FAILED\n$/);
  const check = await place.pawl("inspect", "b-1", "--check");
  expect([check.code, check.out]).toEqual([
    0,
    expect.stringMatching(/^ok {2}[0-9a-f-]+\nlog: fits the tables\nledger: fits the log\nchain root: [0-9a-f]{64}\n/),
  ]);

  const order = ["batch", "create", "--status", "FAILED", "--workflow", "bank", "--action", "retry"];
  const missing = await place.pawl(...order);
  expect([missing.code, missing.err.includes("PAWL4090")]).toEqual([2, true]);
  expect((await place.pawl(...order, "--reason", "bank is back", "--dry-run")).out).toMatch(/^1 runs match; nothing was done\n/);
  expect((await place.pawl("batch", "ls")).err).toContain("no batches");
  const made = await place.json(...order, "--reason", "bank is back", "--wait");
  expect(made).toMatchObject({ state: "done", done: 1, skipped: 0, failed: 0 });
  expect((await place.pawl("batch", "get", String(made.batchId))).out).toContain("retry  done  1 done, 0 skipped, 0 failed");
  expect((await place.pawl("batch", "ls")).out).toContain("bank is back");
  expect((await place.pawl("batch", "get", "nothing")).code).toBe(4);
  const waiting = await place.pawl("inspect", "b-1");
  expect(waiting.out).toContain(
    "why: No engine that has workflow bank is alive.\nwhat to do: Start a process whose engine has workflow bank",
  );
});

it("workflows and engines are listed; a paused one says so until it is resumed", async () => {
  const place = new CliFolder({ "bank.ts": bank });
  await place.pawl("run", "./bank.ts", "--id", "b-1");
  expect((await place.pawl("workflows")).out).toMatch(/^bank +1 +1 version +\S+ +no engine\n$/);
  expect((await place.pawl("workflows", "pause", "bank", "--reason", "closed")).out).toContain("bank is paused");
  expect((await place.pawl("workflows")).out).toContain("paused: closed");
  await place.pawl("run", "bank", "--id", "b-2");
  expect((await place.json("inspect", "b-2")).because).toMatchObject({ code: "workflow-paused", fix: "pawl workflows resume bank" });
  expect((await place.pawl("workflows", "resume", "bank")).code).toBe(0);
  expect((await place.json("inspect", "b-2")).because).toMatchObject({ code: "no-engine" });
  expect((await place.pawl("workflows", "pause", "nothing")).code).toBe(4);
  expect((await place.pawl("workflows", "explode")).code).toBe(2);
  const unknown = await place.pawl("run", "bnak");
  expect([unknown.code, unknown.err.includes("PAWL4008")]).toEqual([4, true]);
  expect((await place.pawl("run", "bnak", "--allow-unknown")).err).toContain("not checked: no engine has published workflow bnak");
  expect((await place.pawl("engines")).err).toContain("no engine");
  expect((await place.pawl("engines", "drain", "nothing")).code).toBe(4);
});

it("pawl worker says of a queue that none of its tasks names that only steps come which were sent there by name", async () => {
  const file = `import { task } from "pawl";
const input = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const;
export const mail = task({ name: "mail", input }, () => 1, { queue: "mails" });
`;
  const place = new CliFolder({ "mail.ts": file });
  await place.pawl("init");
  const worker = place.start(["worker", "./mail.ts", "--queue", "mails", "--queue", "mials"]);
  await worker.saw("queue mials");
  worker.child.kill("SIGTERM");
  const { err } = await worker.ended;
  expect(err).toContain("no task of ./mail.ts names queue mials");
  expect(err).not.toContain("names queue mails");
});
