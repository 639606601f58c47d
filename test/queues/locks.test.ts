// Everybody at once on the queues of a server, in a small dose: `npm run campaign -- --only queue-locks` does it for a minute on each. What is
// proved here is that statements which lock rows in one order never wait in a circle for good, and that nothing ends twice or is lost.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { proves } from "../support/proves.ts";
import { openTestDatabase, type StoreName } from "../support/test-database.ts";
import { storm } from "./lock-storm.ts";

const acts = 1_500;

async function withStores<T>(name: StoreName, body: (stores: readonly FullStore[]) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), "pawl-storm-"));
  const ground = await openTestDatabase(name, dir);
  const stores: FullStore[] = [];
  try {
    for (let n = 0; n < 3; n++) stores.push(await openStore(ground.url, systemPlatform()));
    return await body(stores);
  } finally {
    for (const s of stores) await s.close();
    await ground.remove();
    rmSync(dir, { recursive: true, force: true });
  }
}

describe.each(["postgres", "mysql"] as const)("%s", (name) => {
  it.skipIf(name === "mysql" && skipsWithoutMariadb())(
    "claims, reports, lapses, withdrawals and settling at once: each dispatch ends once, no limit is passed, a paused queue gives nothing",
    { ...proves("T-24"), timeout: 300_000 },
    async () => {
      const report = await withStores(name, (stores) => storm(stores, acts, 20_261));
      expect(report.problems).toEqual([]);
      expect(Math.min(report.runs, report.dispatches, report.claims, report.ends)).toBeGreaterThan(10);
    },
  );
});
