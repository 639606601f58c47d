// The least rights of those who read along: who may not create the feed's triggers is told what is missing, and either of the
// two ways that the papers show is enough. The statements are read from the papers, so that they cannot be out of date.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { feedTriggers as mysqlTriggers } from "../../src/store/mysql/feed.ts";
import { parseAddress } from "../../src/store/mysql/open.ts";
import { feedTriggers as postgresTriggers } from "../../src/store/postgres/feed.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { create, event, scope } from "../../src/store/suite/build.ts";
import { dropDatabase, freshDatabase, rawConnection } from "../mysql/bundle.ts";
import { dropSchema, freshPlace, raw } from "../postgres/bundle.ts";
import { sharedMariadb, skipsWithoutMariadb } from "../support/mariadb.ts";

const platform = systemPlatform();
const password = "not-secret";
const reader = { scope, name: "reader" };

/** The SQL block of a page after these words. */
function block(page: string, after: string): string[] {
  const text = readFileSync(new URL(`../../docs/stores/${page}.md`, import.meta.url), "utf8");
  const found = /```sql\n([^`]+)```/.exec(text.slice(text.indexOf(after)))?.[1] ?? "";
  return found.split(";\n").filter((s) => s !== "");
}
const grants = (page: string): string[] => [...block(page, "then this is enough:")];
const right = (page: string): string[] => block(page, "one right");
const byOwner = (page: string): string[] => block(page, "dropping them is");

interface Ways {
  readonly admin: (statement: string) => Promise<unknown>;
  readonly app: FullStore;
  readonly triggers: readonly string[];
  readonly grant: readonly string[];
  readonly drop: readonly string[];
}

/** Told what is missing; then by the owner's triggers; then by the right. */
async function bothWays(w: Ways): Promise<void> {
  const { app } = w;
  const rows = async (): Promise<number> => (await app.feed.next({ consumer: reader, limit: 99 })).length;
  await expect(app.feed.join(reader, "now")).rejects.toMatchObject({ page: "PAWL3015", outcome: "none" });
  await expect(app.feed.join(reader, "now")).rejects.toThrow(w.triggers[0]);
  expect([await app.feed.consumers(scope), await rows()]).toEqual([[], 0]);
  for (const s of w.triggers) await w.admin(s);
  expect(await app.feed.join(reader, "now")).toBe("joined");
  await app.commit([create("a", {}, { events: [event(1)] })]);
  expect(await rows()).toBe(1);
  await app.feed.leave(reader); // may not drop them, and need not
  expect(await app.feed.join(reader, "now")).toBe("joined");
  await app.commit([create("b", {}, { events: [event(1)] })]);
  expect(await rows()).toBe(1);
  await app.feed.leave(reader);
  for (const s of [...w.drop, ...w.grant]) await w.admin(s);
  expect(await app.feed.join(reader, "now")).toBe("joined");
  await app.commit([create("c", {}, { events: [event(1)] })]);
  expect(await rows()).toBe(1);
}

describe("the least rights of those who read along", () => {
  it("the papers show the statements that are run", () => {
    expect(byOwner("postgres")).toEqual(postgresTriggers("pawl"));
    expect(byOwner("mysql")).toEqual(mysqlTriggers("pawl_"));
  });

  it("postgres: a right to create triggers, or triggers of the owner's", async () => {
    const { url, schema } = await freshPlace();
    const role = `app_${schema}`;
    const own = new URL(url);
    [own.username, own.password] = [role, password];
    own.searchParams.delete("options");
    const admin = await raw(url);
    await admin.exec(`create role ${role} login password '${password}'`);
    await (await openStore(url, platform)).close();
    const fit = (s: string): string => s.replaceAll(/\bpawl\b/g, schema).replaceAll("to app", `to ${role}`);
    for (const s of grants("postgres")) await admin.exec(fit(s));
    const app = await openStore(own.href, platform);
    try {
      const both = bothWays({
        admin: (s) => admin.exec(fit(s)),
        app,
        triggers: postgresTriggers(schema),
        grant: right("postgres"),
        drop: ["feed_created", "feed_advanced"].map((t) => `drop trigger ${t} on ${schema}.runs`),
      });
      await expect(both).resolves.toBeUndefined();
    } finally {
      await app.close();
      await dropSchema(url, schema);
      await admin.exec(`drop role ${role}`);
      await admin.end();
    }
  });

  it.skipIf(skipsWithoutMariadb())("mysql: a right to create triggers, or triggers of somebody else's", async () => {
    const url = await freshDatabase(await sharedMariadb());
    const { database } = parseAddress(url).address;
    const user = `f${database.slice(-16)}`;
    const own = new URL(url);
    [own.username, own.password] = [user, password];
    const admin = await rawConnection(url);
    await admin.query(`create user '${user}'@'%' identified by '${password}'`);
    await (await openStore(url, platform)).close();
    const fit = (s: string): string => s.replaceAll("on app.", `on ${database}.`).replaceAll("'app'@", `'${user}'@`);
    for (const s of grants("mysql")) await admin.query(fit(s));
    const app = await openStore(own.href, platform);
    try {
      const both = bothWays({
        admin: (s) => admin.query(fit(s)),
        app,
        triggers: mysqlTriggers("pawl_"),
        grant: right("mysql"),
        drop: ["drop trigger pawl_feed_created", "drop trigger pawl_feed_advanced", "update pawl_meta set feed = 0"],
      });
      await expect(both).resolves.toBeUndefined();
    } finally {
      await app.close();
      await admin.query(`drop user '${user}'@'%'`);
      await admin.close();
      await dropDatabase(url);
    }
  });
});
