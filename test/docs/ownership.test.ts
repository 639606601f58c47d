// The pages about ownership and upgrades: their sentences, the capability matrix against the stores themselves, and the modes
// against a running engine. Guards that the pages promise what the engine does.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openEngine } from "../../src/client/engine.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { Capabilities } from "../../src/store/port.ts";
import { dropDatabase, freshDatabase } from "../mysql/bundle.ts";
import { dropSchema, freshPlace } from "../postgres/bundle.ts";
import { sharedMariadb, skipsWithoutMariadb } from "../support/mariadb.ts";
import { openMysql } from "../../src/store/mysql/store.ts";
import { openPostgres } from "../../src/store/postgres/store.ts";
import { suite } from "../../src/store/suite/index.ts";
import { openSqlite } from "../../src/store/sqlite/store.ts";
import { workflow } from "../../src/workflow/define.ts";
import { pageText, pageSource } from "./read-page.ts";
import { proves } from "../support/proves.ts";

const page = pageText("docs/ownership.md");
const reference = pageText("docs/reference/ownership.md");
const upgrading = pageText("docs/upgrading.md");
const platform = systemPlatform();
const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("s", () => 1));

/** The memory store, saying that it has no conditional writes. */
function without(): FullStore {
  return memoryStore(platform, { capabilities: { conditionalBatch: false } });
}
const around = (store: FullStore): Parameters<typeof openEngine>[0] => ({ platform, log: () => {}, open: async () => store });

describe("docs/ownership.md", () => {
  it("names the three classes, and single-owner as an operational constraint", proves("W-104"), () => {
    for (const name of ["safe CAS", "single-owner only", "fail-fast CAS required"])
      expect(pageSource("docs/reference/ownership.md")).toContain(`| ${name} |`);
    expect(page).toContain("is an operational constraint, not a feature");
    expect(page).toContain("one engine at a time runs on the store, in normal operation and during recovery");
    expect(page).toContain("If two engines run on such a store, no correctness guarantee is given.");
  });

  it("says which bytes are compared, and what the loser gets", proves("W-108"), () => {
    for (const value of [
      "the fence's epoch (an integer);",
      "the fence's token (32 hexadecimal characters);",
      "the state version that the owner last saw (an integer",
    ])
      expect(reference).toContain(value);
    expect(reference).toContain("one number covers both");
    expect(reference).toContain(
      "The loser of a race gets the answer `fenced` (another owner holds the run) or `stale` (the version moved)",
    );
  });

  it("the default is cas-required, and the page says why it is no longer single-owner", proves("W-112"), async () => {
    expect(page).toContain('The default is `"cas-required"`');
    expect(reference).toContain("to be changed deliberately once compare-and-set ownership existed");
    await expect(openEngine(around(without()), { workflows: [wf] })).rejects.toMatchObject({ code: "CheckpointOwnershipCapabilityError" });
  });

  it("says where it fails, and that it does so before anything is claimed", () => {
    expect(page).toContain("The engine throws before it claims a run, before it recovers a run and before it looks for work");
    expect(page).toContain("The check is inside the engine, at the point where ownership could be claimed");
  });

  it("single-owner mode, as documented, runs on a store without conditionalBatch", proves("W-120"), async () => {
    expect(page).toContain('`checkpointOwnership: "single-owner"`');
    const { engine } = await openEngine(around(without()), { workflows: [wf], checkpointOwnership: "single-owner" });
    try {
      expect(await engine.run(wf)).toBe(1);
    } finally {
      await engine.stop();
    }
  });

  it("the capability matrix is what the stores report, and what the suite holds them to", proves("W-140", "W-142"), async () => {
    const dir = mkdtempSync(join(tmpdir(), "pawl-docs-"));
    const place = await freshPlace();
    const stores = [memoryStore(platform), await openSqlite(join(dir, "a.db"), platform), await openPostgres(place.url, platform)];
    const database = skipsWithoutMariadb() ? undefined : await freshDatabase(await sharedMariadb());
    if (database !== undefined) stores.push(await openMysql(database, platform));
    try {
      const shown = (v: Capabilities[keyof Capabilities]): string => (typeof v === "boolean" ? (v ? "yes" : "no") : v);
      expect(pageSource("docs/reference/ownership.md")).toContain("| capability | meaning | memory | sqlite | postgres | mysql |");
      for (const name of Object.keys(stores[0]!.capabilities()) as (keyof Capabilities)[]) {
        const cells = stores.map((s) => ` ${shown(s.capabilities()[name])} \\|`).join("");
        expect(pageSource("docs/reference/ownership.md")).toMatch(new RegExp(`^\\| \`${name}\` \\|[^|]+\\|${cells}`, "m"));
      }
    } finally {
      for (const s of stores) await s.close();
      rmSync(dir, { recursive: true, force: true });
      await dropSchema(place.url, place.schema);
      if (database !== undefined) await dropDatabase(database);
    }
    // What is trusted is at least tested: each of these is a case of the suite that every store passes.
    const titles = suite.map((c) => c.title).join("\n");
    for (const trusted of [
      "nothing is, and the same Commit can be asked again",
      "a Commit is judged by what is stored",
      "a reader sees all of a Commit or nothing of it",
    ])
      expect(titles).toContain(trusted);
  });

  it(
    "says what a store without conditional writes supports, how operators keep versions apart, and what is not promised",
    proves("W-101", "W-117", "W-118"),
    () => {
      expect(upgrading).toContain("(`conditionalBatch: false`) has one engine process, and one version, at a time.");
      expect(upgrading).toContain("If old and new versions run there together, no correctness guarantee is given.");
      for (const way of ["drain the old engines", "leave recovery to one side", "one engine at a time behind a lock of your deployment"])
        expect(upgrading).toContain(way);
    },
  );

  it(
    "no option claims safe concurrent recovery by guarding commits: there are two modes, and the safe one claims first",
    proves("W-102"),
    async () => {
      expect(reference).toContain("a guarded commit stops the second write, not the second execution");
      for (const word of ["safe", "guarded", "concurrent", ""])
        await expect(
          openEngine(around(memoryStore(platform)), { workflows: [wf], checkpointOwnership: word as never }),
        ).rejects.toMatchObject({
          code: "PAWL5001",
        });
    },
  );

  it("has the matrix of versions: additive records, drained downgrades, one owner", proves("W-122", "W-126", "W-127"), () => {
    expect(upgrading).toContain("Records are only ever added");
    for (const row of [
      "new writer, new reader",
      "old writer, new reader",
      "new writer, old reader",
      "downgrade",
      "old and new engines side by side",
    ])
      expect(pageSource("docs/upgrading.md")).toContain(`| ${row} |`);
    expect(upgrading).toContain("**Mixed-version ownership of a run is forbidden.**");
    expect(upgrading).toContain("stop the newer engines first. Where it does not, the older version refuses to start (PAWL3004)");
  });

  it("says that what a store reports wrongly cannot be corrected at run time", proves("W-141"), () => {
    expect(reference).toContain(
      "The other capabilities are trusted: if a store reports them wrongly, Pawl cannot correct that at run time.",
    );
  });

  it("names the four layers, and what follows from them", proves("T-02"), () => {
    for (const layer of ["The database", "State", "Transactions", "Idempotent operations"])
      expect(pageSource("docs/reference/ownership.md")).toContain(`**${layer}.**`);
    expect(reference).toContain("an operation can be retried, engines work side by side, and a crash leaves nothing half done");
  });

  it("conditionalBatch is the one capability that is asked while running", proves("W-135"), async () => {
    const asked = new Set<string>();
    const store = memoryStore(platform);
    const watched: FullStore = {
      ...store,
      capabilities: () => new Proxy(store.capabilities(), { get: (c, name: keyof Capabilities) => (asked.add(name), c[name]) }),
    };
    const { engine, client } = await openEngine(around(watched), { workflows: [wf], store: watched });
    try {
      await engine.run(wf, undefined, { id: "w" });
      await client.signal("w", "none", 1).catch(() => {});
    } finally {
      await engine.stop();
    }
    // `sql` says whether ctx.tx exists at all; what a run rests on is asked of one capability only.
    expect([...asked].filter((name) => name !== "sql")).toEqual(["conditionalBatch"]);
    expect(reference).toContain("`conditionalBatch` is the only one that is checked at run time");
  });
});
