// The first start of a template on real databases, in real processes: four of them at once make one run and one row of each name; one that is
// killed at any statement leaves all of it or nothing, and the next start makes what is missing.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { defaultScope } from "../../src/client/environment.ts";
import type { Template } from "../../src/index.ts";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { scopedCollection } from "../../src/store/keys.ts";
import { killChildren, startChild, type Ended } from "../support/child-process.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { proves } from "../support/proves.ts";
import { openTestDatabase, storeNames, type TestDatabase } from "../support/test-database.ts";
import { wholeDose } from "../support/whole-dose.ts";

const home = mkdtempSync(join(tmpdir(), "pawl-first-start-"));
afterAll(async () => {
  await killChildren();
  rmSync(home, { recursive: true, force: true });
});

const program = "test/dag/programs/template-start.js";
const template: Template = {
  namespace: "shop",
  name: "order",
  version: "1",
  steps: [
    { name: "a", handler: "first" },
    { name: "b", handler: "second", needs: ["a"] },
  ],
};

interface Found {
  readonly runs: number;
  readonly namespaces: number;
  readonly templates: number;
  readonly handlers: number;
}

async function look({ url }: TestDatabase): Promise<Found> {
  const store = await openStore(url, systemPlatform());
  try {
    const count = async (kind: string): Promise<number> =>
      (await store.kv.list({ collection: scopedCollection(kind, defaultScope), limit: 100 })).length;
    const { runs } = await store.runs({ scope: defaultScope, limit: 100 });
    const mine = runs.filter((r) => r.workflow === "shop/order");
    return {
      runs: mine.length,
      namespaces: await count("namespaces"),
      templates: await count("templates"),
      handlers: await count("handlers"),
    };
  } finally {
    await store.close();
  }
}

async function start(db: TestDatabase, o: { starts: number; dieAt?: number }, crash?: string): Promise<Ended> {
  const env = crash === undefined ? {} : { env: { PAWL_CRASH: crash } };
  const child = startChild(program, { args: [JSON.stringify({ store: db.url, template, input: { id: 7 }, ...o })], ...env });
  await child.waitForLine("ready").catch(() => {}); // it may die before
  child.send("go");
  return child.ended;
}
/** SQLite is a library of the process: its crash points stand around the transaction, before, inside and after it. */
const sqlitePoints = ["engine:create", "engine:commit", "engine:created", "engine:ack"].flatMap((p) => [1, 2, 3].map((n) => `${p}#${n}`));
const whole = { runs: 1, namespaces: 1, templates: 1, handlers: 2 };
const nothing = { runs: 0, namespaces: 0, templates: 0, handlers: 0 };
const answersOf = (e: Ended, word: string): { runId?: string; created?: boolean; code?: string }[] =>
  e.lines.filter((l) => l.startsWith(word)).map((l) => JSON.parse(l.slice(word.length)) as { runId: string });

describe.each(storeNames)("%s", { timeout: 240_000 }, (name) => {
  const skip = name === "mysql" && skipsWithoutMariadb();

  it.skipIf(skip)(
    "50 equal first starts from four processes make one run, one namespace, one template and one row for each handler; every caller learns the same run",
    proves("T-04", "T-08", "T-32", "T-40", "TX-09"),
    async () => {
      const db = await openTestDatabase(name, mkdtempSync(join(home, "at-")));
      try {
        const args = [JSON.stringify({ store: db.url, template, input: { id: 7 }, starts: 13 })];
        const children = Array.from({ length: 4 }, () => startChild(program, { args }));
        await Promise.all(children.map((c) => c.waitForLine("ready")));
        for (const c of children) c.send("go");
        const ended = await Promise.all(children.map((c) => c.ended));
        const answers = ended.flatMap((e) => answersOf(e, "started "));
        expect(ended.flatMap((e) => answersOf(e, "refused "))).toEqual([]);
        expect(answers.length).toBe(52);
        expect(answers.filter((a) => a.created).length).toBe(1);
        expect(new Set(answers.map((a) => a.runId)).size).toBe(1);
        expect(await look(db)).toEqual(whole);
      } finally {
        await db.remove();
      }
    },
  );

  it.skipIf(skip)(
    "first starts that are different runs race for the same names: each makes its run, and every name has one row",
    proves("T-05", "T-06", "T-07", "T-31", "T-39", "T-107"),
    async () => {
      const db = await openTestDatabase(name, mkdtempSync(join(home, "at-")));
      try {
        const free = { ...template, identity: { strategy: "unique" } };
        const args = [JSON.stringify({ store: db.url, template: free, input: { id: 7 }, starts: 5 })];
        const children = Array.from({ length: 4 }, () => startChild(program, { args }));
        await Promise.all(children.map((c) => c.waitForLine("ready")));
        for (const c of children) c.send("go");
        const ended = await Promise.all(children.map((c) => c.ended));
        expect(ended.flatMap((e) => answersOf(e, "refused "))).toEqual([]);
        expect(ended.flatMap((e) => answersOf(e, "started ")).filter((x) => x.created).length).toBe(20);
        expect(await look(db)).toEqual({ ...whole, runs: 20 });
      } finally {
        await db.remove();
      }
    },
  );

  it.skipIf(skip)(
    "killed at any statement, a first start leaves all of its rows or none, and the next one makes one run",
    proves("T-25", "T-26", "T-38", "T-66"),
    async () => {
      const seen = new Set<string>();
      // A process for each statement costs more than it shows: in the small dose every third, which meets both ends.
      for (let at = 1; name !== "sqlite" || at <= sqlitePoints.length; at += wholeDose ? 1 : 3) {
        const db = await openTestDatabase(name, mkdtempSync(join(home, "at-")));
        try {
          const ended =
            name === "sqlite" ? await start(db, { starts: 1 }, sqlitePoints[at - 1]) : await start(db, { starts: 1, dieAt: at });
          const found = await look(db);
          expect([whole, nothing], `killed at statement ${at}`).toContainEqual(found);
          seen.add(found.runs === 0 ? "nothing" : "all");
          if (ended.signal !== "SIGKILL" && name !== "sqlite") break;
          if (at % 4 !== 0) continue;
          const again = await start(db, { starts: 1 });
          expect(answersOf(again, "started ").length, again.stderr).toBe(1);
          expect(await look(db)).toEqual(whole);
        } finally {
          await db.remove();
        }
      }
      expect([...seen].toSorted()).toEqual(["all", "nothing"]);
    },
  );

  it.skipIf(skip)("a start of a template with a cycle leaves nothing at all", proves("T-27", "T-30", "T-38", "T-41", "T-61"), async () => {
    const db = await openTestDatabase(name, mkdtempSync(join(home, "at-")));
    try {
      const circle = (n: string, needs: string[]) => ({ name: n, handler: "first", needs });
      const steps = [circle("A", ["C"]), circle("B", ["A"]), circle("C", ["B"])];
      const child = startChild(program, {
        args: [JSON.stringify({ store: db.url, template: { ...template, steps }, input: {}, starts: 1 })],
      });
      child.send("go");
      const ended = await child.ended;
      expect(ended.code).not.toBe(0);
      expect(ended.stderr).toContain("PAWL1024");
      expect(ended.stderr).toContain("C → A → B → C");
      expect(await look(db)).toEqual(nothing);
    } finally {
      await db.remove();
    }
  });
});
