// A process on a SQLite store, for tests that kill it. Prints one JSON line per fact, each only after the store has
// acknowledged it, so that the parent knows exactly what must have survived. Never decides what is right.
import { appendFileSync } from "node:fs";
import { sqlite } from "../../../src/sqlite.ts";
import { create, event, message, next, claimQuery, serves } from "../../../src/store/suite/build.ts";

const [verb, path, ...args] = process.argv.slice(2);
const say = (fact) => process.stdout.write(`${JSON.stringify(fact)}\n`);

const verbs = {
  /** Opens and closes: what migrates a new file. */
  async open() {
    const store = await sqlite(path);
    say({ format: (await store.info()).format });
    await store.close();
  },

  /** Creates runs of its own and commits to them, as fast as answers come. */
  async write(name, runs, commits) {
    const store = await sqlite(path);
    await store.registerEngine({ engineId: name, leaseMs: 60_000, serves });
    let rows = [];
    for (let i = 0; i < Number(runs); i++) {
      const c = create(`${name}-${i}`, { owner: name, fence: { epoch: 1, token: name } });
      await store.commit([c]);
      rows.push({ runId: c.runId, fence: { epoch: 1, token: name }, stateVersion: 1 });
    }
    for (let n = 1; n <= Number(commits); n++) {
      const { answers } = await store.commit(rows.map((r) => next(r, { events: [event(n)] })));
      rows = rows.map((r) => ({ ...r, stateVersion: r.stateVersion + 1 }));
      appendFileSync(args.at(-1), `${name} ${n} ${answers.map((a) => a.kind).join(" ")}\n`);
    }
    await store.close();
    say({ done: name });
  },

  /** Claims whatever it can until nothing is left, writing down each claim it was given. */
  async claim(name) {
    const store = await sqlite(path);
    await store.registerEngine({ engineId: name, leaseMs: 60_000, serves });
    for (;;) {
      const rows = await store.claim(claimQuery(name, { limit: 3 }));
      if (rows.length === 0) break;
      for (const r of rows) say({ claimed: r.runId, epoch: r.fence.epoch });
    }
    await store.close();
  },

  /** Becomes an engine with a long lease, claims a run, and stays. */
  async hold(name) {
    const store = await sqlite(path);
    await store.registerEngine({ engineId: name, leaseMs: 3_600_000, serves });
    const rows = await store.claim(claimQuery(name));
    say({ holding: rows.map((r) => r.runId), pid: process.pid });
    setInterval(() => void store.name, 1_000); // keeps the store: its lock goes with it when it is collected
  },

  /** One verb of each kind, in order; a crash point in the environment ends it somewhere. */
  async path() {
    const store = await sqlite(path);
    await store.registerEngine({ engineId: "e", leaseMs: 3_600_000, serves });
    await store.commit([create("a", { idempotencyKey: "k" }, { events: [event(1)] })]);
    say({ acknowledged: "create" });
    const [row] = await store.claim(claimQuery("e"));
    say({ acknowledged: "claim" });
    await store.commit([next(row, { events: [event(2), event(3)], views: [{ name: "v", value: "1" }] })]);
    say({ acknowledged: "commit" });
    await store.post(message("s1"));
    say({ acknowledged: "post" });
    await store.close();
  },

  /** Adds to a counter through ctx.tx, one run each. */
  async count(name, times) {
    const store = await sqlite(path);
    await store.registerEngine({ engineId: name, leaseMs: 60_000, serves });
    const fence = { epoch: 1, token: name };
    await store.commit([create(name, { owner: name, fence })]);
    for (let n = 0; n < Number(times); n++) {
      const bump = async (sql) => {
        const { rows } = await sql.query(["select n from counter"], []);
        await sql.query(["update counter set n = ", ""], [Number(rows[0].n) + 1]);
      };
      const { answer } = await store.transact(bump, () => next({ runId: name, fence, stateVersion: n + 1 }), 5_000);
      if (answer.kind !== "committed") throw new TypeError(answer.kind);
    }
    await store.close();
    say({ done: name });
  },
};

await verbs[verb](...args);
