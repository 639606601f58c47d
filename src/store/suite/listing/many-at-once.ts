// Cases about verbs that read many things at once: heads of runs, payloads of events, keys of effects that were used with other arguments.
// Each answers as if every thing had been asked for by itself.
import { equal, throws } from "../assert.ts";
import { commitOne, create, event, next, otherScope, owned, rowOf, scope } from "../build.ts";
import { type SuiteCase, suiteCase } from "../bundle.ts";
import { effect } from "../effects.ts";

export const manyAtOnceCases: readonly SuiteCase[] = [
  suiteCase("the heads of many runs are read at once: how far each log goes, and how each run stands", [], async ({ store }) => {
    equal(await store.heads([]), [], "of none");
    const many = Array.from({ length: 300 }, (_, i) => `r${i}`);
    await store.commit(many.map((id, i) => create(id, {}, { events: i % 2 === 0 ? [event(1), event(2)] : [] })));
    await commitOne(store, next(await rowOf(store, "r7"), { status: "FAILED", events: [event(1)] }));
    const heads = new Map((await store.heads([...many, "nobody", "r1", "r1"])).map((h) => [h.runId, h]));
    equal(heads.size, 300, "each once, and none that is not there");
    equal(heads.get("r2"), { runId: "r2", headSeq: 2, status: "PENDING" }, "with events");
    equal(heads.get("r1"), { runId: "r1", headSeq: 0, status: "PENDING" }, "without");
    equal(await store.heads(["r7"]), [{ runId: "r7", headSeq: 1, status: "FAILED" }], "one");
    await throws("PAWL3005", () => store.heads(["\0"]));
  }),

  suiteCase("payloads of events of many runs are read at once, by run and place", [], async ({ store }) => {
    equal(await store.payloadsAt([]), [], "of none");
    const runs = Array.from({ length: 45 }, (_, i) => `r${i}`);
    const events = (id: string): ReturnType<typeof event>[] => [event(1, { payload: `"${id} ü"` }), event(2, { payload: null })];
    await store.commit(runs.map((id) => create(id, {}, { events: events(id) })));
    const places = [...runs, "nobody", "r3"].flatMap((runId) => [1, 2, 3].map((runSeq) => ({ runId, runSeq })));
    const found = await store.payloadsAt(places);
    equal(found.length, 90, "each once, and none that is not there");
    const at = (runId: string, runSeq: number): unknown => found.find((p) => p.runId === runId && p.runSeq === runSeq)?.payload;
    equal([at("r44", 1), at("r44", 2), at("r44", 3)], ['"r44 ü"', null, undefined], "payloads");
    await throws("PAWL3005", () => store.payloadsAt([{ runId: "\ud800", runSeq: 1 }]));
  }),

  suiteCase("keys that were used with other arguments are found among many", ["K24"], async ({ store }) => {
    equal(await store.reusedKeys({ scope, keys: [] }), [], "of none");
    const row = await owned(store, "a");
    const effects = Array.from({ length: 80 }, (_, i) =>
      effect(i + 1, { key: `k${i >> 1}`, argsDigest: i % 10 === 1 ? "other" : i % 10 === 3 ? null : "digest" }),
    );
    await commitOne(store, next(row, { events: [event(1)], effects: [...effects, effect(81, { key: null }), effect(82, { key: "K0" })] }));
    const keys = Array.from({ length: 40 }, (_, i) => `k${i}`);
    const expected = keys.filter((_, i) => i % 5 < 2).sort();
    equal([...(await store.reusedKeys({ scope, keys: [...keys, "nothing", "K0", "k0"] }))].sort(), expected, "another digest, or none");
    equal(await store.reusedKeys({ scope: otherScope, keys }), [], "of another tenant");
  }),

  suiteCase("the ledgers of many runs are read at once: the classes and phases of the first effects of each", [], async ({ store }) => {
    equal(await store.ledgerParts({ scope, runIds: [] }), [], "of none");
    const ids = Array.from({ length: 40 }, (_, i) => `r${i}`);
    for (const id of ids) {
      const some = [effect(1, { class: "KEYED" }), effect(2, { class: "KEYED", phase: "doubt" }), effect(3, { class: "ATOMIC" })];
      const effects = id === "r39" ? Array.from({ length: 70 }, (_, i) => effect(i + 1, { class: "VERIFIED" })) : id === "r38" ? [] : some;
      await commitOne(store, next(await owned(store, id), { events: [event(1)], effects }));
    }
    const asked = { scope, runIds: [...ids, "nobody", "r1", "R1"] };
    const found = new Map((await store.ledgerParts(asked)).map((p) => [`${p.runId} ${p.class} ${p.phase}`, p.effects]));
    equal(found.size, 38 * 3 + 1, "each once, and none of a run without effects");
    const { phase } = effect(1);
    equal([found.get(`r1 KEYED ${phase}`), found.get("r1 KEYED doubt"), found.get(`r1 ATOMIC ${phase}`)], [1, 1, 1], "of one");
    equal(found.get(`r39 VERIFIED ${phase}`), 65, "no more than the first");
    equal(await store.ledgerParts({ scope: otherScope, runIds: ids }), [], "of another tenant");
    await throws("PAWL3005", () => store.ledgerParts({ scope, runIds: ["\0"] }));
  }),
];
