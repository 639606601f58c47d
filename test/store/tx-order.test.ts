// ctx.tx from beginning to end, on every store with SQL, seen by another process: what is there while the function runs, what
// when the database has said yes, and what the code has by then. Guards the order that K11 gives, and the time it allows.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { workflow } from "../../src/index.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { proves } from "../support/proves.ts";

describe.each(testStores.filter(([name]) => name !== "memory"))("ctx.tx on %s", (name, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
  });
  afterEach(() => b.close());

  it(
    "its start is there before it, its rows and its outcome come together and alone, and only then has the code its value",
    proves("K11", "I5"),
    async () => {
      await b.createTable("create table cups (n integer not null)");
      const apart = await b.reopen();
      const log = async (runId: string): Promise<string[]> =>
        (await apart.events({ runId, after: 0, limit: 99 })).flatMap((e) => (e.stepId === "pour" ? [e.eventType] : []));
      let got = 0;
      const [limits, grouped]: [number[], string[]] = [[], []];
      const seen: Record<string, unknown> = {};
      let runId = "";
      const inner = await b.reopen();
      const store: FullStore = {
        ...inner,
        commit(batch, renewal) {
          for (const c of batch) for (const e of c.events) if (e.stepId === "pour") grouped.push(e.eventType);
          return inner.commit(batch, renewal);
        },
        async transact(user, seal, timeoutMs) {
          limits.push(timeoutMs);
          const answer = await inner.transact(user, seal, timeoutMs);
          seen["acknowledged"] = { log: await log(runId), rows: await b.countRows("cups"), got };
          return answer;
        },
      };
      const wf = workflow({ name: "wf" }, async (ctx) => {
        got = await ctx.tx("pour", async (db) => {
          runId = ctx.run.runId;
          await db.sql`insert into cups values (${7})`;
          seen["inside"] = { log: await log(runId), rows: await b.countRows("cups") };
          if (name === "sqlite") seen["waits"] = Object.values((await db.sql`pragma busy_timeout`).rows[0] ?? {});
          return 7;
        });
        return got;
      });
      const { engine } = await b.engine({ store, workflows: [wf] });
      expect(await engine.run(wf)).toBe(7);
      expect(seen).toEqual({
        inside: { log: ["StepStarted"], rows: 0 },
        acknowledged: { log: ["StepStarted", "StepCompleted"], rows: 1, got: 0 },
        ...(name === "sqlite" ? { waits: [0] } : {}),
      });
      expect(grouped, "of all that goes with other Commits").toEqual(["StepStarted"]);
      expect(limits).toEqual([5_000]);
    },
  );
});
