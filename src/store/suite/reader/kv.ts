// Cases about collections: a put is all or nothing and conditional on versions, rows come in the order of their bytes, and of
// several puts that expect the same version one wins. Nothing here knows what a collection is for.
import type { FullStore } from "../../full-store.ts";
import type { KvPutAnswer, KvWrite } from "../../reader-store.ts";
import { equal, kind, throws } from "../assert.ts";
import { suiteCase, type SuiteCase } from "../bundle.ts";

const w = (key: string, value: string | null, expect?: number): KvWrite => ({
  collection: "s",
  key,
  value,
  ...(expect === undefined ? {} : { expect }),
});

/** Key, value and version of every row, in order. */
async function rows(store: FullStore, collection = "s"): Promise<unknown[]> {
  return (await store.kv.list({ collection, limit: 2_000 })).map((r) => [r.key, r.value, r.version]);
}

export const kvCases: readonly SuiteCase[] = [
  suiteCase(
    "a row of a collection is put, read, replaced and taken away; its version counts the puts since it is there",
    ["D-019"],
    async (b) => {
      const { kv: shelves } = b.store;
      const { nowMs } = await b.store.info();
      equal(await shelves.put([w("k", "one")]), { kind: "put", at: nowMs }, "answer");
      b.advanceClock(5);
      await shelves.put([w("k", "two")]);
      const row = { collection: "s", key: "k", value: "two", version: 2, at: nowMs + 5 };
      equal(await shelves.get("s", ["k", "missing", "k"]), [row], "the row, once");
      equal(await shelves.get("other", ["k"]), [], "another collection");
      equal(await shelves.get("s", []), [], "no key");
      await shelves.put([w("k", null), w("never", null)]);
      equal(await rows(b.store), [], "taken away");
      await shelves.put([w("k", "again")]);
      equal(await rows(b.store), [["k", "again", 1]], "begins at 1 again");
    },
  ),

  suiteCase(
    "a put whose expectation does not hold writes nothing, and shows what is there instead",
    ["D-020", "P-37"],
    async ({ store }) => {
      const { kv: shelves } = store;
      kind(await shelves.put([w("a", "1", 0), w("b", "1")]), "put");
      const first = kind(await shelves.put([w("new", "x", 0), w("a", "2", 0), w("b", null), w("gone", "x", 3)]), "conflict");
      equal(
        first.rows.map((r) => [r.key, r.value, r.version]),
        [["a", "1", 1]],
        "rows that are there instead",
      );
      equal(
        await rows(store),
        [
          ["a", "1", 1],
          ["b", "1", 1],
        ],
        "nothing was written",
      );
      kind(await shelves.put([w("a", "2", 1), w("b", null, 1), w("c", null, 0)]), "put");
      equal(await rows(store), [["a", "2", 2]], "all of it was");
      equal(kind(await shelves.put([w("a", null, 1)]), "conflict").rows.length, 1, "an old version takes nothing away");
      equal(kind(await shelves.put([w("a", null, 0)]), "conflict").rows.length, 1, "nor does the expectation that there is none");
      equal(kind(await shelves.put([w("b", "x", 1)]), "conflict").rows, [], "a row that is gone has no version");
      equal(await rows(store), [["a", "2", 2]], "still");
    },
  ),

  suiteCase("rows come in the order of their bytes, after and before the keys that are given", [], async ({ store }) => {
    const keys = ["A", "Z", "_", "a", "a!", "aa", "b", "~", "!", "0", "9", "%2F", "a/b", "A~"];
    await store.kv.put(keys.map((k) => w(k, k)));
    await store.kv.put([{ collection: "s2", key: "other", value: "x" }]);
    const sorted = keys.toSorted((x, y) => (x < y ? -1 : 1));
    const listed = async (q: { after?: string; before?: string; limit: number }): Promise<string[]> =>
      (await store.kv.list({ collection: "s", ...q })).map((r) => r.key);
    equal(await listed({ limit: 99 }), sorted, "all");
    equal(await listed({ limit: 3 }), sorted.slice(0, 3), "a page");
    equal(
      await listed({ after: "a", limit: 99 }),
      sorted.filter((k) => k > "a"),
      "after",
    );
    equal(
      await listed({ after: "9", before: "a!", limit: 99 }),
      sorted.filter((k) => k > "9" && k < "a!"),
      "between",
    );
    equal(await listed({ before: "~", limit: 99 }), sorted.slice(0, -1), "before the last");
  }),

  suiteCase("values are kept as they are: empty, long, with quotes, backslashes and every kind of letter", [], async ({ store }) => {
    const values = ["", "'\"\\ {} , NULL", "ä€😀\n\t", "x".repeat(300_000)];
    await store.kv.put(values.map((v, i) => w(`k${i}`, v)));
    equal(
      (await store.kv.list({ collection: "s", limit: 9 })).map((r) => r.value),
      values,
      "values",
    );
    const long = { collection: "~".repeat(512), key: "!".repeat(512), value: "long names" };
    await store.kv.put([long]);
    equal((await store.kv.get(long.collection, [long.key]))[0]?.value, "long names", "the longest names");
  }),

  suiteCase("names that no store could order alike are refused, and two writes of one row", [], async ({ store }) => {
    for (const key of ["", "with space", "ü", "x".repeat(513)]) await throws("PAWL3005", () => store.kv.put([w(key, "x")]));
    await throws("PAWL3005", () => store.kv.put([w("k", "a"), w("k", "b")]));
    await throws("PAWL3005", () => store.kv.put([w("k", "a\0")]));
    equal(await rows(store), [], "nothing was written");
  }),

  suiteCase("a thousand rows are put at once, or none of them", ["D-020"], async ({ store }) => {
    const many = Array.from({ length: 1_000 }, (_, i) => w(`k${String(i).padStart(4, "0")}`, `v${i}`, 0));
    kind(await store.kv.put(many), "put");
    equal((await rows(store)).length, 1_000, "rows");
    const keys = many.map((x) => x.key);
    equal((await store.kv.get("s", keys)).length, 1_000, "by their keys");
    const next = many.map((x, i) => ({ ...x, value: "next", expect: i === 777 ? 2 : 1 }));
    equal(kind(await store.kv.put(next), "conflict").rows.length, 1, "one stands in the way");
    equal((await rows(store))[0], ["k0000", "v0", 1], "so nothing changed");
    kind(await store.kv.put(next.map((x) => ({ ...x, expect: 1 }))), "put");
    kind(await store.kv.put(next.map((x) => ({ ...x, value: null, expect: 2 }))), "put");
    equal(await rows(store), [], "and all of them are taken away");
  }),

  suiteCase("of many puts that expect the same version one wins, from whatever process", ["D-020", "P-37"], async (b) => {
    const other = await b.reopen();
    try {
      for (let round = 0; round < 5; round++) {
        const puts = [b.store, other, b.store, other].map((s, i): Promise<KvPutAnswer> => {
          const both = [w("x", `${round}-${i}`, round), w("y", `${round}-${i}`, round)];
          return s.kv.put(i % 2 === 0 ? both : both.toReversed());
        });
        const answers = await Promise.all(puts);
        equal(answers.filter((a) => a.kind === "put").length, 1, `winners of round ${round}`);
        const [x, y] = await b.store.kv.list({ collection: "s", limit: 9 });
        equal([x?.version, y?.version, y?.value], [round + 1, round + 1, x?.value], "both rows are the winner's");
      }
      await Promise.all(Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? b.store : other).kv.put([w("any", String(i))])));
      equal((await b.store.kv.get("s", ["any"]))[0]?.version, 8, "puts that expect nothing all count");
    } finally {
      await other.close();
    }
  }),
];
