// Stores that cannot be opened, on real servers and file systems: each problem has a code of its own, and its fix is true. Nothing
// tries again by itself here, and no text says that it would; a password is in no message.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engine } from "../../src/index.ts";
import { catalogue } from "../../src/errors/catalogue.ts";
import type { PawlError } from "../../src/errors/error.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { openStore } from "../../src/open.ts";
import { migrationPlanOf } from "../../src/operate.ts";
import { freshDatabase, rawConnection } from "../mysql/bundle.ts";
import { raw } from "../postgres/bundle.ts";
import { sharedMariadb, skipsWithoutMariadb } from "../support/mariadb.ts";
import { startPostgres, type PostgresServer } from "../support/postgres.ts";

const platform = systemPlatform();
const secret = "pass-word-of-nobody";

/** How opening fails: its code, after what holds of every such failure. */
async function refusal(url: string | URL): Promise<string> {
  const where = String(url);
  const e = (await openStore(where, platform).then(
    () => new Error("it was opened"),
    (x: unknown) => x,
  )) as PawlError;
  expect(e.outcome, String(e)).toBe("none");
  expect(`${e.message} ${e.fix}`).not.toContain(secret);
  expect(e.fix).toBe(catalogue[e.page].fix);
  expect(e.fix).not.toContain("by itself");
  // An engine says the same, and has not begun anything.
  await expect(engine({ store: where })).rejects.toMatchObject({ page: e.page });
  return e.page;
}

/** A port where nobody listens. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as { port: number };
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port;
}

function as(url: string, change: { user?: string; password?: string; database?: string; port?: number; query?: string }): URL {
  const u = new URL(url);
  if (change.user !== undefined) u.username = change.user;
  if (change.password !== undefined) u.password = change.password;
  if (change.database !== undefined) u.pathname = `/${change.database}`;
  if (change.port !== undefined) u.port = String(change.port);
  u.search = change.query ?? "";
  return u;
}

describe("postgres", () => {
  let server: PostgresServer;
  let dir: string;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "pawl-hba-"));
    chmodSync(dir, 0o755);
    const hba = join(dir, "hba.conf");
    writeFileSync(
      hba,
      [
        "host all secretive all scram-sha-256",
        "hostssl all encrypted all trust",
        "hostnossl all encrypted all reject",
        "host all all all trust",
        "",
      ].join("\n"),
    );
    server = await startPostgres({ hba_file: hba, max_connections: "12" });
    const c = await raw(server.url);
    await c.exec(`create role secretive login password '${secret}'; create role encrypted login; create role plain login`);
    await c.exec("create database kept");
    await c.exec("revoke create on database kept from public; revoke create on schema public from public");
    await c.end();
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  it("a wrong password, and a user that the server does not let in, are refused logins", async () => {
    expect(await refusal(as(server.url, { user: "secretive", password: `${secret}x` }))).toBe("PAWL3030");
    expect(await refusal(as(server.url, { user: "nobody_of_this_name" }))).toBe("PAWL3030");
  });
  it("a database that is not there is named as that", async () => {
    expect(await refusal(as(server.url, { database: "no_such_database" }))).toBe("PAWL3031");
  });
  it("a port where nobody listens, a host that does not exist and a socket that is not there are named as that", async () => {
    expect(await refusal(as(server.url, { port: await freePort() }))).toBe("PAWL3032");
    expect(await refusal("postgres://pawl@no-such-host.invalid/postgres")).toBe("PAWL3032");
    const plan = migrationPlanOf(String(as(server.url, { port: await freePort() })), platform);
    await expect(plan).rejects.toMatchObject({ code: "PAWL3032", outcome: "none" });
  });
  it("a server that demands TLS, or has none, is told apart from a wrong password", async () => {
    expect(await refusal(as(server.url, { user: "encrypted" }))).toBe("PAWL3033");
    expect(await refusal(as(server.url, { query: "?sslmode=require" }))).toBe("PAWL3033");
  });
  it("a user that may not create the schema is told so", async () => {
    expect(await refusal(as(server.url, { user: "plain", database: "kept" }))).toBe("PAWL3035");
  });
  it("a server that only reads is told apart from one that is away", async () => {
    expect(await refusal(as(server.url, { query: "?options=-c%20default_transaction_read_only%3Don" }))).toBe("PAWL3036");
  });
  it("a server without a place for one more session says so", async () => {
    const open: Awaited<ReturnType<typeof raw>>[] = [];
    const plain = as(server.url, { user: "plain" }).href;
    try {
      for (;;) open.push(await raw(plain));
    } catch {
      expect(await refusal(plain)).toBe("PAWL3034");
    }
    for (const c of open) await c.end();
  });
});

describe.skipIf(skipsWithoutMariadb())("mysql", () => {
  let url: string;
  const users = ["secretive", "encrypted", "plain", "crowded"].map((name) => `${name}${process.pid}`);
  const [secretive, encrypted, plain, crowded] = users as [string, string, string, string];
  beforeAll(async () => {
    url = await freshDatabase(await sharedMariadb());
    const c = await rawConnection(url);
    const { pathname } = new URL(url);
    for (const u of users) {
      await c.query(`create user '${u}'@'%' identified by '${secret}'`);
      if (u !== plain) await c.query(`grant all on ${pathname.slice(1)}.* to '${u}'@'%'`);
    }
    await c.query(`grant select on ${pathname.slice(1)}.* to '${plain}'@'%'`);
    await c.query(`alter user '${encrypted}'@'%' require ssl`);
    await c.query(`alter user '${crowded}'@'%' with max_user_connections 1`);
    await c.close();
  });
  afterAll(async () => {
    const c = await rawConnection(url);
    for (const u of users) await c.query(`drop user '${u}'@'%'`);
    await c.close();
  });
  const mine = (user: string, more: Parameters<typeof as>[1] = {}): URL => as(url, { user, password: secret, ...more });

  it("a wrong password, and a user that the server does not know, are refused logins", async () => {
    expect(await refusal(mine(secretive, { password: `${secret}x` }))).toBe("PAWL3030");
    expect(await refusal(mine("nobody_of_this_name"))).toBe("PAWL3030");
  });
  it("a database that is not there is named as that", async () => {
    expect(await refusal(as(url, { database: "no_such_database" }))).toBe("PAWL3031");
  });
  it("a port where nobody listens, and a host that does not exist, are named as that", async () => {
    expect(await refusal(as(url, { port: await freePort() }))).toBe("PAWL3032");
    expect(await refusal("mysql://pawl@no-such-host.invalid/pawl")).toBe("PAWL3032");
    const plan = migrationPlanOf(String(as(url, { port: await freePort() })), platform);
    await expect(plan).rejects.toMatchObject({ code: "PAWL3032", outcome: "none" });
  });
  it("a server that has no TLS where it was asked for is named as that", async () => {
    expect(await refusal(mine(secretive, { query: "?ssl=true" }))).toBe("PAWL3033");
  });
  it("a user that must encrypt and does not is a login that was refused: the server says no more", async () => {
    expect(await refusal(mine(encrypted))).toBe("PAWL3030");
  });
  it("a user that may not create tables, or not use the database, is told so", async () => {
    expect(await refusal(mine(plain))).toBe("PAWL3035");
    expect(await refusal(mine(plain, { database: "mysql" }))).toBe("PAWL3035");
  });
  it("a user without a place for one more session is told so", async () => {
    const held = await rawConnection(mine(crowded).href);
    expect(await refusal(mine(crowded))).toBe("PAWL3034");
    await held.close();
  });
});

describe.skipIf(process.platform !== "linux")("sqlite", () => {
  it("a file that may not be made, in a folder that is there or not, is a store that cannot be written", async () => {
    expect(await refusal("sqlite:/sys/pawl.db")).toBe("PAWL3036");
    expect(await refusal("sqlite:/sys/pawl/state.db")).toBe("PAWL3036");
    await expect(openStore("sqlite:/sys/pawl.db", systemPlatform())).rejects.toThrow("sqlite: /sys/pawl.db: ");
  });
});
