// Promises that a run's code or steps throw away: reported against that run, and never the end of the process (K16). One
// that belongs to no run keeps its meaning: the process ends, loudly. On a file and on both servers.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { killChildren, runChild } from "../support/child-process.ts";
import { type TestDatabase, openTestDatabase, storeNames } from "../support/test-database.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { proves } from "../support/proves.ts";

const home = mkdtempSync(join(tmpdir(), "pawl-rejections-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe.each(storeNames.filter((s) => s !== "mysql" || !skipsWithoutMariadb()))("on %s", (store) => {
  let ground: TestDatabase;
  beforeEach(async () => {
    ground = await openTestDatabase(store, mkdtempSync(join(home, "at-")));
  });
  afterEach(async () => {
    await killChildren();
    await ground.remove();
  });

  it("rejections that a run throws away are told with its id, and the process and the run go on", proves("K16"), async () => {
    const e = await runChild("test/crash/programs/odd.js", { args: [ground.url] });
    const runId = e.lines.find((l) => l.startsWith("run "))?.slice(4);
    expect(e).toMatchObject({ code: 0, signal: null, stderr: "" });
    expect(e.lines.at(-1)).toBe("result fine");
    const told = e.lines.filter((l) => l.includes("unhandled rejection"));
    expect(told).toHaveLength(2);
    for (const what of ["thrown away by the code", "thrown away by a step"])
      expect(told).toContainEqual(expect.stringMatching(new RegExp(`^log warn .*${runId}.*${what}$`)));
  });

  it("a rejection that belongs to no run still ends the process", proves("K16"), async () => {
    const e = await runChild("test/crash/programs/odd.js", { args: [ground.url, "outside"] });
    expect(e.code).toBe(1);
    expect(e.stderr).toContain("nobody's");
    expect(e.lines).not.toContain("still here");
  });
});
