// doctor, migrate and the store's life: what is shown of a store, what a restored backup changes, what a newer schema and
// an unreadable file are answered with.
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { openConnection } from "../../src/store/sqlite/wire/driver.ts";
import { format } from "../../src/store/sqlite/migrations.ts";
import { killCommands, orderFile, CliFolder, quickFile } from "./pawl-process.ts";
import { proves } from "../support/proves.ts";

afterEach(killCommands);

async function parked(place: CliFolder): Promise<void> {
  const running = place.start(["run", "./order.ts", "-P", "id=o-1", "--id", "o-1"]);
  await place.until("o-1", (r) => r.waiting === "signal");
  running.child.kill("SIGINT");
  await running.ended;
}

it("doctor shows settings as read back, engines, what waits, and workflows that nobody serves", async () => {
  const place = new CliFolder({ "order.ts": orderFile });
  const running = place.start(["run", "./order.ts", "-P", "id=o-1", "--id", "o-1"]);
  await place.until("o-1", (r) => r.waiting === "signal");
  const live = await place.json("doctor");
  expect(live.store).toMatchObject({
    store: "sqlite",
    format,
    incarnation: 1,
    settings: { journal_mode: "wal", synchronous: "full" },
    unsafe: [],
  });
  expect(live.store.engines).toMatchObject([{ alive: true, serves: [{ workflow: "order", version: "3" }] }]);
  expect(live.unsettled).toMatchObject({ total: 1, byWaiting: { signal: 1 } });
  expect(live.unserved).toEqual([]);
  running.child.kill("SIGINT");
  await running.ended;
  const { code, out } = await place.pawl("doctor");
  expect(code).toBe(0);
  expect(out).toContain("1 unfinished run: 1 waiting for signal");
  expect(out).toMatch(/! {2}unserved +1 run of order, which no live engine serves/);
  expect(out).toContain("fix unserved: start an engine with workflow order");
});

it(
  "a copy of the store is noticed, and doctor --restored raises its incarnation and pauses what may not repeat",
  proves("K4"),
  async () => {
    const place = new CliFolder({ "order.ts": orderFile, "quick.ts": quickFile });
    await parked(place);
    await place.pawl("run", "./quick.ts", "--id", "q-1", "--no-wait");
    copyFileSync(join(place.dir, ".pawl/state.db"), join(place.dir, "restored.db"));
    const store = ["--store", "sqlite:restored.db"];
    const before = await place.pawl("doctor", "--json", ...store);
    expect(before.code).toBe(9);
    expect(JSON.parse(before.out).checks).toContainEqual(expect.objectContaining({ check: "identity", state: "failed" }));
    const dry = await place.json("doctor", "--restored", "--dry-run", ...store);
    expect(dry).toMatchObject({ dryRun: true, incarnation: 1, paused: [{ workflowId: "o-1" }] });
    const done = await place.json("doctor", "--restored", ...store);
    expect(done).toMatchObject({ dryRun: false, incarnation: 2, paused: [{ workflowId: "o-1" }], pending: [] });
    const after = await place.json("doctor", ...store);
    expect(after.store.incarnation).toBe(2);
    expect(after.store.identity).toBe(after.store.identityRecorded);
    expect((await place.json("inspect", "o-1", ...store)).status).toBe("PAUSED");
    expect((await place.json("inspect", "q-1", ...store)).status).toBe("PENDING");
    expect((await place.json("inspect", "o-1")).status).toBe("RUNNING");
  },
);

it("doctor --restored refuses while an engine is alive", proves("K4"), async () => {
  const place = new CliFolder({ "order.ts": orderFile });
  const running = place.start(["run", "./order.ts", "--id", "o-1"]);
  await place.until("o-1", (r) => r.waiting === "signal");
  const refused = await place.pawl("doctor", "--restored", "--yes");
  expect([refused.code, refused.err.includes("stop them first")]).toEqual([5, true]);
  running.child.kill("SIGINT");
  await running.ended;
  expect((await place.json("doctor")).store.incarnation).toBe(1);
});

it("migrate says what it would do, prints the statements, and does it", async () => {
  const place = new CliFolder();
  const store = ["--store", "new.db"];
  expect(await place.json("migrate", "--dry-run", ...store)).toMatchObject({ from: 0, to: format, applied: false });
  const [sql, none] = await place.all([
    ["migrate", "--sql", ...store],
    ["ls", ...store],
  ]);
  expect(sql?.out).toMatch(/create table pawl_runs \([^]*\) strict, without rowid;\n/);
  expect(sql?.out).toMatch(/insert into pawl_meta [^;]+;\n$/); // somebody else may run them, and the store is ready
  expect(none?.code).toBe(10);
  expect((await place.pawl("migrate", ...store)).out).toContain(`migrated from format 0 to ${format} (`);
  expect((await place.pawl("migrate", ...store)).out).toBe(`the schema is up to date (format ${format})\n`);
  const named = await place.start(["migrate"], { PAWL_STORE: "sqlite:named.db" }).ended; // as --store names it
  expect([named.code, named.out.startsWith("migrated from format 0")]).toEqual([0, true]);
  expect((await place.json("ls", ...store)).runs).toEqual([]);
});

it("a store of a later version is exit code 11, a file that is no store 10, an unknown kind of store 2", proves("W-126"), async () => {
  const place = new CliFolder();
  await place.pawl("migrate", "--store", "later.db");
  const db = await openConnection(join(place.dir, "later.db"));
  db.exec("update pawl_meta set format = 99, oldest_writer = 99");
  db.close();
  writeFileSync(join(place.dir, "noise.db"), "this is not a database, and it is longer than a header would be ".repeat(40));
  const [later, noise, unknown, folder] = await place.all([
    ["ls", "--store", "later.db", "--json"],
    ["ls", "--store", "noise.db"],
    ["ls", "--store", "mongo:x"],
    ["ls", "--store", "."],
  ]);
  expect([later?.code, JSON.parse(later?.err ?? "").code]).toEqual([11, "PAWL3004"]);
  const before = await openConnection(join(place.dir, "later.db"));
  before.exec("update pawl_meta set format = 4, oldest_writer = 1");
  before.close();
  const unreleased = await place.pawl("migrate", "--store", "later.db");
  expect([unreleased.code, unreleased.err.includes("start with an empty store")]).toEqual([11, true]);
  expect([noise?.code, noise?.err.includes("PAWL3013")]).toEqual([10, true]);
  expect([unknown?.code, unknown?.err.includes("PAWL5002")]).toEqual([2, true]);
  expect(folder?.code).toBe(10);
  expect(folder?.err).not.toMatch(/\n\s+at .*:\d+:\d+/);
});
