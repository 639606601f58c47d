// The suite's bundle for the MySQL store: a database of its own on the shared server, the server's clock replaced by one
// that stands still, crash points that throw. Timers and connections are real. For tests; nothing in the package imports it.
import { systemPlatform } from "../../src/platform/system.ts";
import { virtualPlatform, type VirtualPlatform } from "../../src/platform/virtual.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { openMysql } from "../../src/store/mysql/store.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { OpenBundle } from "../../src/store/suite/bundle.ts";
import { mysqlConnection } from "../support/user-connections.ts";
import { giveBackDatabase, rawConnection, takeDatabase } from "./places.ts";

export { dropDatabase, freshDatabase, rawConnection } from "./places.ts";

/** `compound`: as on MariaDB; without it, as on MySQL. Unless given, whatever the server is. */
export async function mysqlBundle(
  virtual: VirtualPlatform = virtualPlatform(),
  compound?: boolean,
): Promise<OpenBundle & { outside(): { readonly url: string } }> {
  const url = await takeDatabase();
  let asMade = true;
  let wanted: string | undefined;
  const platform: Platform = {
    ...systemPlatform(),
    hit(point): void {
      if (point !== wanted) return;
      wanted = undefined;
      throw new RangeError(`died at ${point}`);
    },
  };
  const open = (): Promise<FullStore> =>
    openMysql(url, platform, { clock: () => virtual.wallMs(), ...(compound === undefined ? {} : { compound }) });
  const store = await open();
  const past = async (statement: string): Promise<void> => {
    if (!statement.startsWith("delete ")) asMade = false;
    const raw = await rawConnection(url);
    await raw.query(statement);
    await raw.close();
  };
  return {
    // Who has it may do anything there. A call, not a property: a copy of the bundle reads its properties.
    outside() {
      asMade = false;
      return { url };
    },
    store,
    reopen: open,
    advanceClock: (ms) => virtual.skew(ms),
    failAt: (point) => void (wanted = point),
    forgetAccepted: (r) => past(`delete from pawl_accepted where inbox_id = ${r.inboxId}`),
    define: past,
    userConnection: () => {
      asMade = false;
      return mysqlConnection(url);
    },
    async close(): Promise<void> {
      await store.close();
      await giveBackDatabase(url, asMade);
    },
  };
}
