// Cases about ctx.tx: the user's rows and the run's Commit are one write. On a store without SQL there is one case: it
// says so. Statements are the plainest SQL there is, so that they run on every database.
import type { FullStore } from "../../full-store.ts";
import type { RunRow } from "../../port.ts";
import type { TxSql } from "../../transaction-store.ts";
import { equal, kind, ok, throws } from "../assert.ts";
import { commitOne, create, event, next, owned, rowOf } from "../build.ts";
import { type OpenBundle, type SuiteCase, suiteCase } from "../bundle.ts";

type Query = (parts: TemplateStringsArray, ...values: Parameters<TxSql["query"]>[1]) => ReturnType<TxSql["query"]>;
const tag =
  (sql: TxSql): Query =>
  (parts, ...values) =>
    sql.query(parts, values);

/** A table, made inside the transaction where the database permits it. */
async function define(b: OpenBundle, tx: TxSql | undefined, statement: string): Promise<void> {
  if (b.define === undefined) await tx?.query([statement], []);
  else if (tx === undefined) await b.define(statement);
}

/** A case for stores with SQL, over a table of accounts with one row. */
function sqlCase(title: string, ids: readonly string[], body: (b: OpenBundle) => Promise<void>): SuiteCase {
  const c = suiteCase(title, ids, async (b) => {
    const row = await owned(b.store, "setup");
    const accounts = "create table accounts (id varchar(64) primary key, amount integer)";
    await define(b, undefined, accounts);
    const setup = async (tx: TxSql): Promise<void> => {
      await define(b, tx, accounts);
      await tag(tx)`insert into accounts values (${"x"}, ${10})`;
    };
    kind((await b.store.transact(setup, () => next(row, { status: "COMPLETED" }), 5_000)).answer, "committed");
    await body(b);
  });
  return c;
}

/** Means nothing where several writers go side by side. */
const oneWriter: typeof sqlCase = (title, ids, body) => ({ ...sqlCase(title, ids, body), needs: "one writer" });

/** Of a run that does not exist: its Commit is fenced, and the transaction rolled back. */
const nobody = { runId: "none", fence: { epoch: 0, token: "" }, stateVersion: 0 } as RunRow;

/** Reads the amount through a transaction of its own that writes nothing. */
async function amount(store: FullStore, id = "x"): Promise<unknown> {
  const read = async (tx: TxSql): Promise<unknown> => (await tag(tx)`select amount from accounts where id = ${id}`).rows[0]?.["amount"];
  return (await store.transact(read, () => next(nobody), 5_000)).value;
}

const add = (n: number): ((tx: TxSql) => Promise<number>) => {
  return async (tx) => (await tag(tx)`update accounts set amount = amount + ${n} where id = ${"x"}`).changes;
};

export const transactCases: readonly SuiteCase[] = [
  suiteCase("a store without SQL says so", [], async ({ store }) => {
    if (store.capabilities().sql) return;
    await throws("PAWL3008", () =>
      store.transact(
        async () => 1,
        () => create("a"),
        100,
      ),
    );
  }),

  sqlCase("the user's rows and the run's Commit are one write", ["I5", "K11"], async ({ store }) => {
    const row = await owned(store, "a");
    const { answer, value } = await store.transact(add(5), (n) => next(row, { events: [event(1, { payload: String(n) })] }), 5_000);
    kind(answer, "committed");
    equal([value, await amount(store), (await rowOf(store, "a")).headSeq], [1, 15, 1], "both are there");
    equal((await store.events({ runId: "a", after: 0, limit: 9 }))[0]?.payload, "1", "the outcome is the value");
  }),

  sqlCase("a Commit that is not written takes the user's rows back with it", ["I5", "I3"], async ({ store }) => {
    const row = await owned(store, "a");
    const lost = next({ ...row, fence: { epoch: 9, token: "x" } });
    kind((await store.transact(add(5), () => lost, 5_000)).answer, "fenced");
    kind((await store.transact(add(5), () => next({ ...row, stateVersion: 9 }), 5_000)).answer, "stale");
    kind((await store.transact(add(5), () => next(row, { events: [event(1), event(1)] }), 5_000)).answer, "refused");
    kind((await store.transact(add(5), () => next(row, { events: [event(1, { payload: "\0" })] }), 5_000)).answer, "refused");
    const c = next(row, { events: [event(1)] });
    kind((await store.transact(add(5), () => c, 5_000)).answer, "committed");
    kind((await store.transact(add(5), () => c, 5_000)).answer, "duplicate");
    equal(await amount(store), 15, "once");
  }),

  sqlCase("a user's error takes everything back and is thrown as it is", ["I5"], async ({ store }) => {
    const row = await owned(store, "a");
    const mine = new TypeError("mine");
    const failing = async (tx: TxSql): Promise<never> => {
      await add(5)(tx);
      throw mine;
    };
    let thrown: unknown;
    await store.transact(failing, () => next(row), 5_000).catch((e: unknown) => (thrown = e));
    ok(thrown === mine, "the very error");
    equal([await amount(store), await rowOf(store, "a")], [10, row], "nothing was written");
    const broken = async (tx: TxSql): Promise<unknown> => tag(tx)`insert into accounts values (${"x"}, ${1})`;
    thrown = undefined;
    await store.transact(broken, () => next(row), 5_000).catch((e: unknown) => (thrown = e));
    ok(thrown !== undefined, "a refused statement");
    equal(await amount(store), 10, "nothing was written");
  }),

  sqlCase("ending the transaction from inside gives the error that its outcome is unknown", ["K11"], async ({ store }) => {
    const row = await owned(store, "a");
    for (const end of ["commit", "rollback"]) {
      const user = async (tx: TxSql): Promise<unknown> => {
        await add(5)(tx);
        return tx.query([end], []);
      };
      equal((await throws("PAWL3010", () => store.transact(user, () => next(row), 5_000))).outcome, "unknown", end);
    }
    equal(await rowOf(store, "a"), row, "the run has no outcome");
    await commitOne(store, next(row));
  }),

  oneWriter(
    "other writers of the process wait for a transaction that awaits, and readers do not",
    ["K11"],
    async ({ store, reopen: again }) => {
      const row = await owned(store, "a");
      const other = await again();
      const order: string[] = [];
      let go = (): void => {};
      const gate = new Promise<void>((resolve) => (go = resolve));
      const user = async (tx: TxSql): Promise<void> => {
        await add(1)(tx);
        await gate;
        order.push("tx");
      };
      const slow = store.transact(user, () => next(row, { events: [event(1)] }), 5_000);
      const queued = [commitOne(store, create("b")), commitOne(other, create("c"))].map((p) => p.then(() => order.push("write")));
      for (let n = 0; n < 10; n++) await Promise.resolve();
      equal(
        [(await other.run({ runId: "a" }))?.headSeq, (await store.run({ runId: "b" }))?.runId],
        [0, undefined],
        "L-21 L-23 readers see the state before",
      );
      go();
      kind((await slow).answer, "committed");
      await Promise.all(queued);
      equal(order, ["tx", "write", "write"], "one after the other");
      await other.close();
    },
  ),

  sqlCase("transactions that read and then write lose no update", ["L-27"], async ({ store, reopen: again }) => {
    const other = await again();
    const stores = [store, other, store, other];
    const rows = await Promise.all(stores.map((_, i) => owned(store, `w${i}`)));
    const bump = async (tx: TxSql): Promise<void> => {
      const { rows: found } = await tag(tx)`select amount from accounts where id = ${"x"}`;
      await Promise.resolve();
      await tag(tx)`update accounts set amount = ${Number(found[0]?.["amount"]) + 1} where id = ${"x"}`;
    };
    await Promise.all(
      stores.map(async (s, i) => {
        let row = rows[i];
        for (let n = 0; n < 5 && row !== undefined; n++) {
          const seen = row;
          kind((await s.transact(bump, () => next(seen), 5_000)).answer, "committed");
          row = { ...row, stateVersion: row.stateVersion + 1 };
        }
      }),
    );
    equal(await amount(store), 30, "every update counts");
    await other.close();
  }),

  sqlCase("values go in and come out as they are; text that would be cut is refused", [], async (b) => {
    const { store } = b;
    const row = await owned(store, "a");
    const things = "create table things (a varchar(64), b bigint, c integer, d varchar(64))";
    await define(b, undefined, things);
    const big = 9007199254740993n;
    const user = async (tx: TxSql): Promise<unknown> => {
      await define(b, tx, things);
      await tag(tx)`insert into things values (${"é\u{1f4b6}"}, ${big}, ${true}, ${null})`;
      await throws("PAWL3005", () => tag(tx)`insert into things (a) values (${"a\0b"})`);
      return (await tag(tx)`select a, b, c, d from things`).rows;
    };
    const { value } = await store.transact(user, () => next(row), 5_000);
    ok(
      JSON.stringify(value, (_, v: unknown) => (typeof v === "bigint" ? v.toString() : v)) ===
        `[{"a":"é\u{1f4b6}","b":"${big}","c":1,"d":null}]`,
      "values",
    );
  }),
];
