// Cases about queues as rows and their limits: slots are counted, a rate lets `burst` start at once and then one every step. Neither is ever
// passed, however many claim at once.
import type { FullStore } from "../../full-store.ts";
import type { DispatchRow } from "../../port.ts";
import { equal, kind, ok, throws } from "../assert.ts";
import { otherScope, scope } from "../build.ts";
import { type OpenBundle, type SuiteCase, suiteCase } from "../bundle.ts";
import { claimed, claimFrom, dispatch, enlistWorkers, queued, rowsOf } from "./build.ts";

const numbers = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

async function full(store: FullStore, n: number): Promise<void> {
  await enlistWorkers(store, "worker-1", "worker-2");
  await queued(
    store,
    "a",
    numbers(n).map((i) => dispatch(i, { timeoutMs: 500 })),
  );
}

const held = (d: DispatchRow | undefined): { dispatchId: number; token: string } => ({
  dispatchId: d?.dispatchId ?? 0,
  token: d?.token ?? "",
});

/** Eight workers, two connections, all at once: what they got. */
async function eightAtOnce(b: OpenBundle): Promise<DispatchRow[]> {
  const other = await b.reopen();
  const workers = numbers(8).map((n) => `claimer-${n}`);
  await enlistWorkers(b.store, ...workers);
  const got = await Promise.all(workers.map((id, i) => claimed(i % 2 === 0 ? b.store : other, id, { limit: 4 })));
  await other.close();
  return got.flat();
}

export const queueLimitCases: readonly SuiteCase[] = [
  suiteCase("a queue has a row that says its limits, and a version that rises with every change", ["T-46"], async (b) => {
    const { queues } = b.store;
    const plain = { concurrency: null, rate: null, agingMs: 60_000 };
    const row = (queue: string): unknown => ({ queue, config: plain, paused: null, version: 1 });
    equal(await queues.open(scope, ["q", "B", "a", "q"]), [row("B"), row("a"), row("q")], "made where missing, ascending");
    equal(await queues.open(scope, ["q"]), [row("q")], "opened again");
    const rate = { limit: 5, perMs: 1_000, burst: 2 };
    equal(
      await queues.configure(scope, "q", { config: { concurrency: 3, rate } }),
      { queue: "q", config: { ...plain, concurrency: 3, rate }, paused: null, version: 2 },
      "changed",
    );
    equal(await queues.configure(scope, "q", { config: { agingMs: 0 } }, 1), "moved", "by somebody who does not know");
    const { nowMs } = await b.store.info();
    const paused = { by: "ops", reason: "why: ü" };
    equal(
      await queues.configure(scope, "q", { paused, config: { rate: null } }, 2),
      { queue: "q", config: { ...plain, concurrency: 3 }, paused: { ...paused, at: nowMs }, version: 3 },
      "paused",
    );
    equal(
      await queues.configure(scope, "q", { paused: null }, 3),
      { queue: "q", config: { ...plain, concurrency: 3 }, paused: null, version: 4 },
      "resumed",
    );
    equal(await queues.configure(scope, "new", { config: { agingMs: 7 } }, 1), "moved", "there is none yet");
    equal(
      await queues.configure(scope, "new", { config: { agingMs: 7 } }, 0),
      { queue: "new", config: { ...plain, agingMs: 7 }, paused: null, version: 1 },
      "made",
    );
    equal(
      (await queues.list(scope)).map((q) => [q.queue, q.version]),
      [
        ["B", 1],
        ["a", 1],
        ["new", 1],
        ["q", 4],
      ],
      "listed",
    );
    equal(await queues.list(otherScope), [], "of another tenant");
  }),

  suiteCase("a queue's name and limits are checked before anything is written", ["TX-24"], async ({ store }) => {
    const { queues } = store;
    for (const name of ["", "a b", "ü", "x".repeat(129)]) await throws("PAWL3005", () => queues.open(scope, [name]));
    for (const config of [
      { concurrency: -1 },
      { concurrency: 1.5 },
      { agingMs: -1 },
      ...[{ limit: 0 }, { perMs: 0 }, { burst: 0 }, { limit: Number.NaN }].map((r) => ({ rate: { limit: 1, perMs: 1, burst: 1, ...r } })),
    ])
      await throws("PAWL4011", () => queues.configure(scope, "q", { config }));
    equal(await queues.list(scope), [], "nothing was written");
  }),

  suiteCase("at most so many are claimed as the queue permits; each end frees its slot, and none can leak", ["T-24"], async (b) => {
    const { store } = b;
    await full(store, 9);
    await store.queues.configure(scope, "q", { config: { concurrency: 3 } });
    const [one, two, three, ...more] = await claimed(store, "worker-1");
    equal(
      [one, two, three].map((d) => d?.seq),
      [1, 2, 3],
      "three",
    );
    equal(more, [], "and no more");
    equal(await claimed(store, "worker-2"), [], "over all workers");
    await store.queues.finish([{ ...held(one), end: { kind: "result", report: 1 } }]);
    equal(
      (await claimed(store, "worker-2")).map((d) => d.seq),
      [4],
      "a result frees one",
    );
    await store.queues.giveBack([held(two)]);
    equal(
      (await claimed(store, "worker-2")).map((d) => d.seq),
      [2],
      "giving back frees one",
    );
    b.advanceClock(1_500);
    equal((await store.queues.lapse(9)).length, 3, "all are past their deadline");
    equal((await claimed(store, "worker-2")).length, 3, "a lapse frees its own");
    await store.queues.configure(scope, "q", { config: { concurrency: 1 } });
    equal(await claimed(store, "worker-2"), [], "a lower limit: nothing new");
    await store.queues.configure(scope, "q", { config: { concurrency: 0 } });
    equal(await claimed(store, "worker-2"), [], "none at all");
    await store.queues.configure(scope, "q", { config: { concurrency: null } });
    equal((await claimed(store, "worker-2")).length, 2, "no limit");
  }),

  suiteCase("steps that the owner runs itself count as well", ["T-24"], async ({ store }) => {
    await enlistWorkers(store, "worker-1");
    await store.queues.configure(scope, "q", { config: { concurrency: 2 } });
    await queued(store, "a", [dispatch(1, { claimed: { worker: "engine-1", token: "own" } }), dispatch(2), dispatch(3)]);
    equal(
      (await claimed(store)).map((d) => d.seq),
      [2],
      "one slot is taken",
    );
  }),

  suiteCase("eight workers that claim at once never pass the limit", ["T-24", "TX-23"], async (b) => {
    await full(b.store, 30);
    await b.store.queues.configure(scope, "q", { config: { concurrency: 5 } });
    const first = await eightAtOnce(b);
    ok(first.length <= 5, "the limit");
    // A store may have answered some while others were claiming: asked again, the rest comes, and not one more.
    const rest = await claimed(b.store, "worker-1");
    equal([first.length + rest.length, (await rowsOf(b.store)).filter((r) => r.worker !== null).length], [5, 5], "all slots, and no more");
  }),

  suiteCase("a rate lets so many start at once, then one every step, and says when", [], async (b) => {
    const { store } = b;
    await full(store, 20);
    await store.queues.configure(scope, "q", { config: { rate: { limit: 4, perMs: 1_000, burst: 1 } } });
    const { nowMs } = await store.info();
    const ask = async (): Promise<[number, number | null]> => {
      const { rows, nextAt } = kind(await claimFrom(store, "worker-1", { limit: 9 }), "claimed");
      return [rows.length, nextAt === null ? null : nextAt - nowMs];
    };
    equal(await ask(), [1, 250], "one at once");
    equal(await ask(), [0, 250], "not two");
    b.advanceClock(249);
    equal(await ask(), [0, 250], "too early");
    b.advanceClock(1);
    equal(await ask(), [1, 500], "in time");
    b.advanceClock(5_000);
    equal(await ask(), [1, 5_500], "what was not used is lost");
    await store.queues.configure(scope, "q", { config: { rate: { limit: 4, perMs: 1_000, burst: 3 } } });
    equal(await ask(), [3, 5_500], "another rate: its burst at once");
    b.advanceClock(500);
    equal(await ask(), [2, 6_000], "two steps later, two more");
    b.advanceClock(600);
    equal(await ask(), [2, 6_500], "a part of a step is kept");
    const [mine] = await store.queues.rows({ scope, worker: "worker-1", limit: 1 });
    await store.queues.giveBack([held(mine)]);
    equal(await ask(), [0, 6_500], "giving back does not refund");
    await store.queues.configure(scope, "q", { config: { concurrency: 50 } });
    equal(await ask(), [0, 6_500], "another change leaves the rate alone");
  }),

  suiteCase("a step that is no whole number is rounded so that the rate is never passed", [], async (b) => {
    const { store } = b;
    await full(store, 20);
    await store.queues.configure(scope, "q", { config: { rate: { limit: 3, perMs: 100, burst: 1 } } });
    let n = 0;
    for (let ms = 0; ms < 100; ms++) {
      n += (await claimed(store, "worker-1")).length;
      b.advanceClock(1);
    }
    equal(n, 3, "in a hundred milliseconds");
  }),

  suiteCase("eight workers that claim at once never pass the rate", ["TX-23"], async (b) => {
    await full(b.store, 30);
    await b.store.queues.configure(scope, "q", { config: { rate: { limit: 10, perMs: 1_000, burst: 6 } } });
    const first = await eightAtOnce(b);
    ok(first.length <= 6, "the burst");
    const rest = await claimed(b.store, "worker-1");
    equal(first.length + rest.length, 6, "all that it permits, and no more");
  }),
];
