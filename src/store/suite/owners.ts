// Two owners of one run that both believe in it: the old one, whose lease has lapsed, and the one that declares it dead and takes over.
// Their statements arrive in every order there is, through a store of each one's own. What an old owner writes is written
// before the claim or not at all; a case never asks how a store knows.
import type { CommitAnswer, RunRow, Store } from "../port.ts";
import { equal } from "./assert.ts";
import { create, event, next, owned, claimQuery, rowOf, serves } from "./build.ts";
import { type OpenBundle, type SuiteCase, suiteCase } from "./bundle.ts";

type Statement = "commit" | "renew" | "commit again" | "bury" | "claim" | "take over";
const old: readonly Statement[] = ["commit", "renew", "commit again"];
const heir: readonly Statement[] = ["bury", "claim", "take over"];

/** Every order in which two lists can be dealt together, each in its own order. */
function interleavings<T>(a: readonly T[], b: readonly T[]): T[][] {
  if (a.length === 0 || b.length === 0) return [[...a, ...b]];
  const [x, y] = [a[0] as T, b[0] as T];
  return [...interleavings(a.slice(1), b).map((rest) => [x, ...rest]), ...interleavings(a, b.slice(1)).map((rest) => [y, ...rest])];
}

/** Carries out one order on a run of its own, and says what each statement must have been answered. */
async function play(b: OpenBundle, theirs: Store, order: readonly Statement[], n: number): Promise<void> {
  const [was, is, runId] = [`old-${n}`, `heir-${n}`, `run-${n}`];
  let mine = await owned(b.store, runId, was);
  b.advanceClock(60_001);
  await theirs.registerEngine({ engineId: is, leaseMs: 60_000, serves });
  let taken: RunRow | undefined;
  let seq = 0;
  const written: string[] = [];
  const commit = async (by: Store, row: RunRow, who: string): Promise<CommitAnswer["kind"] | undefined> => {
    const e = event(seq + 1, { eventId: `${who}-${n}-${seq + 1}`, idempotencyKey: `${who}-${n}-${seq + 1}` });
    const kind = (await by.commit([next(row, { commitId: `${who}-${n}-${row.stateVersion}`, events: [e] })])).answers[0]?.kind;
    if (kind !== "committed") return kind;
    seq++;
    written.push(who);
    return kind;
  };
  for (const statement of order) {
    const label = `${order.join(", ")}: ${statement}`;
    const [renewed, buried, claimed] = (["renew", "bury", "claim"] as const).map((s) => order.indexOf(s)) as [number, number, number];
    const at = order.indexOf(statement);
    // An owner that renewed before it was declared dead is not dead, and nobody takes over.
    const dies = buried < renewed;
    switch (statement) {
      case "commit":
      case "commit again": {
        const lost = dies && claimed < at;
        equal(await commit(b.store, mine, "old"), lost ? "fenced" : "committed", label);
        if (!lost) mine = { ...mine, stateVersion: mine.stateVersion + 1 };
        break;
      }
      case "renew":
        equal(await b.store.renew({ engineId: was, leaseMs: 60_000 }), dies ? "dead" : "renewed", label);
        break;
      case "bury":
        equal((await theirs.declareDead({ by: is })).includes(was), dies, label);
        break;
      case "claim":
        [taken] = await theirs.claim(claimQuery(is, { runId }));
        equal(taken?.fence.epoch, dies ? mine.fence.epoch + 1 : undefined, label);
        break;
      case "take over":
        if (taken !== undefined) {
          const seen = await rowOf(theirs, runId);
          equal(await commit(theirs, { ...taken, stateVersion: seen.stateVersion }, "heir"), "committed", label);
        }
    }
  }
  const events = await theirs.events({ runId, after: 0, limit: 9 });
  equal(
    events.map((e) => e.eventId.split("-")[0]),
    written,
    `${order.join(", ")}: the log`,
  );
  const end = await rowOf(theirs, runId);
  equal([end.headSeq, end.owner], [written.length, taken === undefined ? was : is], `${order.join(", ")}: the row`);
}

export const ownerCases: readonly SuiteCase[] = [
  suiteCase(
    "whatever the order in which an old and a new owner's statements arrive, the old one writes nothing after the claim",
    ["I3", "I4", "K1", "C14"],
    async (b) => {
      const theirs = await b.reopen();
      const orders = interleavings(old, heir);
      equal(orders.length, 20, "orders");
      for (const [n, order] of orders.entries()) await play(b, theirs, order, n);
      await theirs.close();
    },
  ),

  suiteCase(
    "of two owners that commit under one fence and version at the same time one is written, and the other is answered stale",
    ["I3", "C13"],
    async (b) => {
      const theirs = await b.reopen();
      for (let n = 0; n < 10; n++) {
        const row = await owned(b.store, `run-${n}`);
        const asked = [b.store, theirs].map(async (s, i) =>
          s.commit([next(row, { commitId: `by-${i}`, events: [event(1)] }), create(`other-${n}-${i}`)]),
        );
        const kinds = (await Promise.all(asked)).map((a) => a.answers.map((x) => x.kind));
        // On a server the loser may find the row held, which says nothing yet: it asks again.
        for (const [i, k] of kinds.entries()) {
          for (let times = 0; k[0] === "busy" && times < 100; times++)
            k[0] = (await [b.store, theirs][i]!.commit([next(row, { commitId: `by-${i}`, events: [event(1)] })])).answers[0]!.kind;
        }
        equal(new Set(kinds.map((k) => k[0])), new Set(["committed", "stale"]), "of one version");
        equal(
          kinds.map((k) => k[1]),
          ["committed", "committed"],
          "what else was in the batch",
        );
        equal((await b.store.events({ runId: `run-${n}`, after: 0, limit: 9 })).length, 1, "events");
      }
      await theirs.close();
    },
  ),
];
