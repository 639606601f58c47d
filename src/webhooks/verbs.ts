// The verbs of webhooks, on the store: endpoints are added, changed and removed, deliveries looked at, events asked for once more.
// A secret is returned by the verb that made it and by no other.
import { durationMs } from "../core/duration.ts";
import { PawlError } from "../errors/error.ts";
import { consumerCollection } from "../readers/kv-keys.ts";
import { joinFeed } from "../readers/join-feed.ts";
import type { EventRecord, RunRow } from "../store/port.ts";
import { DeliveryLedger } from "./delivery-ledger.ts";
import { startDelivering } from "./deliver.ts";
import { endpointConsumer, Endpoints, endpointView, type Endpoint } from "./endpoints.ts";
import { answerText } from "./judge-attempt.ts";
import { Replays } from "./replays.ts";
import { AttemptSender, type SenderContext } from "./attempt-sender.ts";
import { publicHalf } from "./secrets.ts";
import type { DeliveryView, EndpointSecret, EndpointView, ReplayWhat, Webhooks } from "./types.ts";

const keysMax = 8;
const pageSize = 500;

export interface WebhookVerbsDeps extends SenderContext {
  /** A runId or a workflowId to its run; throws when there is none. */
  find(id: string): Promise<RunRow>;
}

export function webhookVerbs(c: WebhookVerbsDeps): Webhooks {
  const endpoints = new Endpoints(c.store, c.platform, c.scope);
  const nowMs = async (): Promise<number> => (await c.store.info()).nowMs;
  const view = async (e: Endpoint): Promise<EndpointView> =>
    endpointView(e, (await waitingByConsumer(c)).get(endpointConsumer(c.scope, e.id).name) ?? 0);
  const made = async (e: Endpoint, secret: string): Promise<EndpointSecret> => ({
    endpoint: await view(e),
    ...(publicHalf(secret) === undefined ? { secret } : {}),
  });
  return {
    add: async (n) => {
      const e = await endpoints.add(n, await nowMs());
      try {
        await joinFeed(c.store, endpointConsumer(c.scope, e.id), e.from);
      } catch (error) {
        await endpoints.remove(e.id).catch(() => {}); // one that was not acknowledged may be added again
        throw error;
      }
      return made(e, e.keys[0]!.secret);
    },
    list: async () => {
      const waiting = await waitingByConsumer(c);
      return (await endpoints.list()).map((e) => endpointView(e, waiting.get(endpointConsumer(c.scope, e.id).name) ?? 0));
    },
    remove: async (id) => {
      await endpoints.remove(id);
      await removeEndpointRows(c, id);
    },
    pause: async (id, reason = "by an operator") => {
      const since = await nowMs();
      return view(await endpoints.change(id, (e) => ({ ...e, paused: e.paused ?? { since, reason } })));
    },
    resume: async (id) => view(await endpoints.change(id, (e) => ({ ...e, paused: null }))),
    rotate: async (id, o = {}) => {
      const now = await nowMs();
      const until = now + durationMs(o.window ?? "1d", "window");
      const secret = endpoints.secretOf(o);
      const e = await endpoints.change(id, (old) => {
        const still = old.keys.filter((k) => k.until === null || k.until > now);
        const keys = [{ secret, until: null }, ...still.map((k) => ({ ...k, until: Math.min(k.until ?? until, until) }))];
        return { ...old, keys: keys.slice(0, keysMax) };
      });
      return made(e, secret);
    },
    test: async (id, o = {}) => {
      const answer = await new AttemptSender(c, o).sendTest(await endpoints.get(id));
      const delivered = answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
      return {
        delivered,
        ...(answer.kind === "answered" ? { status: answer.status } : {}),
        ...(delivered ? {} : { error: answerText(answer) }),
      };
    },
    replay: async (id, what) => {
      await endpoints.get(id);
      const book = new DeliveryLedger(c.store, c.scope, id);
      const asked = await replayRequests(c, book, what);
      await new Replays(c.store, c.platform, c.scope, id, book).request(asked);
      return { runs: new Set(asked.map((a) => a.runId)).size };
    },
    deliveries: async (id, o = {}) => {
      await endpoints.get(id);
      const book = new DeliveryLedger(c.store, c.scope, id);
      const limit = checkLimit(o.limit);
      const { state } = o;
      const all: DeliveryView[] = [];
      if (state === undefined || state === "waiting") all.push(...(await book.listWaiting(limit)));
      if (state === undefined || state === "dead") all.push(...(await book.listDead(limit)));
      if (state === undefined || state === "delivered") all.push(...(await book.listDelivered(limit)));
      return all.slice(0, limit);
    },
    dead: async (id, o = {}) => {
      await endpoints.get(id);
      return new DeliveryLedger(c.store, c.scope, id).listDead(checkLimit(o.limit));
    },
    deliver: (o) => startDelivering(c, o),
  };
}

/** Commits that wait for each consumer. */
async function waitingByConsumer(c: WebhookVerbsDeps): Promise<ReadonlyMap<string, number>> {
  return new Map((await c.store.feed.consumers(c.scope)).map((f) => [f.name, f.waiting]));
}

/** Everything that was kept for an endpoint; first the feed, so that nothing new comes. */
async function removeEndpointRows(c: WebhookVerbsDeps, id: string): Promise<void> {
  const consumer = endpointConsumer(c.scope, id);
  await c.store.feed.leave(consumer);
  for (const kind of ["from", "desk", "mark", "held", "dead", "delivered", "replay"]) {
    const collection = consumerCollection(kind, consumer);
    for (;;) {
      const rows = await c.store.kv.list({ collection, limit: pageSize });
      if (rows.length > 0) await c.store.kv.put(rows.map((r) => ({ collection, key: r.key, value: null })));
      if (rows.length < pageSize) break;
    }
  }
}

type ReplayList = Parameters<Replays["request"]>[0];

async function replayRequests(c: WebhookVerbsDeps, book: DeliveryLedger, what: ReplayWhat): Promise<ReplayList> {
  if ("dead" in what) return deadLetterReplays(book);
  if ("since" in what) return replaysSince(c, what.since);
  if (!("event" in what)) {
    const run = await c.find(what.run);
    return [{ runId: run.runId, after: 0, upTo: run.headSeq, only: null, dead: false }];
  }
  const at = what.run === undefined ? await book.find(what.event) : await findEvent(c, (await c.find(what.run)).runId, what.event);
  const letter = (await deadLetterReplays(book, (l) => l.eventId === what.event))[0];
  if (letter !== undefined) return [letter];
  if (at === undefined) throw new PawlError("PAWL4011", `event ${what.event} is not in the ledger of this endpoint: name its run as well`);
  return [{ runId: at.runId, after: at.runSeq - 1, upTo: at.runSeq, only: [at.runSeq], dead: false }];
}

async function findEvent(c: WebhookVerbsDeps, runId: string, eventId: string): Promise<{ runId: string; runSeq: number } | undefined> {
  for (let after = 0; ;) {
    const page = await c.store.events({ runId, after, limit: pageSize });
    const found = page.find((e: EventRecord) => e.eventId === eventId);
    if (found !== undefined) return { runId, runSeq: found.runSeq };
    if (page.length < pageSize) return undefined;
    after = page.at(-1)!.runSeq;
  }
}

/** What was given up, run by run, in order. */
async function deadLetterReplays(
  book: DeliveryLedger,
  fits: (l: { readonly eventId: string }) => boolean = () => true,
): Promise<ReplayList> {
  const byRun = new Map<string, number[]>();
  let after: { runId: string; runSeq: number } | undefined;
  for (;;) {
    const page = await book.watermarks.deadLetters({ limit: pageSize, ...(after === undefined ? {} : { after }) });
    for (const l of page) if (fits(l)) byRun.set(l.runId, [...(byRun.get(l.runId) ?? []), l.runSeq]);
    if (page.length < pageSize) break;
    after = page.at(-1);
  }
  return [...byRun].map(([runId, only]) => ({ runId, after: only[0]! - 1, upTo: only.at(-1)!, only, dead: true }));
}

/** Every run that has events since then, from the first of them. */
async function replaysSince(c: WebhookVerbsDeps, since: string): Promise<ReplayList> {
  const at = Date.parse(since);
  if (Number.isNaN(at)) throw new PawlError("PAWL4011", "since: not a time, as 2026-01-31T12:00:00Z");
  const asked: { runId: string; after: number; upTo: number; only: null; dead: false }[] = [];
  let cursor: string | undefined;
  do {
    const page = await c.store.runs({ scope: c.scope, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) });
    for (const run of page.runs) {
      if (run.persistedAt < at) continue;
      asked.push({ runId: run.runId, after: await lastSeqBefore(c, run, at), upTo: run.headSeq, only: null, dead: false });
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return asked;
}

/** The runSeq of the last event before a time; 0 = none. Times never go back within a run. */
async function lastSeqBefore(c: WebhookVerbsDeps, run: RunRow, at: number): Promise<number> {
  if (run.createdAt >= at) return 0;
  let [low, high] = [0, run.headSeq];
  while (low < high) {
    const middle = Math.floor((low + high + 1) / 2);
    const [e] = await c.store.events({ runId: run.runId, after: middle - 1, limit: 1 });
    if (e !== undefined && e.persistedAt < at) low = e.runSeq;
    else high = middle - 1;
  }
  return low;
}

function checkLimit(limit: number = 50): number {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 1_000)
    throw new PawlError("PAWL4011", "limit must be a whole number from 1 to 1000");
  return limit;
}
