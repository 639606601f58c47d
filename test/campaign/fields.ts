// Where a campaign is fought: a store of its own on a file or a server, a table for the orders' charges beside it, and a
// ledger. Everything here reads and prepares from outside the engine; nothing writes what an engine owns.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import type { Store } from "../../src/store/port.ts";
import { openGround, type StoreName } from "../support/grounds.ts";

export interface Field {
  readonly store: StoreName;
  readonly url: string;
  readonly ledger: string;
  /** A connection of the campaign's own: it only looks. */
  readonly eye: Store;
  /** How often each order was charged. */
  charges(): Promise<ReadonlyMap<string, number>>;
  leave(): Promise<void>;
}

export async function openField(store: StoreName, server?: string): Promise<Field> {
  const dir = mkdtempSync(join(tmpdir(), "pawl-campaign-"));
  const ground = await openGround(store, dir, server);
  const eye = await openStore(ground.url, systemPlatform());
  await ground.sql("create table charges (run varchar(100))");
  return {
    store,
    url: ground.url,
    ledger: join(dir, "ledger"),
    eye,
    async charges() {
      const rows = await ground.sql("select run, count(*) as n from charges group by run");
      return new Map(rows.map((r) => [String(r["run"]), Number(r["n"])]));
    },
    async leave() {
      await eye.close();
      await ground.remove();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
