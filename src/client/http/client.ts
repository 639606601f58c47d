// The client of a server: every verb of a client as an operation over HTTP, with the same answers and the same errors. Verbs that need the store
// itself, and options that cannot travel (a transaction, a key), are refused before anything is sent (PAWL4086). No Node: browsers load it.
import { isPawlError, PawlError } from "../../errors/error.ts";
import type { WebPlatform } from "../../platform/web.ts";
import type { ForkOptions } from "../../api/types/fork.ts";
import type { RetryOptions } from "../../api/types/retry.ts";
import type { ConsumerDeadLetter } from "../../readers/watermarks.ts";
import type { DecisionView, Client } from "../types.ts";
import { callerOf, cursorOf, type HttpCaller, readAll } from "./call.ts";
import { ChangeHints } from "./change-hints.ts";
import { followRun, watchRuns } from "./follow.ts";
import { streamRun } from "./graph-stream.ts";
import { operateVerbs } from "./operate-verbs.ts";
import { httpQueues } from "./queues.ts";
import { httpTarget, type TargetOptions } from "./target.ts";
import type { LocalOnly } from "./types.ts";
import { pollForAnswer, pollForAnswered, pollForControl, pollForEnd, pollForResolved, pollForStart } from "./waits.ts";
import { httpWebhooks } from "./webhooks.ts";

/** As many as a client on a store reads at once. */
const eventsMax = 1_000;

/** Every verb; those of LocalOnly are there and refuse, for code that was written for both. */
export function httpClient(o: TargetOptions, web: WebPlatform): Client & { close(): Promise<void> } {
  const closing = new AbortController();
  const caller = callerOf(httpTarget(o, web, closing.signal));
  return {
    ...runVerbs(caller),
    ...listVerbs(caller),
    ...operateVerbs(caller),
    ...httpQueues(caller),
    ...localOnly,
    follow: (id, o) => followRun(caller, id, o),
    watch: (filter, o) => watchRuns(caller, filter, o),
    streamGraph: (id, o) => streamRun(caller, id, o),
    webhooks: httpWebhooks(caller),
    close: () => {
      closing.abort(new PawlError("PAWL4088", "the client was closed"));
      return Promise.resolve();
    },
  };
}

type RunVerbs = Pick<
  Client,
  | "start"
  | "get"
  | "waitForEnd"
  | "waitForChange"
  | "signal"
  | "update"
  | "signalState"
  | "updateState"
  | "view"
  | "control"
  | "retry"
  | "fork"
  | "next"
  | "resolve"
  | "questions"
  | "answer"
  | "append"
  | "evidence"
  | "proof"
  | "causes"
  | "usage"
  | "state"
  | "history"
  | "io"
  | "projection"
>;

/** A superstep by its number, or by its label. */
function superstepMember(at: number | string | undefined): { at?: number; label?: string } {
  return at === undefined ? {} : typeof at === "string" ? { label: at } : { at };
}

function runVerbs(c: HttpCaller): RunVerbs {
  const { call } = c;
  const hints = new ChangeHints(c);
  return {
    start: async ({ tx, ...r }, o) => {
      if (tx !== undefined) throw notOverHttp("start inside a transaction");
      return pollForStart(c, r, o);
    },
    get: (id) => unlessMissing(call("runs.get", { id })),
    waitForEnd: (id, o) => pollForEnd(c, id, o),
    // A hint: it never rejects, not even when the client is closed.
    waitForChange: (id, o) => hints.wait(id, o.timeoutMs, o.signal),
    signal: async (id, name, payload, { tx, signalId, traceparent, delay } = {}) => {
      if (tx !== undefined) throw notOverHttp("signal inside a transaction");
      const more = { ...(traceparent === undefined ? {} : { traceparent }), ...(delay === undefined ? {} : { delay }) };
      return call("runs.signal", { id, name, payload, signalId, ...more });
    },
    update: (id, name, payload, o = {}) =>
      pollForAnswer(
        c,
        {
          id,
          name,
          payload,
          updateId: o.updateId ?? c.target.web.uuidV4(),
          ...(o.traceparent === undefined ? {} : { traceparent: o.traceparent }),
        },
        o,
      ),
    signalState: (id, name, signalId) => unlessMissing(call("signals.get", { id, name, signalId })),
    updateState: (id, name, updateId) => unlessMissing(call("updates.get", { id, name, updateId })),
    view: async (id, name) => (await call("runs.view", { id, name })).value,
    control: (id, what, { unconditional, ...o } = {}) => {
      if (unconditional === true) return Promise.reject(notOverHttp("control whatever a run's status is"));
      return pollForControl(c, id, what, o);
    },
    retry: ((id: string, o?: RetryOptions) => call("runs.retry", { id, ...o })) as Client["retry"],
    next: (id, input, o) => call("runs.next", { id, input, ...o }),
    fork: ((from: string, { id, at, ...o }: Partial<ForkOptions>) =>
      call("runs.fork", { id: from, ...o, ...superstepMember(at), ...(id === undefined ? {} : { newId: id }) })) as Client["fork"],
    resolve: (decisionId, answer, o) => pollForResolved(c, decisionId, answer, o),
    questions: async (id) => (await call("questions.list", { id })).items,
    answer: (questionId, value, o) => pollForAnswered(c, questionId, value, o),
    append: ((events: unknown, o: object = {}) =>
      call("events.append", { ...o, ...(Array.isArray(events) ? { events } : { event: events as never }) })) as Client["append"],
    evidence: async (id, { key, ...o } = {}) => {
      if (key !== undefined) throw notOverHttp("evidence with a key");
      return call("runs.evidence", { id, ...o }, { answers: "bytes" });
    },
    proof: (id) => call("runs.proof", { id }),
    state: async (id, { at } = {}) => (await call("runs.state", { id, ...superstepMember(at) })) ?? undefined,
    history: async (id, { before, limit } = {}) =>
      (
        await call("runs.history", {
          id,
          ...(before === undefined ? {} : { beforeStep: before }),
          ...(limit === undefined ? {} : { limit }),
        })
      ).items,
    io: async (id, superstep) => (await call("runs.io", { id, superstep })).items,
    usage: (id) => call("runs.usage", { id }),
    causes: (id) => readAll((cursor) => call("runs.causes", { id, ...cursor })),
    projection: async (id, o = {}) =>
      ((await call("runs.projection", { id, ...(o.name === undefined ? {} : { projector: o.name }) })) ?? undefined) as never,
  };
}

type ListVerbs = Pick<
  Client,
  "list" | "steps" | "stepPage" | "events" | "effects" | "decisions" | "decisionPage" | "info" | "consumers" | "deadLetters" | "alerts"
>;

function listVerbs({ call }: HttpCaller): ListVerbs {
  return {
    list: async (q = {}) => {
      const { items, nextCursor } = await call("runs.list", q);
      return { runs: items, ...cursorOf(nextCursor) };
    },
    steps: (id) => readAll((cursor) => call("runs.steps", { id, ...cursor })),
    stepPage: async (id, o = {}) => {
      const { items, nextCursor } = await call("runs.steps", { id, ...o });
      return { steps: items, ...cursorOf(nextCursor) };
    },
    events: async (id, o = {}) => (await call("runs.events", { id, ...o, limit: o.limit ?? eventsMax })).items,
    effects: async (q = {}) => {
      const { items, nextCursor } = await call("effects.list", q);
      return { effects: items, ...cursorOf(nextCursor) };
    },
    decisions: async ({ limit = 100 } = {}) => {
      const found: DecisionView[] = [];
      let cursor: string | undefined;
      do {
        const page = await call("decisions.list", { limit: limit - found.length, ...(cursor === undefined ? {} : { cursor }) });
        found.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== undefined && found.length < limit);
      return found;
    },
    decisionPage: async (o = {}) => {
      const { items, nextCursor } = await call("decisions.list", o);
      return { decisions: items, ...cursorOf(nextCursor) };
    },
    info: () => call("store.info", {}),
    consumers: () => readAll((cursor) => call("consumers.list", cursor)),
    deadLetters: async (consumer, { after, ...o } = {}) => {
      const from = after === undefined ? {} : { afterRun: after.runId, afterSeq: after.runSeq };
      // Without the scope for payloads the reason of each is left out.
      return (await call("consumers.dead", { consumer, ...o, ...from })).items as readonly ConsumerDeadLetter[];
    },
    alerts: async (q = {}) => {
      const { items, nextCursor } = await call("alerts.list", q);
      return { alerts: items, ...cursorOf(nextCursor) };
    },
  };
}

async function unlessMissing<T>(p: Promise<T>): Promise<T | undefined> {
  try {
    return await p;
  } catch (e) {
    if (isPawlError(e, "PAWL4001") || isPawlError(e, "PAWL4132")) return undefined;
    throw e;
  }
}

export function notOverHttp(what: string): PawlError {
  return new PawlError("PAWL4086", `${what} needs the store itself: a client over HTTP cannot do it`);
}

const refuse = (verb: string) => (): never => {
  throw notOverHttp(verb);
};
const refuseLater = (verb: string) => (): Promise<never> => Promise.reject(notOverHttp(verb));

const localOnly: Pick<Client, LocalOnly> = {
  subscribe: refuseLater("subscribe"),
  unsubscribe: refuseLater("unsubscribe"),
  project: refuseLater("project"),
  rebuild: refuseLater("rebuild"),
  stream: refuse("stream"),
  producer: refuse("producer"),
  clearRejection: refuseLater("clearRejection"),
  hold: refuseLater("hold"),
  release: refuseLater("release"),
  holds: refuseLater("holds"),
  applyRetention: refuseLater("applyRetention"),
  exportRuns: refuse("exportRuns"),
  undoExport: refuseLater("undoExport"),
  importRuns: refuseLater("importRuns"),
  verifyStore: refuseLater("verifyStore"),
  repairStore: refuseLater("repairStore"),
};
