// The suite's bundle for Postgres: a schema of its own on the shared server, a virtual clock in place of the server's, crash
// points that throw. Timers are real, since the server is. For tests; nothing in the package imports it.
import { systemPlatform } from "../../src/platform/system.ts";
import { virtualPlatform, type VirtualPlatform } from "../../src/platform/virtual.ts";
import type { Platform } from "../../src/platform/platform.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { openConnection, type Connection } from "../../src/store/postgres/wire/driver.ts";
import { openPostgres, type PostgresOptions, type PostgresTestOptions } from "../../src/store/postgres/store.ts";
import type { OpenBundle } from "../../src/store/suite/bundle.ts";
import { pgClient } from "../support/user-connections.ts";
import { sharedPostgres } from "../support/postgres.ts";

let made = 0;

/** A schema nobody else uses, and the URL whose sessions live in it. */
export async function freshPlace(server?: string): Promise<{ url: string; schema: string }> {
  const schema = `t${process.pid}_${++made}_${Math.floor(Math.random() * 1e9).toString(36)}`;
  const url = new URL(server ?? (await sharedPostgres()));
  url.searchParams.set("schema", schema);
  url.searchParams.set("options", `-c search_path=${schema}`);
  return { url: url.href, schema };
}

/** A connection past the store: another program on the same database. */
export async function raw(url: string): Promise<Connection> {
  const u = new URL(url);
  const options = u.searchParams.get("options") ?? "";
  for (const own of ["schema", "options", "pooler"]) u.searchParams.delete(own);
  return openConnection({ connectionString: u.href, options, connectMsMax: 30_000 });
}

export async function dropSchema(url: string, schema: string): Promise<void> {
  const c = await raw(url);
  await c.exec(`drop schema if exists ${schema} cascade`);
  await c.end();
}

/** The real machine with another's clock for leases, and crash points that throw. */
function halfVirtual(platform: VirtualPlatform): { platform: Platform; failAt: (point: string) => void } {
  let wanted: string | undefined;
  const hit = (point: string): void => {
    if (point !== wanted) return;
    wanted = undefined;
    throw new RangeError(`died at ${point}`);
  };
  return { platform: { ...systemPlatform(), wallMs: () => platform.wallMs(), hit }, failAt: (point) => void (wanted = point) };
}

/** Without waiting for the disk: what is proved here is the SQL, and the disk is proved with killed servers. */
export async function postgresBundle(
  clock: VirtualPlatform = virtualPlatform(),
  o: PostgresOptions & PostgresTestOptions = {},
): Promise<OpenBundle & { url: string; schema: string }> {
  const { url: plain, schema } = await freshPlace();
  const u = new URL(plain);
  u.searchParams.set("options", `${u.searchParams.get("options") ?? ""} -c synchronous_commit=off`);
  const url = u.href;
  const { platform, failAt } = halfVirtual(clock);
  const open = (): Promise<FullStore> => openPostgres(url, platform, { acceptUnsafe: true, clock: () => clock.wallMs(), ...o });
  const store = await open();
  return {
    url,
    schema,
    store,
    reopen: open,
    advanceClock: (ms) => clock.skew(ms),
    failAt,
    async forgetAccepted(r): Promise<void> {
      const c = await raw(url);
      await c.query({ text: `delete from ${schema}.accepted where storage_key = $1`, values: [r.storageKey] });
      await c.end();
    },
    userConnection: () => pgClient(url),
    async close(): Promise<void> {
      await store.close();
      await dropSchema(url, schema);
    },
  };
}
