// Cases about engines as rows: enlisting, renewing, and dying, which is declared one way and never taken back. Evidence
// that only one database has (file locks, sessions) is tested beside that store, not here.
import { equal } from "./assert.ts";
import { commitOne, create, event, next, owned, claimQuery, rowOf, scope, serves } from "./build.ts";
import { type SuiteCase, suiteCase } from "./bundle.ts";

export const engineCases: readonly SuiteCase[] = [
  suiteCase("an engine has a row with its lease, what it serves and for which tenant", ["K1"], async ({ store }) => {
    const { nowMs } = await store.info();
    await store.registerEngine({ engineId: "engine-2", leaseMs: 10, serves: [] });
    await store.registerEngine({ engineId: "engine-1", leaseMs: 1_000, serves, scope });
    const { engines } = await store.info();
    const expected = [
      { engineId: "engine-1", leaseUntil: nowMs + 1_000, dead: false, serves: [{ workflow: "order", version: "1" }], scope },
      { engineId: "engine-2", leaseUntil: nowMs + 10, dead: false, serves: [], scope: null },
    ];
    equal(engines, expected, "engines");
    await store.registerEngine({ engineId: "engine-1", leaseMs: 2_000, serves, scope: { ...scope, tenantId: "ü/:' %" } });
    equal((await store.info()).engines[0]?.scope?.tenantId, "ü/:' %", "its tenant");
    equal((await store.info()).engines[0]?.leaseUntil, nowMs + 2_000, "enlisting again is harmless");
  }),

  suiteCase("renewing extends a live engine's lease and tells a dead one that it is", ["K1"], async (b) => {
    await b.store.registerEngine({ engineId: "engine-1", leaseMs: 1_000, serves });
    b.advanceClock(700);
    equal(await b.store.renew({ engineId: "engine-1", leaseMs: 1_000 }), "renewed", "alive");
    const { nowMs, engines } = await b.store.info();
    equal(engines[0]?.leaseUntil, nowMs + 1_000, "by the store's clock");
    equal(await b.store.renew({ engineId: "nobody", leaseMs: 1_000 }), "dead", "no row");
    equal(await b.store.declareDead({ self: "engine-1" }), ["engine-1"], "retires");
    equal(await b.store.renew({ engineId: "engine-1", leaseMs: 1_000 }), "dead", "dead");
    equal(await b.store.declareDead({ self: "engine-1" }), [], "only once");
  }),

  suiteCase("only a lapsed lease is declared, never one's own, and only once", ["K1"], async (b) => {
    for (const engineId of ["engine-1", "engine-2", "engine-3"]) await b.store.registerEngine({ engineId, leaseMs: 1_000, serves });
    b.advanceClock(1_000);
    equal(await b.store.declareDead({ by: "engine-1" }), [], "a lease that ends now has not lapsed");
    b.advanceClock(1);
    await b.store.renew({ engineId: "engine-3", leaseMs: 1_000 });
    equal(await b.store.declareDead({ by: "engine-1" }), ["engine-2"], "the lapsed one, not the renewed, not oneself");
    equal(await b.store.declareDead({ by: "engine-1" }), [], "once");
    equal(await b.store.renew({ engineId: "engine-2", leaseMs: 1_000 }), "dead", "one-way");
  }),

  suiteCase("two engines that declare a third dead at once declare it once", ["K1"], async (b) => {
    for (const engineId of ["engine-1", "engine-2", "engine-3"]) await b.store.registerEngine({ engineId, leaseMs: 1_000, serves });
    const other = await b.reopen();
    b.advanceClock(1_001);
    for (const engineId of ["engine-1", "engine-2"]) await b.store.renew({ engineId, leaseMs: 1_000 });
    const both = await Promise.all([b.store.declareDead({ by: "engine-1" }), other.declareDead({ by: "engine-2" })]);
    equal(both.flat(), ["engine-3"], "declared");
    await other.close();
  }),

  suiteCase("a dead engine stays dead while its runs wait to be claimed, and is forgotten after", ["K1"], async (b) => {
    const row = await owned(b.store, "a", "engine-1");
    await b.store.registerEngine({ engineId: "engine-2", leaseMs: 600_000, serves });
    b.advanceClock(60_001);
    await b.store.declareDead({ by: "engine-2" });
    await b.store.registerEngine({ engineId: "engine-1", leaseMs: 60_000, serves });
    equal(await b.store.renew({ engineId: "engine-1", leaseMs: 60_000 }), "dead", "it cannot enlist again under its old id");
    equal(
      (await b.store.info()).engines.map((e) => [e.engineId, e.dead]),
      [
        ["engine-1", true],
        ["engine-2", false],
      ],
      "rows",
    );
    equal(
      (await b.store.claim(claimQuery("engine-2"))).map((r) => r.runId),
      ["a"],
      "taken over",
    );
    equal((await b.store.commit([next(row, { events: [event(1)] })])).answers[0]?.kind, "fenced", "I3: and fenced off");
    await b.store.declareDead({ by: "engine-2" });
    equal(
      (await b.store.info()).engines.map((e) => e.engineId),
      ["engine-2"],
      "nothing names it any more",
    );
  }),

  suiteCase("who owns a run is recorded, and never gates a Commit", ["T-17"], async ({ store }) => {
    const row = await owned(store, "a", "engine-1");
    await store.declareDead({ self: "engine-1" });
    await commitOne(store, next(row, { events: [event(1)] }));
    equal((await rowOf(store, "a")).owner, "engine-1", "for the record");
    await commitOne(store, create("b", { owner: "somebody", fence: { epoch: 1, token: "t" } }));
    await commitOne(store, next(await rowOf(store, "b"), { events: [event(1)] }));
  }),
];
