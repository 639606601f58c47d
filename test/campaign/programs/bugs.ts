// Planted bugs, one for each way in which a store or an engine could break its word. A campaign part that runs with its bug
// and reports nothing is worth nothing, and fails. They stand between an engine and its store, in a process of their own;
// nothing outside this folder may import them.
import { isPawlError, PawlError } from "../../../src/errors/error.ts";
import type { FullStore } from "../../../src/store/full-store.ts";
import type { Commit, CommitAnswer } from "../../../src/store/port.ts";
import { faultyStore } from "../../support/faulty-store.ts";
import { note } from "./ledger.ts";

export type Bug =
  | "acknowledges early"
  | "ignores the fence"
  | "writes again"
  | "alters an answer"
  | "believes the wall clock"
  | "forgets its claims"
  | "forgets its keys"
  | "lets an exception out"
  | "resumes too late"
  | "forgets its ids"
  | "fires before it records"
  | "frees what it claimed"
  | "sends calls again";

export function withBug(store: FullStore, bug: Bug): FullStore {
  switch (bug) {
    case "acknowledges early":
      return acknowledgesEarly(store);
    case "ignores the fence":
      return ignoresFence(store);
    case "writes again":
      return writesAgain(store);
    case "alters an answer":
      return altersAnswer(store);
    case "forgets its claims":
      return forgetsClaims(store);
    case "believes the wall clock":
      return store; // it is in the engine's machine (clocked.ts)
    case "forgets its keys":
      return store; // it is the bank that does (teller-bank.ts)
    case "lets an exception out":
    case "resumes too late":
      return store; // it is in the server's process (test/server/programs/served.ts)
    case "fires before it records":
      return store; // it is in the process that fires (test/schedules/programs/firing.ts)
    case "forgets its ids":
      return store; // it is in the server's process (test/server/programs/killed-server.ts)
    case "frees what it claimed":
      return freesClaimed(store);
    case "sends calls again":
      return store; // it is in the process of the agents (agent-engine.ts)
  }
}

const isStep = (c: Commit): boolean => !("create" in c.expect);

/** Says "committed" and writes a moment later; what cannot be written then is forgotten. */
function acknowledgesEarly(store: FullStore): FullStore {
  let behind: Promise<unknown> = Promise.resolve();
  return {
    ...store,
    async commit(batch, renew) {
      const late = batch.filter(isStep);
      const now = batch.filter((c) => !isStep(c));
      const real = now.length > 0 || late.length === 0 ? await store.commit(now, renew) : { answers: [], renewal: null };
      if (late.length > 0) {
        behind = behind
          .then(() => new Promise((resolve) => setTimeout(resolve, 60)))
          .then(() => store.commit(late))
          .catch(() => {});
      }
      const told = [...real.answers];
      const early: CommitAnswer = { kind: "committed", persistedAt: Date.now(), dueAt: null, children: [] };
      return { answers: batch.map((c) => (isStep(c) ? early : told.shift()!)), renewal: real.renewal };
    },
  };
}

/** The same change, as if the row were what its writer believes: what a store without a fence would write. */
async function forced(store: FullStore, c: Commit): Promise<CommitAnswer | undefined> {
  const row = await store.run({ runId: c.runId });
  if (row === undefined || row.owner === null) return undefined;
  const { fence, stateVersion, headSeq } = row;
  const events = c.events.map((e, i) => ({ ...e, runSeq: headSeq + i + 1, idempotencyKey: again(e.idempotencyKey, stateVersion) }));
  const { answers } = await store.commit([{ ...c, commitId: `${c.commitId}x${stateVersion}`, expect: { fence, stateVersion }, events }]);
  return answers[0];
}
/** Another key of the same form. */
const again = (key: string, n: number): string => `${key.slice(0, -8)}${n.toString(16).padStart(8, "0")}`;

/** Takes a Commit whose fence is lost, and tells its engine that it lives. */
function ignoresFence(store: FullStore): FullStore {
  return {
    ...store,
    renew: async (r) => {
      await store.renew(r);
      return "renewed";
    },
    async commit(batch, renew) {
      const real = await store.commit(batch, renew);
      const answers = await Promise.all(
        real.answers.map(async (a, i) => (a.kind === "fenced" ? ((await forced(store, batch[i]!)) ?? a) : a)),
      );
      return { answers, renewal: real.renewal === "dead" ? "renewed" : real.renewal };
    },
  };
}

/** Takes a Commit without an answer for one that was not written, and writes another. */
function writesAgain(store: FullStore): FullStore {
  return {
    ...store,
    async commit(batch, renew) {
      try {
        return await store.commit(batch, renew);
      } catch (e) {
        if (!isPawlError(e, "PAWL3002") || e.outcome !== "unknown" || !batch.every(isStep)) throw e;
        const answers = await Promise.all(batch.map(async (c) => (await forced(store, c)) ?? ({ kind: "busy" } as const)));
        return { answers, renewal: null };
      }
    },
  };
}

/** Says that another owner holds the run where only its version has moved. */
function altersAnswer(store: FullStore): FullStore {
  return {
    ...store,
    async commit(batch, renew) {
      const real = await store.commit(batch, renew);
      return { ...real, answers: real.answers.map((a) => (a.kind === "stale" ? { kind: "fenced" } : a)) };
    },
  };
}

/** No bug: a file has no network that could lose an answer, so every third Commit of a store without one has none. */
export function losesAnswers(store: FullStore, ledger: string): FullStore {
  let asked = 0;
  return {
    ...store,
    async commit(batch, renew) {
      asked++;
      if (asked % 3 !== 0) return store.commit(batch, renew);
      // Every other one that has no answer never arrived.
      if (asked % 2 === 0) await store.commit(batch, renew);
      note(ledger, { kind: "unknown" });
      throw new PawlError("PAWL3002", "the answer was lost", { outcome: "unknown" });
    },
  };
}

/** Loses the answer to every other claim that took something, and never learns what it took: what a store without `owned` would do. */
function forgetsClaims(store: FullStore): FullStore {
  const forgotten = new Set<string>();
  let claims = 0;
  return {
    ...store,
    async claim(q) {
      const rows = await store.claim(q);
      if (rows.length === 0 || ++claims % 2 !== 0) return rows;
      for (const r of rows) forgotten.add(r.runId);
      throw new PawlError("PAWL3002", "the answer was lost", { outcome: "unknown" });
    },
    ownedRuns: async (q) => (await store.ownedRuns(q)).filter((id) => !forgotten.has(id)),
    inbox: async (q) => ("owner" in q ? (await store.inbox(q)).filter((r) => !forgotten.has(r.runId)) : store.inbox(q)),
  };
}

/** Answers a claim and gives the first of its rows back: what a claim that is not committed before its answer would do. */
function freesClaimed(store: FullStore): FullStore {
  return {
    ...store,
    queues: {
      ...store.queues,
      async claim(q) {
        const answer = await store.queues.claim(q);
        const first = answer.kind === "claimed" ? answer.rows[0] : undefined;
        if (first !== undefined) await store.queues.giveBack([{ dispatchId: first.dispatchId, token: first.token ?? "" }]);
        return answer;
      },
    },
  };
}

/** No bug: one call in eight of any verb has no answer; half of those never arrived. */
export function badWeather(store: FullStore, ledger: string, seed: number): FullStore {
  let state = (Math.abs(seed) % 2_147_483_646) + 1;
  const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  let armed = false;
  setTimeout(() => (armed = true), 500).unref(); // it must have opened
  return faultyStore(store, () => {
    if (!armed || random(8) !== 0) return null;
    note(ledger, { kind: "unknown" });
    return random(2) === 0 ? "lost" : "cut";
  });
}
