// gc, hold, release, export and import as commands: what they print, what they ask for, their exit codes. What they do to a store
// is proved in test/archive.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { killCommands, CliFolder, quickFile } from "./pawl-process.ts";

afterEach(killCommands);

it("gc says what it would remove, removes it, and says what it kept and why", { timeout: 120_000 }, async () => {
  const place = new CliFolder({ "quick.ts": quickFile });
  for (const id of ["q-1", "q-2"]) await place.pawl("run", "./quick.ts", "--id", id);
  const [none, backwards, held, listed] = await place.all([
    ["gc"],
    ["gc", "--keep-runs", "2d", "--keep-keys", "1d"],
    ["hold", "q-2", "--by", "ann", "--reason", "case 17", "--json"],
    ["hold", "q-2"],
  ]);
  expect([none?.code, backwards?.code, listed?.code]).toEqual([2, 2, 2]);
  expect(JSON.parse(held?.out ?? "")).toMatchObject({ workflowId: "q-2", by: "ann", reason: "case 17" });
  expect((await place.json("hold")).holds).toMatchObject([{ workflowId: "q-2", by: "ann" }]);

  const dry = await place.json("gc", "--keep-runs", "0ms", "--dry-run");
  expect(dry).toMatchObject({ dryRun: true, looked: 2, purged: 1, kept: { held: 1 } });
  expect((await place.json("inspect", "q-1")).purgedAt).toBeUndefined();
  const done = await place.pawl("gc", "--keep-runs", "0ms");
  expect([done.code, done.out]).toEqual([0, "2 runs looked at: payloads of 0 removed, logs of 1, keys of 0\n1 kept: they are held\n"]);
  expect((await place.pawl("inspect", "q-1")).out).toMatch(/^q-1 .*COMPLETED[^\n]*\nits log was removed on 2\d{3}-/);
  expect((await place.pawl("events", "q-1")).code).toBe(4);

  expect((await place.pawl("release", "q-2", "--by", "ann", "--reason", "closed")).out).toContain("released; ann held it since");
  expect((await place.pawl("release", "q-2", "--by", "ann", "--reason", "closed")).code).toBe(5);
  await place.pawl("gc", "--keep-payloads", "0ms");
  expect((await place.pawl("inspect", "q-2")).out).toContain("its payloads were removed on ");
  expect(await place.json("gc", "--keep-runs", "0ms", "--keep-keys", "0ms")).toMatchObject({ purged: 1, forgotten: 2 });
});

it("export and import carry runs over, and refuse what is not an export", { timeout: 120_000 }, async () => {
  const place = new CliFolder({ "quick.ts": quickFile });
  await place.pawl("run", "./quick.ts", "--id", "q-1");
  await place.pawl("run", "./quick.ts", "--id", "q-2", "--no-wait");
  const [nobody, both, live] = await place.all([["export"], ["export", "q-1", "--all"], ["export", "q-2"]]);
  expect([nobody?.code, both?.code, live?.code]).toEqual([2, 2, 5]);
  expect(existsSync(join(place.dir, "pawl-export.jsonl.gz"))).toBe(false);

  const nowhere = await place.pawl("export", "q-2", "--move", "-o", "no/such/runs.jsonl");
  expect([nowhere.code, nowhere.err.includes("no/such/runs.jsonl.part: there is no such file or folder")]).toEqual([2, true]);
  expect((await place.pawl("inspect", "q-2")).out).not.toContain("moved"); // nothing is fenced for a file that cannot be written

  const moved = await place.pawl("export", "q-2", "--move", "-o", "runs.jsonl");
  expect([moved.code, moved.out]).toEqual([0, "runs.jsonl\n"]);
  const exportId = /^export (\S+)$/m.exec(moved.err)?.[1] ?? "?";
  expect((await place.pawl("export", "q-1", "-o", "runs.jsonl")).code).toBe(5); // the file is there
  expect((await place.pawl("inspect", "q-2")).out).toContain(`moved to another store by export ${exportId}`);
  const again = await place.pawl("run", "./quick.ts", "--id", "q-2", "--no-wait");
  expect([again.code, again.err.includes("PAWL4042")]).toEqual([5, true]);

  const there = ["--store", "sqlite:there.db"];
  expect(await place.json("import", "runs.jsonl", ...there)).toMatchObject({ exportId, runs: 1, added: 1 });
  expect(await place.json("import", "runs.jsonl", ...there)).toMatchObject({ exportId, runs: 1, added: 0 });
  expect((await place.json("run", "./quick.ts", "--id", "q-2", ...there)).status).toBe("COMPLETED");

  expect((await place.pawl("ls")).out).toMatch(/^q-2 +quick@1 +MOVED +continues in another store/m);
  const none = await place.pawl("export", "--undo", "nobody", "--yes");
  expect([none.code, none.err.includes("no run here was moved by export nobody")]).toEqual([4, true]);
  const empty = new CliFolder();
  await empty.pawl("migrate", "--store", "sqlite:e.db");
  const nothing = await empty.pawl("export", "--all", "--store", "sqlite:e.db");
  expect([nothing.code, nothing.err.includes("there is no run to export")]).toEqual([4, true]);
  expect(existsSync(join(empty.dir, "pawl-export.jsonl.gz"))).toBe(false);
  place.write("bad.jsonl", '{"no":"export"}\n');
  const bad = await place.pawl("import", "bad.jsonl", ...there);
  expect([bad.code, bad.err.includes("PAWL4043")]).toEqual([9, true]);
  expect((await place.pawl("import", "none.jsonl", ...there)).code).toBe(2);
});
