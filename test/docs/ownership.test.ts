// The page about ownership: its sentences, its capability matrix against the stores themselves, and the modes it describes
// against a running engine. Guards that the page promises what the engine does.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openEngine } from "../../src/client/engine.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { Capabilities, Store } from "../../src/store/port.ts";
import { openSqlite } from "../../src/store/sqlite/store.ts";
import { workflow } from "../../src/workflow/define.ts";
import { paper, raw } from "./papers.ts";

const page = paper("docs/ownership.md");
const platform = systemPlatform();
const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("s", () => 1));

/** The memory store, saying that it has no conditional writes. */
function without(): Store {
  return memoryStore(platform, { capabilities: { conditionalBatch: false } });
}
const around = (store: Store): Parameters<typeof openEngine>[0] => ({ platform, log: () => {}, open: async () => store });

describe("docs/ownership.md", () => {
  it("W-104 names the three classes, and single-owner as an operational constraint", () => {
    for (const name of ["safe CAS", "single-owner only", "fail-fast CAS required"])
      expect(raw("docs/ownership.md")).toContain(`| ${name} |`);
    expect(page).toContain("is an operational constraint, not a feature");
    expect(page).toContain("one engine at a time runs on the store, in steady state and during recovery");
    expect(page).toContain("If two engines run on such a store, no correctness guarantee is given.");
  });

  it("W-108 says which bytes are compared, and what the loser is told", () => {
    expect(page).toContain("the fence's epoch (an integer), its token (32 hexadecimal characters) and the state version");
    expect(page).toContain("one number stands for both");
    expect(page).toContain("The loser of a race is told `fenced` (another owner holds the run) or `stale` (the version moved)");
  });

  it("W-112 the default is cas-required, and the page says why it is no longer single-owner", async () => {
    expect(page).toContain('The default is `"cas-required"`.');
    expect(page).toContain("until compare-and-set ownership was there and changed it deliberately");
    await expect(openEngine(around(without()), { workflows: [wf] })).rejects.toMatchObject({ code: "CheckpointOwnershipCapabilityError" });
  });

  it("says where it fails, and that it does so before anything is claimed", () => {
    expect(page).toContain("It does so before it claims anything, before it recovers anything and before it looks for work");
    expect(page).toContain("The check is in the engine itself, at the point where ownership could be claimed");
  });

  it("W-120 single-owner mode, as documented, runs on a store without conditionalBatch", async () => {
    expect(page).toContain('`checkpointOwnership: "single-owner"`');
    const { engine } = await openEngine(around(without()), { workflows: [wf], checkpointOwnership: "single-owner" });
    try {
      expect(await engine.run(wf)).toBe(1);
    } finally {
      await engine.stop();
    }
  });

  it("the capability matrix is what the stores report", async () => {
    const dir = mkdtempSync(join(tmpdir(), "pawl-docs-"));
    const sqlite = await openSqlite(join(dir, "a.db"), platform);
    try {
      const shown = (v: Capabilities[keyof Capabilities]): string => (typeof v === "boolean" ? (v ? "yes" : "no") : v);
      const [m, s] = [memoryStore(platform).capabilities(), sqlite.capabilities()];
      for (const name of Object.keys(s) as (keyof Capabilities)[])
        expect(raw("docs/ownership.md")).toMatch(
          new RegExp(`^\\| \`${name}\` \\|[^|]+\\| ${shown(m[name])} \\| ${shown(s[name])} \\|$`, "m"),
        );
    } finally {
      await sqlite.close();
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
