// Q1: what a claim costs beside a million ready rows with a hundred thousand of a task that nobody serves in front of them, over what it costs
// beside a thousand. Q2: claims and ends while another session holds an old snapshot, over the same before it: dead rows must not be looked at
// again and again. On Postgres; the rows are made by the server itself.
import pg from "pg";
import { systemPlatform } from "../../dist/platform/system.js";
import { openPostgres } from "../../dist/store/postgres/store.js";
import { median, rounded } from "../stats.mjs";

const scope = { tenantId: "default", projectId: "default", environmentId: "default" };
const scopeText = "default/default/default";
const batch = 16;

/** @param {import("../servers.mjs").Server} server @param {import("./suite.mjs").QueuePlan} plan @param {import("./suite.mjs").QueueJudge} judge */
export async function measureClaims(server, plan, judge) {
  if (server.store !== "postgres") return;
  const wanted = (/** @type {string} */ id) => plan.only.length === 0 || plan.only.includes(id);
  const place = await server.fresh();
  const platform = systemPlatform();
  const store = await openPostgres(place.url, platform);
  const sql = new pg.Client({ connectionString: place.url });
  await sql.connect();
  try {
    const worker = platform.uuidV7();
    await store.registerEngine({ engineId: worker, leaseMs: 3_600_000, serves: [], scope, kind: "worker" });
    const [queue] = await store.queues.open(scope, ["bench"]);
    const run =
      "insert into pawl.runs (run_id, scope, workflow_id, generation, workflow, version, status, epoch, token, state_version, commit_id, head_seq, head_link, " +
      `persisted_at, created_at, tags, input_digest, root_run_id, idle_claims, exact_version) values ('r', '${scopeText}', 'r', 1, 'w', '1', 'RUNNING', 1, 't', 1, 'c', 2, 'l', 1, 1, '{}', 'd', 'r', 0, false)`;
    await sql.query(run);
    let made = 0;
    /** @param {number} n @param {string} task @param {number} rank */
    const make = async (n, task, rank) => {
      await sql.query(
        "insert into pawl.dispatches (scope, run_id, seq, what, step_id, attempt, engine_attempt, queue, task, rank_at, held, spec, enqueued_at) " +
          `select '${scopeText}', 'r', ${made} + g, 'run', 's' || g, 1, 1, 'bench', $1, $2 + g, false, '{}', 1 from generate_series(1, ${n}) g`,
        [task, rank],
      );
      made += n;
      await sql.query("vacuum analyze pawl.dispatches");
    };
    /** @param {boolean} finish @param {number | null} from */
    const claim = async (finish, from) => {
      const tokens = Array.from({ length: batch }, () => platform.randomHex(16));
      const q = {
        worker,
        scope,
        queue: "bench",
        version: queue?.version ?? 1,
        tasks: ["known"],
        limit: batch,
        tokens,
        beginWithinMs: 1_000,
        from,
      };
      const began = performance.now();
      const answer = await store.queues.claim(q);
      const ms = performance.now() - began;
      if (answer.kind !== "claimed" || answer.rows.length !== batch)
        throw new Error(`a claim found ${JSON.stringify(answer).slice(0, 200)}`);
      const held = answer.rows.map((d) => ({ dispatchId: d.dispatchId, token: d.token ?? "" }));
      if (finish) await store.queues.finish(held.map((h) => ({ ...h, end: { kind: "result", report: { ok: true } } })));
      else await store.queues.giveBack(held);
      return { ms, whole: performance.now() - began, rank: answer.rows.at(-1)?.rankAt ?? null };
    };
    /** @param {number} times */
    const cost = async (times) => {
      const took = [];
      for (let i = 0; i < times; i++) took.push((await claim(false, null)).ms);
      return median(took);
    };
    const samples = plan.small ? 20 : 200;
    if (wanted("Q1")) {
      await make(1_000, "known", 10_000_000);
      await cost(samples);
      const beside = await cost(samples);
      await make(plan.small ? 1_000 : 100_000, "unknown", 0);
      await make(plan.small ? 10_000 : 1_000_000, "known", 20_000_000);
      await cost(samples);
      const among = await cost(samples);
      judge(
        {
          id: "Q1",
          what: "a claim beside a million ready rows",
          store: server.store,
          value: rounded(among),
          unit: "ms",
          figures: { "ms beside 1,000": rounded(beside), "ms beside a million": rounded(among), times: rounded(among / beside) },
        },
        [{ what: "times", wanted: 1.5, found: rounded(among / beside), met: among <= 1.5 * beside }],
      );
    }
    if (wanted("Q2")) {
      await sql.query("truncate pawl.dispatches");
      await make(plan.small ? 2_000 : 60_000, "known", 0);
      const times = plan.small ? 20 : 500;
      /** As a worker that was hinted: from the last rank on. */
      let rank = /** @type {number | null} */ (null);
      const rate = async () => {
        const began = performance.now();
        for (let i = 0; i < times; i++) rank = (await claim(true, rank)).rank;
        return times / ((performance.now() - began) / 1_000);
      };
      await rate();
      const before = await rate();
      const old = new pg.Client({ connectionString: place.url });
      await old.connect();
      await old.query("begin isolation level repeatable read");
      await old.query("select count(*) from pawl.dispatches");
      await rate();
      const behind = await rate();
      await old.end();
      judge(
        {
          id: "Q2",
          what: "claims behind an old snapshot",
          store: server.store,
          value: rounded(behind),
          unit: "claims/s",
          figures: { "claims/s before": rounded(before), "claims/s behind it": rounded(behind), share: rounded(behind / before) },
        },
        [{ what: "share", wanted: 0.8, found: rounded(behind / before), met: behind >= 0.8 * before }],
      );
    }
  } finally {
    await sql.end();
    await store.close();
    await place.remove();
  }
}
