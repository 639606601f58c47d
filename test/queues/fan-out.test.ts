// A run with a step for each of 250 items whose owner is killed while it puts them on the queue: what had been enqueued stays, the rest is enqueued by the
// next owner, and nothing twice. Real processes on real databases; the effects are counted in a file that no engine reads.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { defaultScope } from "../../src/client/environment.ts";
import { connect } from "../../src/client.ts";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { requests } from "../crash/programs/receiver.ts";
import { killChildren, startChild, type Child } from "../support/child-process.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { proves } from "../support/proves.ts";
import { openTestDatabase } from "../support/test-database.ts";

afterEach(killChildren);
const items = 250;

describe.each([
  ["sqlite", false],
  ["postgres", false],
  ["mysql", skipsWithoutMariadb()],
] as const)("on %s", (kind, skip) => {
  it.skipIf(skip)(
    "an owner killed after it enqueued some of 250 steps: the next two enqueue the rest once, and skip what is enqueued, at work, done or failed",
    { ...proves("T-33", "T-34", "T-35", "T-36", "T-42", "T-44", "T-64", "T-66", "T-108", "T-109", "C11", "C4"), timeout: 120_000 },
    async () => {
      const home = mkdtempSync(join(tmpdir(), `pawl-fan-out-${kind}-`));
      const ground = await openTestDatabase(kind, home);
      const [ledger, go] = [join(home, "ledger"), join(home, "go")];
      const start = (role: "owner" | "worker", crash?: string): Child =>
        startChild("test/queues/programs/fan-out.js", {
          args: [JSON.stringify({ role, store: ground.url, ledger, id: "wide", items, go })],
          ...(crash === undefined ? {} : { env: { PAWL_CRASH: crash } }),
        });
      const first = start("owner", "engine:dispatch#2");
      expect((await first.ended).signal).toBe("SIGKILL");

      const store = await openStore(ground.url, systemPlatform());
      const client = await connect({ store });
      const runId = (await client.get("wide"))!.runId;
      const log = async () =>
        (await store.events({ runId, after: 0, limit: 10_000 })) as readonly { eventType: string; stepId: string | null; runSeq: number }[];
      const started = async (): Promise<string[]> =>
        (await log())
          .filter((e) => e.eventType === "StepStarted" && e.stepId?.startsWith("each/") === true)
          .map((e) => `${e.runSeq} ${e.stepId}`);
      const enqueued = async (): Promise<string[]> =>
        (await store.queues.rows({ scope: defaultScope, runId, limit: 1_000 })).map((r) => `${r.seq} ${r.stepId}`);
      // State and queue are one commit: what is on the queue is in the log, and what the log says is on the queue.
      const before = await enqueued();
      expect(before.length).toBeGreaterThan(0);
      expect(before.length).toBeLessThan(items);
      expect(before.toSorted()).toEqual((await started()).toSorted());

      // A worker does what is there, without any owner, and has some of it at work when the next ones come.
      const w = start("worker");
      while (requests(ledger).filter((r) => r.key.startsWith("held")).length < 10) await new Promise((done) => setTimeout(done, 20));
      const owners = [start("owner"), start("owner")];
      await Promise.all(owners.map((o) => o.waitForLine("ready")));
      while ((await started()).length < items) await new Promise((done) => setTimeout(done, 20));
      writeFileSync(go, "");
      expect(await client.waitForEnd("wide")).toMatchObject({ status: "FAILED" });

      const sent = new Map<string, number>();
      for (const r of requests(ledger)) sent.set(r.key, (sent.get(r.key) ?? 0) + 1);
      expect([...sent].filter(([, n]) => n !== 1)).toEqual([["once", 2]]);
      expect(sent.size).toBe(items);
      const starts = (await started()).map((s) => s.split(" ")[1]!);
      expect(starts.length).toBe(items + 1); // the retry of one
      expect(new Set(starts).size).toBe(items);
      expect((await log()).filter((e) => e.eventType === "pawl.StepRedispatched")).toEqual([]);
      expect(await enqueued()).toEqual([]);
      w.signal("SIGKILL");
      await client.close();
      await store.close();
      await killChildren();
      await ground.remove();
      rmSync(home, { recursive: true, force: true });
    },
  );
});
