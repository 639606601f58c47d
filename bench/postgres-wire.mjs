// What sending statements past pg's own queries saves (src/store/postgres/wire): the CPU of the client for one Commit and for a batch of 64, both
// ways in turns, on a server of its own. `node --import ./test/support/typescript.mjs bench/postgres-wire.mjs`
import { systemPlatform } from "../src/platform/system.ts";
import { manyQuery, oneQuery } from "../src/store/postgres/commit-sql.ts";
import { openPostgres } from "../src/store/postgres/store.ts";
import { openConnection } from "../src/store/postgres/wire/driver.ts";
import { create, event, next } from "../src/store/suite/build.ts";
import { startPostgres } from "../test/support/postgres.ts";

const runs = Array.from({ length: 64 }, (_, i) => `run-${String(i).padStart(32, "0")}`);
const server = await startPostgres({});
const options = "-c synchronous_commit=off";
const store = await openPostgres(server.url, systemPlatform(), { acceptUnsafe: true });
await store.commit(runs.map((id) => create(id, {}, { events: [event(1)] })));
const versions = new Map(runs.map((id) => [id, 1]));
let n = 0;
/** @param {number} of */
const hex = (of) => of.toString(16).padStart(64, "0");

/** The next step of a run: two events, as steps have them. @param {string} runId */
function step(runId) {
  const stateVersion = versions.get(runId) ?? 0;
  versions.set(runId, stateVersion + 1);
  const events = [0, 1].map((k) => {
    const id = hex(++n);
    const text = { eventId: id.slice(0, 36), idempotencyKey: id, payload: `{"v":${n}}`, salt: id.slice(0, 32), payloadHash: id, link: id };
    return event(stateVersion * 2 + k, text);
  });
  const row = /** @type {never} */ ({ runId, fence: { epoch: 0, token: "" }, stateVersion });
  return next(row, { commitId: hex(++n), events });
}

const ways = await Promise.all(
  [false, true].map((plainQueries) => openConnection({ connectionString: server.url, options, connectMsMax: 5_000, plainQueries })),
);
let turn = 0;
const shapes = {
  "one Commit": { make: () => oneQuery("pawl", null, step(runs[turn++ % 64] ?? "")), count: 1_500 },
  "a batch of 64": { make: () => manyQuery("pawl", null, runs.map(step), undefined), count: 60 },
};
for (const [name, { make, count }] of Object.entries(shapes)) {
  /** @type {number[][]} */
  const spent = [[], []];
  for (let round = 0; round < 7; round++) {
    for (const [i, c] of ways.entries()) {
      const queries = Array.from({ length: count }, make);
      const before = process.cpuUsage();
      for (const q of queries) if ((await c.query(q)).rows.length === 0) throw new Error("nothing was written");
      const { user, system } = process.cpuUsage(before);
      spent[i]?.push((user + system) / count);
    }
  }
  const [direct, plain] = spent.map((all) =>
    all
      .slice(1)
      .toSorted((a, b) => a - b)[3]
      ?.toFixed(0),
  );
  console.log(`${name}: ${direct} µs direct, ${plain} µs through pg's own queries`);
}
for (const c of ways) await c.end();
await store.close();
await server.stop();
