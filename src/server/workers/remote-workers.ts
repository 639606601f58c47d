// The worker protocol on the store's queues: claims for free places, heartbeats, reports. It keeps nothing between two requests that another
// server could not find in the store, so any server of the tenant answers any request. A report is durable before it is answered.
import type {
  WorkerBeat,
  WorkerHello,
  WorkerNoted,
  WorkerPoll,
  WorkerPolled,
  WorkerResult,
  WorkerStops,
  WorkerWelcome,
} from "../../api/types/workers.ts";
import type { Scope } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";
import { remoteBeginMsMax } from "../../events/effect-history.ts";
import type { Platform } from "../../platform/platform.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { DispatchRow, HeldDispatch, StoredQueue } from "../../store/port.ts";
import { QueueHints } from "./queue-hints.ts";
import { RegisteredWorkers, workerLeaseMs, type KnownWorker } from "./registered-workers.ts";
import { beatText, judgeLateReport, reportOf } from "./worker-reports.ts";
import { workerClaim, parseDispatchId, wireDispatchId } from "./wire-dispatch.ts";

const beatEveryMs = 3_000;
const beginWithinMs = remoteBeginMsMax;
const pollEveryMs = 1_000;
/** Somebody else holds a limited queue's row at this moment. */
const busyMs = 50;
const rowsMax = 10_000;

/** A claimed row, and within what time of sending its poll the worker may begin it: never later than the row's deadline assumes (K25). */
interface Handed {
  readonly row: DispatchRow;
  readonly withinMs: number;
}
interface OpenPoll {
  readonly leaves: AbortController;
  readonly answer: Promise<WorkerPolled>;
  /** It was sent while a queue of the worker had no free place. */
  readonly isFull: boolean;
}
interface Claims {
  readonly rows: readonly DispatchRow[];
  /** A look before this time is over finds nothing. */
  readonly soonMs: number;
}

export class RemoteWorkers {
  readonly #store: FullStore;
  readonly #scope: Scope;
  readonly #platform: Platform;
  readonly #workers: RegisteredWorkers;
  readonly #hints: QueueHints;
  readonly #queues = new Map<string, StoredQueue>();
  /** Those that wait here, by worker. */
  readonly #polls = new Map<string, Set<OpenPoll>>();

  constructor(store: FullStore, scope: Scope, platform: Platform) {
    this.#store = store;
    this.#scope = scope;
    this.#platform = platform;
    this.#workers = new RegisteredWorkers(store, scope, platform);
    this.#hints = new QueueHints(store, platform);
  }

  /** `permitted`: the queues that the caller's token may serve; undefined: all. */
  async register(hello: WorkerHello, permitted: readonly string[] | undefined): Promise<WorkerWelcome> {
    checkPermitted(Object.keys(hello.queues), permitted);
    const workerId = await this.#workers.register(hello);
    return { workerId, leaseMs: workerLeaseMs, beatEveryMs, beginWithinMs };
  }

  async poll(workerId: string, p: WorkerPoll, permitted: readonly string[] | undefined, caller: AbortSignal): Promise<WorkerPolled> {
    const leaves = new AbortController();
    const answer = this.#poll(workerId, p, permitted, AbortSignal.any([caller, leaves.signal]));
    const open: OpenPoll = { leaves, answer, isFull: Object.values(p.free).some((places) => places === 0) };
    const ofWorker = this.#polls.get(workerId) ?? new Set();
    this.#polls.set(workerId, ofWorker.add(open));
    try {
      return await answer;
    } finally {
      ofWorker.delete(open);
      if (ofWorker.size === 0) this.#polls.delete(workerId);
    }
  }

  async #poll(workerId: string, p: WorkerPoll, permitted: readonly string[] | undefined, signal: AbortSignal): Promise<WorkerPolled> {
    const worker = await this.#renew(workerId, permitted);
    const free = Object.entries(p.free).filter(([, places]) => places > 0);
    const queues = free.map(([queue]) => queue);
    const unknown = queues.find((q) => !worker.queues.includes(q));
    if (unknown !== undefined) throw new PawlError("PAWL4011", `worker ${workerId} did not register for the queue ${unknown}`);
    const sentAt = this.#platform.monotonicMs();
    const held = new Set(p.holds.map((h) => parseDispatchId(h.dispatchId).dispatchId));
    const again = await this.#unheld(workerId, held, sentAt);
    const endsAt = sentAt + p.waitMs;
    let renewedAt = sentAt;
    for (;;) {
      const waiting = this.#hints.begin(queues);
      // Before the claim: whatever takes time after it is not the worker's.
      const withinMs = Math.floor(this.#platform.monotonicMs() - sentAt) + beginWithinMs;
      const { rows, soonMs } = again.length > 0 || signal.aborted ? nothing : await this.#claim(workerId, worker, free);
      const handed = [...again, ...rows.map((row) => ({ row, withinMs }))];
      const stops = await this.#stops(workerId, p.holds);
      const now = this.#platform.monotonicMs();
      if (handed.length > 0 || stops.cancel.length + stops.lost.length > 0 || now >= endsAt || signal.aborted) {
        waiting.leave();
        const claimed = await Promise.all(handed.map((h) => workerClaim(this.#store, h.row, h.withinMs)));
        return { claimed, ...stops };
      }
      await waiting.next(Math.max(1, Math.min(soonMs, endsAt - now)), signal);
      if (this.#platform.monotonicMs() - renewedAt < beatEveryMs) continue;
      renewedAt = this.#platform.monotonicMs();
      await this.#workers.renew(workerId);
    }
  }

  async beats(workerId: string, beats: readonly WorkerBeat[], permitted: readonly string[] | undefined): Promise<WorkerStops> {
    await this.#renew(workerId, permitted);
    return this.#stops(workerId, beats, beats.map(beatText));
  }

  async results(workerId: string, results: readonly WorkerResult[], permitted: readonly string[] | undefined): Promise<WorkerNoted> {
    await this.#renew(workerId, permitted).catch((e: unknown) => {
      // A dead worker's report is evidence all the same.
      if (!(e instanceof PawlError) || e.page !== "PAWL4130") throw e;
    });
    const back = results.filter((r) => "back" in r);
    await this.#store.queues.giveBack(back.map(heldOf));
    const reports = results.filter((r) => !("back" in r));
    const ends = reports.map((r) => ({ ...heldOf(r), end: reportOf(r) }));
    const answers = ends.length === 0 ? [] : await this.#store.queues.finish(ends);
    // Where claims are counted, the end of one is room for the next; nobody else says so.
    if (answers.includes("recorded")) this.#hints.look((queue) => (this.#queues.get(queue)?.config.concurrency ?? null) !== null);
    // It has a place now that its open poll does not know of: it asks again.
    for (const { leaves, isFull } of this.#polls.get(workerId) ?? []) if (isFull) leaves.abort();
    const noted: { dispatchId: string; as: WorkerNoted["noted"][number]["as"] }[] = back.map(({ dispatchId }) => ({
      dispatchId,
      as: "recorded",
    }));
    for (const [i, r] of reports.entries()) {
      const gone =
        answers[i] === "gone"
          ? await judgeLateReport(
              this.#store,
              this.#scope,
              { worker: workerId, token: r.token },
              parseDispatchId(r.dispatchId),
              ends[i]!.end,
            )
          : undefined;
      noted.push({ dispatchId: r.dispatchId, as: gone ?? "recorded" });
    }
    return { noted };
  }

  /**
   * Its open polls end first, so that none claims for a worker that is gone. What it says to hold may have begun: its class decides. What it was
   * given and does not hold it never saw, or will not begin: others get it. A worker that does not say what it holds may have begun all of it.
   */
  async leave(workerId: string, holds: WorkerPoll["holds"] | undefined, permitted: readonly string[] | undefined): Promise<void> {
    checkPermitted((await this.#workers.known(workerId))?.queues ?? [], permitted);
    const polls = [...(this.#polls.get(workerId) ?? [])];
    for (const { leaves } of polls) leaves.abort();
    await Promise.allSettled(polls.map(({ answer }) => answer));
    const held = holds === undefined ? undefined : new Set(holds.map((h) => parseDispatchId(h.dispatchId).dispatchId));
    const giveBack = async (): Promise<void> => {
      if (held !== undefined) await this.#giveBack(await this.#missing(workerId, held));
    };
    await giveBack();
    await this.#workers.retire(workerId);
    await giveBack(); // a poll at another server may have claimed in between; from here on none can
  }

  /** A token for some queues acts for no worker that serves another: what that holds would be handed out to it. */
  async #renew(workerId: string, permitted: readonly string[] | undefined): Promise<KnownWorker> {
    checkPermitted((await this.#workers.known(workerId))?.queues ?? [], permitted);
    return this.#workers.renew(workerId);
  }

  /** Claimed by this worker and not held by it: the answer to an earlier poll was lost. Handed out again for what is left of its time, else given back. */
  async #unheld(workerId: string, held: ReadonlySet<number>, sentAt: number): Promise<readonly Handed[]> {
    const missing = await this.#missing(workerId, held);
    if (missing.length === 0) return [];
    const sinceSent = Math.floor(this.#platform.monotonicMs() - sentAt);
    const { nowMs } = await this.#store.info();
    const handed = missing.map((row) => ({ row, withinMs: sinceSent + beginWithinMs - (nowMs - (row.claimedAt ?? 0)) }));
    const isLate = ({ withinMs }: Handed): boolean => withinMs <= sinceSent;
    await this.#giveBack(handed.filter(isLate).map(({ row }) => row));
    return handed.filter((h) => !isLate(h));
  }

  async #missing(workerId: string, held: ReadonlySet<number>): Promise<DispatchRow[]> {
    const rows = await this.#store.queues.rows({ scope: this.#scope, worker: workerId, limit: rowsMax });
    return rows.filter((d) => !held.has(d.dispatchId));
  }
  async #giveBack(rows: readonly DispatchRow[]): Promise<void> {
    if (rows.length > 0) await this.#store.queues.giveBack(rows.map((d) => ({ dispatchId: d.dispatchId, token: d.token ?? "" })));
  }

  async #claim(workerId: string, { tasks }: KnownWorker, free: readonly (readonly [string, number])[]): Promise<Claims> {
    const rows: DispatchRow[] = [];
    let soonMs = pollEveryMs;
    for (const [queue, places] of free) {
      const limit = Math.min(places, 100);
      const tokens = Array.from({ length: limit }, () => this.#platform.randomHex(16));
      const known = this.#queues.get(queue) ?? (await this.#open(queue));
      const q = { worker: workerId, scope: this.#scope, queue, tasks, limit, tokens, beginWithinMs, from: null };
      let answer = await this.#store.queues.claim({ ...q, version: known.version });
      if (answer.kind === "moved") answer = await this.#store.queues.claim({ ...q, version: (await this.#open(queue)).version });
      if (answer.kind === "dead") throw new PawlError("PAWL4130", `the lease of worker ${workerId} has ended`, { data: { workerId } });
      if (answer.kind === "busy") soonMs = Math.min(soonMs, busyMs);
      if (answer.kind !== "claimed") continue;
      rows.push(...answer.rows);
      if (answer.nextAt !== null) soonMs = Math.min(soonMs, Math.max(1, answer.nextAt - (await this.#store.info()).nowMs));
    }
    return { rows, soonMs };
  }

  async #open(queue: string): Promise<StoredQueue> {
    const [row] = await this.#store.queues.open(this.#scope, [queue]);
    this.#queues.set(queue, row!);
    return row!;
  }

  async #stops(
    workerId: string,
    held: readonly { readonly dispatchId: string; readonly token: string }[],
    texts?: readonly (string | undefined)[],
  ): Promise<WorkerStops> {
    if (held.length === 0) return { cancel: [], lost: [] };
    const ids = new Map(held.map((h) => [parseDispatchId(h.dispatchId).dispatchId, h.dispatchId]));
    const beats = held.map((h, i) => ({ ...heldOf(h), ...(texts?.[i] === undefined ? {} : { beat: texts[i] }) }));
    const { cancel, lost } = await this.#store.queues.beat(workerId, beats);
    const named = (n: number): string => ids.get(n) ?? wireDispatchId({ dispatchId: n, runId: "" });
    return { cancel: cancel.map(named), lost: lost.map(named) };
  }
}

const nothing: Claims = { rows: [], soonMs: pollEveryMs };

function heldOf(h: { readonly dispatchId: string; readonly token: string }): HeldDispatch {
  return { dispatchId: parseDispatchId(h.dispatchId).dispatchId, token: h.token };
}

function checkPermitted(queues: readonly string[], permitted: readonly string[] | undefined): void {
  const foreign = permitted === undefined ? undefined : queues.find((q) => !permitted.includes(q));
  if (foreign !== undefined) throw new PawlError("PAWL4081", `this token may not serve the queue ${foreign}`, { data: { queue: foreign } });
}
