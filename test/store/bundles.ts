// The suite's bundles for the stores of this package: a virtual clock that stands still, crash points that throw, and
// for SQLite a file of its own in a temporary directory. For tests; nothing in the package imports it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { virtualPlatform, type VirtualPlatform } from "../../src/platform/virtual.ts";
import { memoryState } from "../../src/store/memory/state.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { openConnection } from "../../src/store/sqlite/wire/driver.ts";
import { openSqlite } from "../../src/store/sqlite/store.ts";
import type { OpenBundle } from "../../src/store/suite/bundle.ts";
import { sqliteHandle } from "../support/user-connections.ts";

function armed(platform: VirtualPlatform): (point: string) => void {
  let wanted: string | undefined;
  platform.onHit = (point): void => {
    if (point !== wanted) return;
    wanted = undefined;
    throw new RangeError(`died at ${point}`);
  };
  return (point) => void (wanted = point);
}

export async function memoryBundle(platform: VirtualPlatform = virtualPlatform()): Promise<OpenBundle> {
  const state = memoryState(platform);
  const open = async (): Promise<FullStore> => memoryStore(platform, { state });
  const store = await open();
  return {
    store,
    reopen: open,
    advanceClock: (ms) => platform.suspend(ms),
    failAt: armed(platform),
    async forgetAccepted(r): Promise<void> {
      state.accepted.delete(r.storageKey);
    },
    close: () => store.close(),
  };
}

/** Without fsync: what is proved here is the SQL, and the disk is proved with real processes. */
export async function sqliteBundle(platform: VirtualPlatform = virtualPlatform()): Promise<OpenBundle & { path: string }> {
  const dir = mkdtempSync(join(tmpdir(), "pawl-suite-"));
  const path = join(dir, "store.db");
  const open = async (): Promise<FullStore> => openSqlite(path, platform, { synchronous: "off", acceptUnsafe: true });
  const store = await open();
  return {
    path,
    store,
    reopen: open,
    advanceClock: (ms) => platform.suspend(ms),
    failAt: armed(platform),
    async forgetAccepted(r): Promise<void> {
      const db = await openConnection(path);
      db.prepare("delete from pawl_accepted where storage_key = ?").run(r.storageKey);
      db.close();
    },
    userConnection: () => sqliteHandle(path),
    async close(): Promise<void> {
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
