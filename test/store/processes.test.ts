// Real processes on one SQLite file, killed with SIGKILL where it hurts most. Method: a child prints a fact only after
// the store acknowledged it; the parent kills it, or lets a compiled-in crash point do so, then opens the file and
// compares. No test here waits for a time to pass: each waits for a line, an exit, or an answer.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemPlatform } from "../../src/platform/system.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { openConnection } from "../../src/store/sqlite/wire/driver.ts";
import { format, migrations } from "../../src/store/sqlite/migrations.ts";
import { openSqlite } from "../../src/store/sqlite/store.ts";
import { create, event, message, next, claimQuery, scope, serves } from "../../src/store/suite/build.ts";
import { compiledTree } from "../support/compiled-tree.ts";
import { proves } from "../support/proves.ts";
import { sqliteSchema } from "../support/database-schemas.ts";

const child = join(compiledTree(), "test/store/programs/child.js");
let dir: string;
let path: string;
let ledger: string;
const started: ChildProcess[] = [];
const opened: FullStore[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "pawl-processes-"));
  path = join(dir, "store.db");
  ledger = join(dir, "ledger");
});

afterEach(async () => {
  for (const p of started.splice(0)) if (p.exitCode === null && p.signalCode === null) p.kill("SIGKILL");
  for (const s of opened.splice(0)) await s.close();
  rmSync(dir, { recursive: true, force: true });
});

interface Child {
  readonly process: ChildProcess;
  /** The facts it has printed so far. */
  readonly facts: Record<string, unknown>[];
  /** Resolves with its first fact. */
  readonly first: Promise<Record<string, unknown>>;
  readonly ended: Promise<{ code: number | null; signal: string | null; error: string }>;
}

function start(verb: string, args: readonly (string | number)[] = [], crash?: string): Child {
  const env = { ...process.env, ...(crash === undefined ? {} : { PAWL_CRASH: crash }) };
  const p = spawn(process.execPath, [child, verb, path, ...args.map(String)], { env, stdio: ["ignore", "pipe", "pipe"] });
  started.push(p);
  const facts: Record<string, unknown>[] = [];
  let [text, error] = ["", ""];
  let told: (fact: Record<string, unknown>) => void = () => {};
  const first = new Promise<Record<string, unknown>>((resolve) => (told = resolve));
  p.stdout.on("data", (chunk: Buffer) => {
    const lines = (text += chunk.toString()).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const fact = JSON.parse(line) as Record<string, unknown>;
      facts.push(fact);
      told(fact);
    }
  });
  p.stderr.on("data", (chunk: Buffer) => (error += chunk.toString()));
  const ended = new Promise<{ code: number | null; signal: string | null; error: string }>((resolve) => {
    p.on("close", (code, signal) => resolve({ code, signal, error }));
  });
  return { process: p, facts, first, ended };
}

async function open(): Promise<FullStore> {
  const s = await openSqlite(path, systemPlatform());
  opened.push(s);
  return s;
}

const fine = { code: 0, signal: null, error: "" };

describe("two processes on one file", () => {
  it("write side by side, and every acknowledged Commit is there, once and in order", proves("L-22", "L-27", "I1"), async () => {
    const children = ["p1", "p2", "p3"].map((name) => start("write", [name, 3, 40, ledger]));
    expect(await Promise.all(children.map((c) => c.ended))).toEqual([fine, fine, fine]);
    const store = await open();
    const lines = readFileSync(ledger, "utf8").trim().split("\n");
    expect(lines.length).toBe(120);
    expect(lines.every((l) => l.endsWith(" committed committed committed"))).toBe(true);
    for (const name of ["p1", "p2", "p3"]) {
      for (let i = 0; i < 3; i++) {
        const events = await store.events({ runId: `${name}-${i}`, after: 0, limit: 100 });
        expect(events.map((e) => e.runSeq)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
      }
    }
    const db = await openConnection(path);
    expect(db.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
    db.close();
  });

  it("claim disjoint runs, each once", proves("I4", "T-43"), async () => {
    const store = await open();
    const all = Array.from({ length: 60 }, (_, i) => `r${String(i).padStart(2, "0")}`);
    await store.commit(all.map((id) => create(id)));
    const children = ["p1", "p2", "p3"].map((name) => start("claim", [name]));
    expect(await Promise.all(children.map((c) => c.ended))).toEqual([fine, fine, fine]);
    const claims = children.flatMap((c) => c.facts);
    // A process that ends lets go of its runs, but nobody buried it: nothing may be claimed twice.
    expect(claims.map((f) => String(f["claimed"])).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(all);
    expect(claims.every((f) => f["epoch"] === 1)).toBe(true);
  });

  it("count in one row through their transactions without losing an update", proves("I5", "L-27"), async () => {
    const store = await open();
    const db = await openConnection(path);
    db.exec("create table counter (n integer); insert into counter values (0)");
    const children = ["p1", "p2", "p3"].map((name) => start("count", [name, 15]));
    expect(await Promise.all(children.map((c) => c.ended))).toEqual([fine, fine, fine]);
    expect(db.prepare("select n from counter").get()).toEqual({ n: 45 });
    db.close();
    for (const name of ["p1", "p2", "p3"]) expect((await store.run({ runId: name }))?.stateVersion).toBe(16);
  });

  it("a writer killed in mid-stream loses nothing that was acknowledged, and its file opens", proves("I1", "L-25"), async () => {
    const c = start("write", ["p1", 4, 100_000, ledger]);
    while (!existsSync(ledger) || readFileSync(ledger, "utf8").split("\n").length < 30) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    c.process.kill("SIGKILL");
    expect((await c.ended).signal).toBe("SIGKILL");
    const acknowledged = readFileSync(ledger, "utf8").split("\n").length - 1;
    const store = await open();
    const lengths = await Promise.all(
      [0, 1, 2, 3].map(async (i) => (await store.events({ runId: `p1-${i}`, after: 0, limit: 100_000 })).length),
    );
    // One batch may have been committed and not yet written down; never fewer, and the four runs of a batch stand together.
    expect([acknowledged, acknowledged + 1]).toContain(lengths[0]);
    expect(new Set(lengths).size).toBe(1);
    expect((await store.run({ runId: "p1-0" }))?.headSeq).toBe(lengths[0]);
  });
});

describe("evidence of death", () => {
  it("the lock of a killed engine proves its death at once, and its run is taken over", proves("K2", "C3"), async () => {
    const store = await open();
    await store.commit([create("a")]);
    const c = start("hold", ["victim"]);
    expect((await c.first)["holding"]).toEqual(["a"]);
    await store.registerEngine({ engineId: "heir", leaseMs: 3_600_000, serves });
    expect(await store.declareDead({ by: "heir" })).toEqual([]);
    expect(await store.claim(claimQuery("heir"))).toEqual([]);
    c.process.kill("SIGKILL");
    await c.ended;
    expect(await store.declareDead({ by: "heir" })).toEqual(["victim"]);
    const [row] = await store.claim(claimQuery("heir"));
    expect([row?.runId, row?.owner, row?.fence.epoch]).toEqual(["a", "heir", 2]);
    expect(existsSync(join(`${path}-engines`, "victim.lock"))).toBe(false);
  });

  it("a stopped engine still holds its lock: only its lease can declare it dead", proves("K2"), async () => {
    const store = await open();
    await store.commit([create("a")]);
    const c = start("hold", ["sleeper"]);
    await c.first;
    c.process.kill("SIGSTOP");
    expect(await store.declareDead({ by: "heir" })).toEqual([]);
    c.process.kill("SIGKILL");
    await c.ended;
    expect(await store.declareDead({ by: "heir" })).toEqual(["sleeper"]);
  });
});

describe("killed at a crash point", () => {
  const facts = async (crash: string): Promise<{ said: unknown[]; store: FullStore }> => {
    const c = start("path", [], crash);
    expect((await c.ended).signal, crash).toBe("SIGKILL");
    return { said: c.facts.map((f) => f["acknowledged"]), store: await open() };
  };

  it("before the create's COMMIT: nothing exists, and a retry creates one", proves("C1", "L-20"), async () => {
    const { said, store } = await facts("engine:create");
    expect(said).toEqual([]);
    expect((await store.runs({ scope, limit: 9 })).runs).toEqual([]);
    expect((await store.commit([create("a", { idempotencyKey: "k" })])).answers[0]?.kind).toBe("committed");
  });

  it("after the create's COMMIT, before its answer: a retry finds the one run", proves("C2"), async () => {
    const { said, store } = await facts("engine:created");
    expect(said).toEqual([]);
    const c = create("a", { idempotencyKey: "k" }, { events: [event(1)] });
    expect((await store.commit([c])).answers[0]?.kind).toBe("duplicate");
    const other = create("b", { idempotencyKey: "k" });
    expect((await store.commit([other])).answers[0]).toMatchObject({ kind: "conflict", by: "idempotencyKey", existing: { runId: "a" } });
  });

  it("after a claim: the claim stands, its engine is proved dead, another takes over", proves("C3"), async () => {
    const { said, store } = await facts("engine:claim");
    expect(said).toEqual(["create"]);
    expect(await store.run({ runId: "a" })).toMatchObject({ owner: "e", fence: { epoch: 1 } });
    await store.registerEngine({ engineId: "heir", leaseMs: 60_000, serves });
    expect(await store.declareDead({ by: "heir" })).toEqual(["e"]);
    expect((await store.claim(claimQuery("heir"))).map((r) => [r.runId, r.fence.epoch])).toEqual([["a", 2]]);
  });

  it("before a Commit's COMMIT: all of it is gone", proves("L-20", "L-25"), async () => {
    const { said, store } = await facts("engine:commit#2");
    expect(said).toEqual(["create", "claim"]);
    expect((await store.events({ runId: "a", after: 0, limit: 9 })).length).toBe(1);
    expect([await store.views("a"), (await store.run({ runId: "a" }))?.stateVersion]).toEqual([{}, 1]);
  });

  it("after a Commit's COMMIT, before its answer: all of it is there, and asking again is a duplicate", proves("C9", "K10"), async () => {
    const { said, store } = await facts("engine:ack#2");
    expect(said).toEqual(["create", "claim"]);
    const row = await store.run({ runId: "a" });
    expect([row?.stateVersion, row?.headSeq, await store.views("a")]).toEqual([2, 3, { v: "1" }]);
    const again = next({ ...row, stateVersion: 1 } as typeof row & object, {
      events: [event(2), event(3)],
      views: [{ name: "v", value: "1" }],
    });
    expect((await store.commit([again])).answers[0]?.kind).toBe("duplicate");
  });

  it("before a message's COMMIT: nothing durable, the retry is accepted once", proves("W-077"), async () => {
    const { said, store } = await facts("engine:post");
    expect(said).toEqual(["create", "claim", "commit"]);
    expect(await store.inbox({ runId: "a", all: true })).toEqual([]);
    expect(await store.post(message("s1"))).toMatchObject({ kind: "accepted", replayed: false });
    expect((await store.inbox({ runId: "a", all: true })).length).toBe(1);
  });

  it("after a message's COMMIT, before its answer: the retry gets the first result", proves("W-079", "W-092", "I9"), async () => {
    const { store } = await facts("engine:posted");
    const [row] = await store.inbox({ runId: "a" });
    expect(await store.post(message("s1"))).toMatchObject({
      kind: "accepted",
      replayed: true,
      record: { inboxId: row?.inboxId, acceptedAt: row?.acceptedAt },
    });
    expect((await store.inbox({ runId: "a" })).length).toBe(1);
  });

  it("killed at every statement of a migration, the next open does it whole", { ...proves("L-20"), timeout: 300_000 }, async () => {
    const statements = migrations.reduce((n, m) => n + m.statements.length, 0);
    const schemas = new Set<string>();
    for (let n = 1; n <= statements + 2; n++) {
      const c = start("open", [], `engine:migrate:${n}`);
      expect((await c.ended).signal, `statement ${n}`).toBe("SIGKILL");
      const db = await openConnection(path);
      schemas.add(sqliteSchema(db));
      db.close();
      if (n === statements + 2) break;
      expect(schemas, `nothing of statement ${n} is left`).toEqual(new Set([""]));
    }
    expect(schemas.size, "after COMMIT all of it is there").toBe(2);
    const store = await open();
    expect((await store.info()).format).toBe(format);
    expect((await store.commit([create("a")])).answers[0]?.kind).toBe("committed");
  });
});
