// What an open store holds of the machine is given back when it is closed, not when the collector comes by: file descriptors, and with
// them the space of files that were removed. Counted where the system shows them; elsewhere there is nothing to count.
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { engine, workflow } from "../../src/index.ts";
import { waitingMax } from "../../src/platform/release-native.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { sqliteEffects } from "../../src/store/sqlite/effect-store.ts";
import { openSqlite } from "../../src/store/sqlite/store.ts";

const shown = existsSync("/proc/self/fd");

describe.skipIf(!shown)("file descriptors of a SQLite store", () => {
  let dir: string;
  beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), "pawl-fds-"))));
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  /** Files below the folder that this process has open. */
  function held(): string[] {
    const files: string[] = [];
    for (const fd of readdirSync("/proc/self/fd")) {
      try {
        files.push(readlinkSync(`/proc/self/fd/${fd}`));
      } catch {
        // It was open while the folder was read, and is not any more.
      }
    }
    return files.filter((f) => f.startsWith(dir));
  }

  const free = async (): Promise<void> => {
    while (held().length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it("clients that connect and close, again and again, leave none behind, and hold few meanwhile", async () => {
    const store = `sqlite:${join(dir, "s.db")}`;
    const clients: unknown[] = [];
    for (let n = 0; n < 5 * waitingMax; n++) {
      const client = await connect({ store });
      await client.start({ workflow: "w", allowUnknown: true });
      await client.list({});
      await client.close();
      clients.push(client); // who keeps a closed client keeps no file open with it
      expect(held().length).toBeLessThanOrEqual(3 * waitingMax);
    }
    await free();
    expect(clients.length).toBe(5 * waitingMax);
  });

  it("an engine with transactions that was stopped leaves none behind", async () => {
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.tx("t", async (db) => void (await db.sql`create table if not exists mine (n int)`));
      await ctx.tx("u", async (db) => void (await db.sql`insert into mine values (${1})`));
      return ctx.tx("v", async (db) => (await db.sql`select n from mine`).rows.length);
    });
    const e = await engine({ store: `sqlite:${join(dir, "s.db")}`, workflows: [wf] });
    expect(await e.run(wf)).toBe(1);
    await e.stop();
    await free();
    expect(e.health()).toBeDefined();
  });

  it("a store that is refused, and an effect store that was closed, leave none behind", async () => {
    const path = join(dir, "s.db");
    await expect(openSqlite(path, systemPlatform(), { synchronous: "off" })).rejects.toMatchObject({ page: "PAWL3003" });
    const effects = await sqliteEffects(join(dir, "e.db"), systemPlatform());
    await effects.put({ version: 1, runId: "r", key: "k", stepId: "s", result: null, keptAt: 1 });
    await effects.close();
    await free();
    expect(effects.name).toBe("sqlite");
  });
});
