// A store that will not hold a snapshot: the run does not notice. Its outcomes are committed without, nothing runs twice, and the engine counts
// what was dropped. On a real server the reason is a small max_allowed_packet.
import { expect, it } from "vitest";
import { append, graph, sum } from "../../src/graph.ts";
import { dag, engine as openEngine } from "../../src/index.ts";
import { sha256Hex } from "../../src/platform/crypto/hash.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { CommitAnswer } from "../../src/store/port.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { freshDatabase, rawConnection } from "../mysql/bundle.ts";
import { skipsWithoutMariadb, startMariadb } from "../support/mariadb.ts";
import { proves } from "../support/proves.ts";
import { testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();
const noServer = skipsWithoutMariadb();

/** Layers of nodes that may not repeat, each counted. */
function layers(depth: number, width: number, name: (at: string) => string, ran: string[]): AnyWorkflow {
  return dag({ name: "layers", version: "1" }, (t) => {
    let before: Record<string, { id: string }> = {};
    for (let d = 0; d < depth; d++) {
      const now: Record<string, { id: string }> = {};
      for (let w = 0; w < width; w++) {
        const id = name(`n${d}_${w}`);
        now[id] = t.task(id, before as never, (() => ran.push(id)) as never, { once: true } as never);
      }
      before = now;
    }
    return t.task("end", before as never, (() => "done") as never);
  }) as unknown as AnyWorkflow;
}

/** It does not get smaller when it is deflated. */
function longName(at: string): string {
  const digests = [1, 2, 3, 4].map((n) => Buffer.from(sha256Hex(`${at} ${n}`), "hex").toString("base64url"));
  return `${at}.${digests.join("")}`;
}

/** Answers what carries a snapshot as a store does that cannot hold it: nothing of it is written. */
function refusingSnapshots(store: FullStore): FullStore {
  return {
    ...store,
    async commit(batch, renewal) {
      const kept = batch.filter((c) => c.snapshot === undefined);
      const { answers, renewal: renewed } = await store.commit(kept, renewal);
      const refused: CommitAnswer = { kind: "refused", reason: "too large" };
      return { answers: batch.map((c) => (c.snapshot === undefined ? answers[kept.indexOf(c)]! : refused)), renewal: renewed };
    },
  };
}

it("a store that refuses snapshots loses no outcome, and nothing that was sent is sent again", proves("K12"), async () => {
  const l = await fresh("memory");
  const ran: string[] = [];
  const wf = layers(4, 3, (at) => at, ran);
  const { engine, core } = await l.engine([wf], { limits: { snapshotTailBytesMin: 1 }, wrap: refusingSnapshots });
  const h = await engine.start(wf);
  expect(await l.advanceUntil(h.result())).toBe("done");
  expect(ran.length).toBe(12);
  expect(new Set(ran).size).toBe(12);
  expect(core.metrics.get("pawl_snapshots_refused_total")).toBe(1);
  expect(core.metrics.get("pawl_snapshots_written_total")).toBe(0);
  expect(await l.lines(h.runId)).not.toContain("pawl.Snapshot");
});

/** A graph whose state becomes larger than a packet: each superstep still is one Commit, with its row, and each step runs once. */
async function growBeyondPacket(url: string): Promise<void> {
  const ran: number[] = [];
  const rounds = 150;
  const text = (n: number): string => [1, 2, 3, 4].map((k) => longName(`${n}.${k}`)).join("");
  const g = graph({ name: "grows", state: { list: append<string>(), n: sum() }, result: (s) => s.list.length })
    .nodes({
      work: async (s, ctx) => ({ n: 1, list: await ctx.step("work", () => (ran.push(s.n), text(s.n)), { once: true }) }),
    })
    .edges({ start: "work", work: (s) => (s.n < rounds ? "work" : "end") });
  const e = await openEngine({ store: url, workflows: [g], limits: { snapshotTailBytesMin: 40_000 }, log: () => {} });
  const h = await e.start(g, {});
  expect(await h.result()).toBe(rounds);
  const metrics = e.metrics();
  await e.stop();
  expect(ran).toEqual(Array.from({ length: rounds }, (_, i) => i));
  expect(metrics).toMatch(/^pawl_snapshots_refused_total [1-9]/m);
  const db = await rawConnection(url);
  const { rows } = await db.query("select count(*) as n from pawl_checkpoints");
  await db.close();
  expect(Number(rows[0]?.["n"])).toBe(rounds + 1);
}

it.skipIf(noServer)("on a server with a small packet, snapshots are dropped and outcomes are intact", proves("K12"), async () => {
  const server = await startMariadb({ max_allowed_packet: "65536" });
  try {
    const url = await freshDatabase(server.url);
    const ran: string[] = [];
    const wf = layers(40, 10, longName, ran);
    const e = await openEngine({ store: url, workflows: [wf], limits: { snapshotTailBytesMin: 40_000 }, log: () => {} });
    const h = await e.start(wf);
    expect(await h.result()).toBe("done");
    const metrics = e.metrics();
    await e.stop();
    expect(ran.length).toBe(400);
    expect(new Set(ran).size).toBe(400);
    expect(metrics).toMatch(/^pawl_snapshots_refused_total [1-9]/m);
    expect(metrics).toMatch(/^pawl_snapshots_written_total [1-9]/m); // while they were small
    const db = await rawConnection(url);
    const { rows } = await db.query("select count(*) as n from pawl_events where event_type = 'StepCompleted'");
    await db.close();
    expect(Number(rows[0]?.["n"])).toBe(401);
    await growBeyondPacket(url);
  } finally {
    await server.stop();
  }
});
