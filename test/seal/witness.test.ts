// A witness against a forger who may write everything in the database, on every store: heads that were seen are compared with what
// is there, by the witness itself at its next look, by the check of the store and by the verifier. It needs no key.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WitnessedHead } from "../../src/client/audit/witness-file.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { HeadReader } from "../../src/client/audit/head-reader.ts";
import { workflow } from "../../src/index.ts";
import { verify } from "../../src/verify.ts";
import { write } from "../log/producer-events.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { proves } from "../support/proves.ts";
import { cheaper, cutFrom, rewrite, takeAway } from "./forger.ts";

const pay = workflow({ name: "pay" }, async (ctx) => {
  await ctx.step("charge", () => ({ cents: 500 }), { key: "order-1", dedup: "1d" });
  return ctx.step("mail", () => "sent", { once: true });
});
const text = (heads: readonly WitnessedHead[]): string => heads.map((h) => `${JSON.stringify(h)}\n`).join("");
const stateOf = (v: ReturnType<typeof verify>): string => v.checks.find((c) => c.check === "witness")!.state;

describe.each(testStores)("on %s", (_kind, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
    b.skipVerification();
  });
  afterEach(() => b.close());

  it("a rewritten log, a cut one and a run that was taken away are found beside the heads that were seen", proves("K22"), async () => {
    const { engine } = await b.engine({ workflows: [pay] });
    const ids: string[] = [];
    for (const id of ["p-1", "p-2", "p-3"]) {
      const h = await engine.start(pay, undefined, { id });
      await h.result();
      ids.push(h.runId);
    }
    await b.client().append(write({ runId: "outside", eventType: "RunStarted" }));
    await engine.stop();
    const reader = new HeadReader(b.store, defaultScope, new Map());
    const first = await reader.pass(true);
    expect([first.heads.length, first.lost]).toEqual([4, []]);
    const witness = text(first.heads);
    const doctor = () => b.client().verifyStore({ everyTenant: true, witness });
    expect(await doctor()).toMatchObject({ ok: true, limits: [] });
    const [one, two, three] = ids as [string, string, string];
    const good = verify(await b.client().evidence(one), { witness });
    expect([good.ok, stateOf(good), good.assumed.join().includes("rewrote")]).toEqual([true, "pass", false]);
    expect(good.unsealed).toEqual([]);

    await rewrite(b, one, cheaper);
    expect((await b.client().verifyStore({ everyTenant: true })).ok).toBe(true);
    expect(stateOf(verify(await b.client().evidence(one), { witness }))).toBe("fail");
    await cutFrom(b, two, (await b.store.run({ runId: two }))!.headSeq);
    expect(stateOf(verify(await b.client().evidence(two), { witness }))).toBe("fail");
    await takeAway(b, three);
    const found = (await doctor()).findings.filter((f) => f.table === "witness").map((f) => `${f.runId} ${f.field}`);
    expect(found.toSorted()).toEqual([`${one} link`, `${two} link`, `${three} run`].toSorted());
    expect((await reader.pass(true)).lost.map((x) => x.seen.runId).toSorted()).toEqual([one, two, three].toSorted());
  });

  it("a look after the first one finds what went on and what is new, and writes a head once", proves("K22"), async () => {
    const client = b.client();
    await client.append(write({ runId: "old", eventType: "RunStarted" }));
    const reader = new HeadReader(b.store, defaultScope, new Map());
    expect((await reader.pass(true)).heads.map((h) => [h.runId, h.runSeq])).toEqual([["old", 1]]);
    b.advanceClock(3_600_000);
    expect((await reader.pass(false)).heads).toEqual([]);
    await client.append(write({ runId: "old", eventType: "RunCompleted" }));
    await client.append(write({ runId: "new", eventType: "RunStarted" }));
    expect((await reader.pass(false)).heads.map((h) => `${h.runId} ${h.runSeq} ${h.status}`).toSorted()).toEqual([
      "new 1 RUNNING",
      "old 2 COMPLETED",
    ]);
    expect((await reader.pass(false)).heads).toEqual([]);
    const again = new HeadReader(
      b.store,
      defaultScope,
      new Map((await new HeadReader(b.store, defaultScope, new Map()).pass(true)).heads.map((h) => [h.runId, h])),
    );
    expect((await again.pass(true)).heads).toEqual([]);
  });
});
