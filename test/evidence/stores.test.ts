// Evidence on every store: what each one wrote, in the bytes it kept, verifies; runs that an earlier version of Pawl wrote verify
// too, and so does evidence taken while the run goes on.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultScope } from "../../src/client/environment.ts";
import { localClient } from "../../src/client/local-client.ts";
import { checkLimits } from "../../src/core/limits.ts";
import { workflow } from "../../src/index.ts";
import { verify, type Verification } from "../../src/verify.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { keptDatabases, type Kind } from "../upgrade/database-dump.ts";
import { restoreDatabase } from "../upgrade/restored-database.ts";
import { proves } from "../support/proves.ts";

const failing = (v: Verification): unknown[] => v.checks.filter((c) => c.state === "fail");
/** Text that stores and encodings like to change. */
const odd = "é é 𝒫 \u2028 \\u0000 \" ' \\ 0.1 1e21 \r\n\t";

const child = workflow({ name: "child", input: z.number() }, async (ctx, n) => ctx.step("double", () => n * 2));
const order = workflow(
  { name: "order", version: "v 2", input: z.any(), signals: { go: z.any() } },
  async (ctx, { sql }: { sql: boolean }) => {
    let tries = 0;
    await ctx.step("flaky", () => (++tries < 3 ? Promise.reject(new Error(odd)) : odd), {
      key: "k 1",
      dedup: "1d",
      retry: { attempts: 5, initial: 1 },
    });
    if (sql === true) await ctx.tx("row", async (db) => (await db.sql`select 1 as one`).rows.length);
    await ctx.step("once", () => ({ nul: "a\0b", lone: "\ud800", big: "x".repeat(300_000) }), { once: true });
    await ctx.step("asked", () => [1, 2n, new Date(0)], { verify: async () => ({ state: "indeterminate" }) });
    await ctx.sleep("nap", 1);
    const got = await ctx.receive("go");
    return [got, await ctx.call(child, 21), await Promise.all(["a", "b", "c"].map((x) => ctx.step(x, () => x)))];
  },
);

describe.each(testStores)("on %s", (_, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
  });
  afterEach(() => b.close());

  it(
    "what the store kept verifies, byte for byte, with its ledger; so does what was there in the middle of the run",
    proves("K22"),
    async () => {
      const { engine, client } = await b.engine({ workflows: [order, child] });
      const h = await engine.start(order, { odd, sql: b.store.capabilities().sql }, { id: odd.replaceAll(/\p{Cc}/gu, "") });
      await client.waitForChange(h.runId, { timeoutMs: 50 });
      for (let i = 0; i < 5; i++) expect(failing(verify(await h.evidence()))).toEqual([]);
      await h.signal("go", odd);
      await h.result();
      for (const o of [{}, { payloads: false }, { redact: ["**.big", "input"] }]) {
        const v = verify(await b.client().evidence(h.runId, o));
        expect(failing(v)).toEqual([]);
        expect(v).toMatchObject({ status: "COMPLETED", ok: true });
        expect(v.checks.find((c) => c.check === "ledger")?.state).toBe("pass");
        if (b.store.capabilities().sql)
          expect(v.effects.find((e) => e.stepId === "row")).toMatchObject({ class: "ATOMIC", verdict: "once" });
        expect(v.effects.find((e) => e.stepId === "flaky")).toMatchObject({ class: "KEYED", sends: 3 });
      }
      const called = (await engine.list({ workflow: "child" })).runs[0]!;
      expect(failing(verify(await client.evidence(called.runId)))).toEqual([]);
    },
  );
});

const kinds: readonly Kind[] = ["sqlite", "postgres", ...(skipsWithoutMariadb() ? [] : (["mysql"] as const))];
describe.each(kinds.flatMap((kind) => keptDatabases(kind).map((d) => ({ kind, ...d }))))("written by $kind of format $format", (d) => {
  it("every run that an earlier version wrote verifies", async () => {
    const r = await restoreDatabase(d.kind, d.statements);
    try {
      const store = await r.open();
      const client = localClient({ store, platform: r.platform, scope: defaultScope, limits: checkLimits(), engine: null, retainMs: null });
      const { runs } = await client.list({ limit: 100 });
      expect(runs.length).toBeGreaterThan(5);
      for (const run of runs) expect(failing(verify(await client.evidence(run.runId))), run.workflow).toEqual([]);
      await store.close();
    } finally {
      await r.remove();
    }
  });
});
