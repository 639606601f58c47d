// The least rights: tables made by one role from what `pawl migrate --sql` prints, an engine that works under another with only
// what the papers tell to grant. The grants are read from the papers, so that they cannot promise less than is needed. An
// engine under them must never need to define anything.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { connect as connectClient } from "../../src/client.ts";
import { openConnection as connectSqlite } from "../../src/store/sqlite/wire/driver.ts";
import { openStore } from "../../src/open.ts";
import { migrationPlanOf } from "../../src/operate.ts";
import { parseAddress as parseMysqlAddress } from "../../src/store/mysql/open.ts";
import { parseAddress } from "../../src/store/postgres/wire/address.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { requests } from "../crash/programs/receiver.ts";
import { dropDatabase, freshDatabase, rawConnection } from "../mysql/bundle.ts";
import { dropSchema, freshPlace, raw } from "../postgres/bundle.ts";
import { killCommands as endCommands, CliFolder } from "../cli/pawl-process.ts";
import { killChildren, startChild } from "../support/child-process.ts";
import { sharedMariadb, skipsWithoutMariadb } from "../support/mariadb.ts";

const platform = systemPlatform();
const password = "not-secret";
let home = "";
afterEach(async () => {
  await killChildren();
  await endCommands();
  rmSync(home, { recursive: true, force: true });
});

/** The statements of the first SQL block after "this is enough". */
function granted(page: string): string[] {
  const text = readFileSync(new URL(`../../docs/stores/${page}.md`, import.meta.url), "utf8");
  const block = /then this is enough:\s+```sql\n([^`]+)```/.exec(text)?.[1] ?? "";
  return block.split(";\n").filter((s) => s !== "");
}

/** What `pawl migrate --sql` hands to whoever may define tables. */
async function printed(url: string): Promise<string[]> {
  const { code, out, err } = await new CliFolder().pawl("migrate", "--sql", "--store", url);
  expect([code, err]).toEqual([0, ""]);
  return out.split(";\n").filter((s) => s !== "");
}

/** Starts, steps, is killed, is taken over, is signalled; all of it by processes that know only this URL. */
async function works(url: string): Promise<void> {
  home = mkdtempSync(join(tmpdir(), "pawl-rights-"));
  const ledger = join(home, "ledger");
  const worker = (o: object): ReturnType<typeof startChild> =>
    startChild("test/crash/programs/worker.js", { args: [JSON.stringify({ store: url, ledger, ...o })] });
  const first = worker({ start: { workflow: "held", id: "h" }, hold: join(home, "never"), lease: "600s" });
  await first.waitForLine("begun");
  first.signal("SIGKILL");
  await first.ended;
  const second = worker({ start: { workflow: "gather", id: "g", input: 2 } });
  const client = await connectClient({ store: url });
  expect(await client.waitForEnd("h")).toMatchObject({ status: "COMPLETED", result: "2" });
  await second.waitForLine("started");
  for (const n of [1, 2]) expect((await client.signal("g", "go", n)).replayed).toBe(false);
  expect(await second.waitForLine("result")).toBe("result [1,2]");
  expect((await second.ended).lines.filter((l) => l.startsWith("log warn"))).toEqual([]);
  expect(requests(ledger).map((r) => `${r.key} ${r.fence}`)).toEqual(["begun 1", "begun 2", "done 2", "next 2"]);
  const { identity, identityRecorded } = await client.info();
  expect([identity !== "", identity === identityRecorded]).toEqual([true, true]);
  await client.close();
}

describe("the least rights", () => {
  it("postgres: on tables that another role made from the printed statements, an engine works with what the papers grant", async () => {
    const { url, schema } = await freshPlace();
    const role = `app_${schema}`;
    const own = new URL(url);
    [own.username, own.password] = [role, password];
    own.searchParams.delete("options");
    const admin = await raw(url);
    await admin.exec(`create role ${role} login password '${password}'`);
    try {
      await expect(openStore(own.href, platform), "nothing is there, and this role may not make it").rejects.toMatchObject({
        page: "PAWL3035",
      });
      await admin.exec((await printed(url)).join(";\n"));
      for (const s of granted("postgres"))
        await admin.exec(s.replaceAll("schema pawl", `schema ${schema}`).replaceAll("to app", `to ${role}`));
      expect((await migrationPlanOf(own.href, platform)).statements).toEqual([]);
      await works(own.href);
      const app = await raw(own.href);
      await expect(app.exec(`create table ${schema}.more (id int)`)).rejects.toThrow("permission denied");
      await expect(app.exec(`alter table ${schema}.runs add column more int`)).rejects.toThrow("must be owner");
      await app.end();
    } finally {
      await dropSchema(url, schema);
      await admin.exec(`drop role ${role}`);
      await admin.end();
    }
  });

  it.skipIf(skipsWithoutMariadb())(
    "mysql: on tables that another role made from the printed statements, an engine works with what the papers grant",
    async () => {
      const url = await freshDatabase(await sharedMariadb());
      const { database } = parseMysqlAddress(url).address;
      const user = `u${database.slice(-16)}`;
      const own = new URL(url);
      [own.username, own.password] = [user, password];
      const admin = await rawConnection(url);
      await admin.query(`create user '${user}'@'%' identified by '${password}'`);
      try {
        await expect(openStore(own.href, platform)).rejects.toMatchObject({ page: "PAWL3035" });
        for (const s of await printed(url)) await admin.query(s);
        for (const s of granted("mysql")) await admin.query(s.replaceAll("app.*", `${database}.*`).replaceAll("'app'@", `'${user}'@`));
        expect((await migrationPlanOf(own.href, platform)).statements).toEqual([]);
        await works(own.href);
        const app = await rawConnection(own.href);
        await expect(app.query("create table more (id int)")).rejects.toThrow("denied");
        await app.close();
      } finally {
        await admin.query(`drop user '${user}'@'%'`);
        await admin.close();
        await dropDatabase(url);
      }
    },
  );

  it("sqlite: a file made from the printed statements is a store like any other", async () => {
    home = mkdtempSync(join(tmpdir(), "pawl-rights-"));
    const url = `sqlite:${join(home, "state.db")}`;
    const db = await connectSqlite(join(home, "state.db"));
    for (const s of await printed(url)) db.exec(s);
    db.close();
    const store = await openStore(url, platform);
    const info = await store.info();
    expect([info.identity !== "", info.identity === info.identityRecorded, (await migrationPlanOf(url, platform)).statements]).toEqual([
      true,
      true,
      [],
    ]);
    await store.close();
  });

  it("a schema's name and a prefix, which become part of statements, are plain names or are refused", () => {
    const bad = ["", "Pawl", "a b", 'a"b', "a;drop table x", "1a", "pg_pawl", "a-b", "é", "x".repeat(64)];
    for (const schema of bad) expect(() => parseAddress("postgres://localhost/app", { schema }), schema).toThrow("schema must have");
    expect(parseAddress("postgres://localhost/app?schema=my_app2", {}).schema).toBe("my_app2");
    for (const prefix of ["", "a b", "a`b", "a;drop", "1a", "a-b", "_a", "é", "x".repeat(33)]) {
      expect(() => parseMysqlAddress("mysql://localhost/app", { prefix }), prefix).toThrow("prefix must start");
    }
    expect(parseMysqlAddress("mysql://localhost/app?prefix=App2_").prefix).toBe("App2_");
  });
});
