// Real processes on real databases: every class of step on a queue, its worker or the run's owner killed by SIGKILL at every point of a
// dispatch's life, the effects counted in a file that no engine reads.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { requests } from "../crash/programs/receiver.ts";
import { killChildren, startChild, type Child } from "../support/child-process.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { proves } from "../support/proves.ts";
import { openTestDatabase, type TestDatabase } from "../support/test-database.ts";

const program = "test/queues/programs/queues.js";
const classes = ["repeatable", "undeclared", "keyed", "verified", "once"] as const;
type Outcome = Readonly<Record<(typeof classes)[number], string>>;
const all = (what: string): Outcome => ({ repeatable: what, undeclared: what, keyed: what, verified: what, once: what });
const afterSend: Outcome = { ...all("2 sends, COMPLETED"), verified: "1 sends, COMPLETED", once: "1 sends, decision" };

describe.each([
  ["sqlite", false],
  ["postgres", false],
  ["mysql", skipsWithoutMariadb()],
] as const)("on %s", (kind, skip) => {
  let home: string;
  let ground: TestDatabase | null = null;
  let store: string;
  beforeAll(async () => {
    if (skip) return;
    home = mkdtempSync(join(tmpdir(), `pawl-queues-${kind}-`));
    if (kind === "sqlite") store = `sqlite:${join(home, "state.db")}`;
    else {
      ground = await openTestDatabase(kind, home);
      store = ground.url;
    }
  }, 120_000);
  afterEach(killChildren);
  afterAll(async () => {
    await killChildren();
    if (skip) return;
    await ground?.remove();
    rmSync(home, { recursive: true, force: true });
  });

  const place = (prefix: string) => {
    const ledger = join(home, `${prefix}.ledger`);
    const hold = join(home, `${prefix}.go`);
    const start = (role: "owner" | "worker" | "both", o: object = {}, crash?: string): Child =>
      startChild(program, {
        args: [JSON.stringify({ role, store, ledger, prefix, ...o })],
        ...(crash === undefined ? {} : { env: { PAWL_CRASH: crash } }),
      });
    /** What became of each class, once it is known. */
    const outcome = async (): Promise<Outcome> => {
      const client = await connect({ store });
      const found: Record<string, string> = {};
      for (const c of classes) {
        for (;;) {
          const row = await client.get(`${prefix}-${c}`);
          const end = row?.status === "RUNNING" ? (row.waiting === "decision" ? "decision" : undefined) : row?.status;
          if (end !== undefined) {
            const sends = requests(ledger).filter((r) => r.key.startsWith(`${c} `));
            expect(new Set(sends.map((r) => r.key)).size, "one key for all sends of a step").toBeLessThanOrEqual(1);
            found[c] = `${sends.length} sends, ${end}`;
            break;
          }
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
      await client.close();
      return found as Outcome;
    };
    return { start, outcome, hold, ledger };
  };
  const killed = async (c: Child): Promise<void> => expect((await c.ended).signal).toBe("SIGKILL");
  const sentAll = async (c: Child): Promise<void> => void (await Promise.all(classes.map((x) => c.waitForLine(`sent ${x}`))));

  it.skipIf(skip)(
    "the owner is killed with everything unclaimed: each step runs once",
    { ...proves("C5", "K26"), timeout: 120_000 },
    async () => {
      const { start, outcome } = place("unclaimed");
      const owner = start("owner");
      await owner.waitForLine("ready");
      owner.signal("SIGKILL");
      await killed(owner);
      start("owner");
      start("worker");
      expect(await outcome()).toEqual(all("1 sends, COMPLETED"));
    },
  );

  it.skipIf(skip)("a worker killed when it has claimed and begun nothing: by class", { ...proves("K26"), timeout: 120_000 }, async () => {
    const { start, outcome } = place("claimed");
    await start("owner").waitForLine("ready");
    await killed(start("worker", {}, "worker:claimed"));
    start("worker");
    expect(await outcome()).toEqual({ ...all("1 sends, COMPLETED"), once: "0 sends, decision" });
  });

  it.skipIf(skip)(
    "a worker killed with everything sent and nothing reported: by class",
    { ...proves("K26", "K25", "I6", "I7"), timeout: 120_000 },
    async () => {
      const { start, outcome, hold } = place("begun");
      await start("owner").waitForLine("ready");
      const w = start("worker", { hold });
      await sentAll(w);
      w.signal("SIGKILL");
      await killed(w);
      start("worker");
      expect(await outcome()).toEqual(afterSend);
    },
  );

  it.skipIf(skip)("a worker killed before its reports are written: by class", { ...proves("K26"), timeout: 120_000 }, async () => {
    const { start, outcome, hold } = place("done");
    await start("owner").waitForLine("ready");
    const w = start("worker", { hold }, "worker:result");
    await sentAll(w);
    writeFileSync(hold, "");
    await killed(w);
    start("worker");
    expect(await outcome()).toEqual(afterSend);
  });

  it.skipIf(skip)(
    "a worker killed after its reports are written, and the owner killed when it takes them: nothing is sent again",
    { ...proves("Q-15", "T-47", "T-48", "T-71", "T-110", "T-113"), timeout: 120_000 },
    async () => {
      const { start, outcome } = place("reported");
      const owner = start("owner", {}, "engine:adopt");
      await owner.waitForLine("ready");
      await Promise.all(classes.map(async (only) => killed(start("worker", { only }, "worker:reported"))));
      await killed(owner);
      start("owner");
      expect(await outcome()).toEqual(all("1 sends, COMPLETED"));
    },
  );

  it.skipIf(skip)(
    "an owner that runs its own steps from the queue is killed as it takes their results: by class",
    { ...proves("K26"), timeout: 120_000 },
    async () => {
      const { start, outcome, hold } = place("handed");
      const client = await connect({ store });
      // A limited queue is served by claims alone: no row is born claimed.
      await client.queues.set("q-handed", { concurrency: 100 }, { by: "ann", reason: "a test" });
      await client.close();
      const owner = start("both", { hold }, "engine:hand-over");
      await sentAll(owner);
      writeFileSync(hold, "");
      await killed(owner);
      start("both", { hold });
      expect(await outcome()).toEqual(afterSend);
    },
  );

  it.skipIf(skip)(
    "an owner is killed while a step of its own waits for a place: what had not begun runs once",
    { ...proves("K26"), timeout: 120_000 },
    async () => {
      const { start, outcome, hold } = place("waiting");
      // All places are taken: by steps that hold, the last by `repeatable`. `undeclared` is written as claimed, and waits.
      await killed(start("both", { hold, places: 4 }, "engine:own-wait"));
      writeFileSync(hold, "");
      start("both", { hold });
      expect(await outcome()).toEqual({ ...all("1 sends, COMPLETED"), repeatable: "2 sends, COMPLETED" });
    },
  );

  it.skipIf(skip)("owner and worker are killed together: by class", { ...proves("K26"), timeout: 120_000 }, async () => {
    const { start, outcome, hold } = place("both");
    const owner = start("owner");
    await owner.waitForLine("ready");
    const w = start("worker", { hold });
    await sentAll(w);
    owner.signal("SIGKILL");
    w.signal("SIGKILL");
    await Promise.all([killed(owner), killed(w)]);
    start("owner");
    start("worker");
    expect(await outcome()).toEqual(afterSend);
  });

  it.skipIf(skip)(
    "a worker stopped past its lease and woken writes nothing stale, and a doubt takes its word",
    { timeout: 120_000 },
    async () => {
      const { start, outcome, hold } = place("stopped");
      await start("owner").waitForLine("ready");
      const w = start("worker", { hold });
      await sentAll(w);
      w.signal("SIGSTOP");
      start("worker");
      expect(await outcome()).toEqual(afterSend);
      writeFileSync(hold, "");
      w.signal("SIGCONT");
      await w.waitForLine("log warn the report of step repeatable came after its dispatch had ended");
      const client = await connect({ store });
      // The doubt is settled by what the worker says when it wakes.
      expect(await client.waitForEnd("stopped-once")).toMatchObject({ status: "COMPLETED", result: "once stopped-once" });
      await client.close();
      expect((await outcome()).repeatable).toBe("2 sends, COMPLETED");
    },
  );
});
