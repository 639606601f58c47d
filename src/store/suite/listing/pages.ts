// Cases about listings of runs: what each filter finds, and that a page ends after so many rows as were to be looked at, however few of
// them match. Whatever the bound, all pages together hold every run that matches, once, newest first.
import type { RunQuery, Store } from "../../port.ts";
import { equal, ok, throws } from "../assert.ts";
import { commitOne, create, next, otherScope, owned, rowOf, scope } from "../build.ts";
import { type OpenBundle, type SuiteCase, suiteCase } from "../bundle.ts";

type Narrow = Omit<RunQuery, "scope" | "limit" | "cursor">;

/** Every page of a listing, until there is no cursor. */
async function pagesOf(store: Store, q: Narrow, limit = 5): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await store.runs({ scope, limit, ...q, ...(cursor === undefined ? {} : { cursor }) });
    pages.push(page.runs.map((r) => r.runId));
    ok(page.cursor === undefined || page.cursor !== cursor, "a cursor moves on");
    cursor = page.cursor;
    ok(pages.length < 1_000, "a listing ends");
  } while (cursor !== undefined);
  return pages;
}

/** Twenty runs, a millisecond apart and two at a time: r00 to r19. Every fifth failed, every seventh is paused, r03 waits for a decision. */
async function twenty(b: OpenBundle): Promise<void> {
  for (let i = 0; i < 20; i++) {
    const runId = `r${String(i).padStart(2, "0")}`;
    const failed = i % 5 === 0;
    const status = failed ? "FAILED" : i % 7 === 0 ? "PAUSED" : i % 2 === 0 ? "COMPLETED" : "RUNNING";
    const run = { tags: { n: String(i % 4) }, workflow: i === 11 ? "rare" : "order", parentRunId: i % 3 === 0 ? "parent" : null };
    const more = { status, ...(failed ? { errorCode: `E${i}` } : {}), waiting: i === 3 ? ("decision" as const) : null } as const;
    await commitOne(b.store, create(runId, { ...run, ...(i >= 17 ? { workflowId: `order-${runId}` } : {}) }, more));
    if (i % 2 === 1) b.advanceClock(1);
  }
  await commitOne(b.store, create("foreign", { scope: otherScope, workflow: "rare" }, { status: "FAILED", errorCode: "E0" }));
}

const ids = (...n: readonly number[]): string[] => n.map((i) => `r${String(i).padStart(2, "0")}`);

const filters: readonly (readonly [string, Narrow, readonly string[]])[] = [
  ["one workflow", { workflow: "rare" }, ids(11)],
  ["a status that few runs have", { status: ["FAILED"] }, ids(15, 10, 5, 0)],
  ["two of those", { status: ["FAILED", "PAUSED"] }, ids(15, 14, 10, 7, 5, 0)],
  ["one of them beside another", { status: ["PAUSED", "COMPLETED"] }, ids(18, 16, 14, 12, 8, 7, 6, 4, 2)],
  ["no status", { status: [] }, []],
  ["an error code", { errorCode: "E5" }, ids(5)],
  ["an error code and a status that excludes it", { errorCode: "E5", status: ["PAUSED"] }, []],
  ["an error code that nothing has", { errorCode: "E" }, []],
  ["a tag", { tags: { n: "3" } }, ids(19, 15, 11, 7, 3)],
  ["a tag among failed ones", { tags: { n: "2" }, status: ["FAILED"] }, ids(10)],
  ["a caller", { parentRunId: "parent" }, ids(18, 15, 12, 9, 6, 3, 0)],
  ["a caller's failed ones", { parentRunId: "parent", status: ["FAILED"] }, ids(15, 0)],
  ["a decision", { waiting: "decision" }, ids(3)],
  ["something else that is waited for", { waiting: "timer" }, []],
  ["one workflowId", { workflowId: "order-r04" }, ids(4)],
  ["one workflowId and a status that its run does not have", { workflowId: "order-r04", status: ["FAILED"] }, []],
];

export const pageCases: readonly SuiteCase[] = [
  suiteCase("each filter finds its runs, newest first, whatever the bound and the size of pages", [], async (b) => {
    await twenty(b);
    for (const [what, q, expected] of filters) {
      equal((await pagesOf(b.store, q, 100)).flat(), expected, what);
      for (const scanMax of [1, 3, 7, 20, 21])
        for (const limit of [1, 2, 100]) equal((await pagesOf(b.store, { ...q, scanMax }, limit)).flat(), expected, `${what}: ${scanMax}`);
    }
  }),

  suiteCase("a page ends after so many rows, with what was found among them and a cursor", [], async (b) => {
    await twenty(b);
    const rare = await pagesOf(b.store, { workflow: "rare", scanMax: 6 }, 100);
    equal(rare, [[], ids(11), [], []], "r19 … r14, r13 … r08, r07 … r02, the rest");
    const few = await pagesOf(b.store, { errorCode: "E0", scanMax: 2 }, 100);
    ok(few.length > 1 && few.length < 10, "failed runs are looked for among runs that need somebody, not among all");
    equal((await pagesOf(b.store, { scanMax: 2 }, 100)).length, 1, "without a filter every row is found: nothing is looked at in vain");
  }),

  suiteCase("times of creation bound a listing: from the first on, and before the last", [], async (b) => {
    await twenty(b);
    const at = async (id: string): Promise<number> => (await rowOf(b.store, id)).createdAt;
    const [since, until] = [await at("r04"), await at("r08")];
    equal((await pagesOf(b.store, { since, until }, 100)).flat(), ids(7, 6, 5, 4), "created at both ends of two milliseconds");
    equal((await pagesOf(b.store, { since, until, status: ["FAILED"], scanMax: 1 }, 1)).flat(), ids(5), "beside another filter");
    equal((await pagesOf(b.store, { since: until, until: since }, 100)).flat(), [], "an end before the beginning");
    equal((await pagesOf(b.store, { since: await at("r18") }, 1)).flat(), ids(19, 18), "from then on");
  }),

  suiteCase("a run that is created while pages are read is never listed twice, and none is left out", [], async (b) => {
    await twenty(b);
    const first = await b.store.runs({ scope, workflow: "order", limit: 100, scanMax: 10 });
    await commitOne(b.store, create("r99"));
    const seen = first.runs.map((r) => r.runId);
    let { cursor } = first;
    while (cursor !== undefined) {
      const page = await b.store.runs({ scope, workflow: "order", limit: 100, scanMax: 10, cursor });
      seen.push(...page.runs.map((r) => r.runId));
      cursor = page.cursor;
    }
    equal(seen, ids(19, 18, 17, 16, 15, 14, 13, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), "each once");
  }),

  suiteCase("a run is found by its status as it is now", [], async ({ store }) => {
    const row = await owned(store, "a");
    equal((await pagesOf(store, { status: ["PAUSED"] })).flat(), [], "running");
    await commitOne(store, next(row, { status: "PAUSED" }));
    equal((await pagesOf(store, { status: ["PAUSED"] })).flat(), ["a"], "paused");
    await commitOne(store, next(await rowOf(store, "a"), { status: "FAILED", errorCode: "X" }));
    equal((await pagesOf(store, { status: ["PAUSED"] })).flat(), [], "failed");
    equal((await pagesOf(store, { errorCode: "X" })).flat(), ["a"], "by its code");
    await throws("PAWL3005", () => store.runs({ scope, limit: 1, errorCode: "\0" }));
  }),
];
