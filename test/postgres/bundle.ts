// The suite's bundle for Postgres: a schema of its own on the shared server, a virtual clock in place of the server's, crash
// points that throw. Timers are real, since the server is. For tests; nothing in the package imports it.
import { systemPlatform } from "../../src/platform/system.ts";
import { virtualPlatform, type VirtualPlatform } from "../../src/platform/virtual.ts";
import type { Platform } from "../../src/platform/platform.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { openPostgres, type PostgresOptions, type PostgresTestOptions } from "../../src/store/postgres/store.ts";
import type { OpenBundle } from "../../src/store/suite/bundle.ts";
import { pgClient } from "../support/user-connections.ts";
import { giveBackSchema, raw, takeSchema } from "./places.ts";

export { dropSchema, freshPlace, raw } from "./places.ts";

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
): Promise<OpenBundle & { outside(): { readonly url: string; readonly schema: string } }> {
  const place = await takeSchema();
  let asMade = true;
  const u = new URL(place.url);
  u.searchParams.set("options", `${u.searchParams.get("options") ?? ""} -c synchronous_commit=off`);
  const url = u.href;
  const { platform, failAt } = halfVirtual(clock);
  const open = (): Promise<FullStore> => openPostgres(url, platform, { acceptUnsafe: true, clock: () => clock.wallMs(), ...o });
  const store = await open();
  return {
    // Who has these may do anything there. A call, not a property: a copy of the bundle reads its properties, and nobody would be spared.
    outside() {
      asMade = false;
      return { url, schema: place.schema };
    },
    store,
    reopen: open,
    advanceClock: (ms) => clock.skew(ms),
    failAt,
    async forgetAccepted(r): Promise<void> {
      const c = await raw(url);
      await c.query({ text: `delete from ${place.schema}.accepted where storage_key = $1`, values: [r.storageKey] });
      await c.end();
    },
    userConnection: () => {
      asMade = false;
      return pgClient(url);
    },
    async close(): Promise<void> {
      await store.close();
      await giveBackSchema(place, asMade);
    },
  };
}
