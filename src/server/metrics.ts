// What a server counts, as Prometheus text: requests by operation and status, streams, how long the oldest run that could be worked on has
// waited; and what the engine of this process counted. No label is an id of anything that callers make: each would be a series of its own.
import type { Operation } from "../api/operations.ts";
import type { LocalClientDeps } from "../client/client-deps.ts";
import { PawlError } from "../errors/error.ts";
import { consumerLags } from "../readers/consumer-lag.ts";
import type { Caller } from "./access/caller.ts";

/** One reading of the store serves this long: scrapers are several, and a store has other work. */
const freshMs = 10_000;
const queuesMax = 100;
const depthMax = 10_000;
const pageRuns = 1_000;
/** So many unsettled runs are looked at; beyond them the age is that of the oldest one seen. */
const pagesMax = 5;

export class ServerMetrics {
  readonly #client: LocalClientDeps;
  readonly #requests = new Map<string, number>();
  readonly #seconds = new Map<string, { sum: number; count: number }>();
  #overruns = 0;
  #oldest: { readonly atMs: number; readonly seconds: Promise<number> } | undefined;
  #lags: { readonly atMs: number; readonly lines: Promise<readonly string[]> } | undefined;
  #queues: { readonly atMs: number; readonly lines: Promise<readonly string[]> } | undefined;

  constructor(client: LocalClientDeps) {
    this.#client = client;
  }

  /** `operation` is null for a request that was refused before it was one. */
  countRequest(operation: Operation | null, status: number, startedMs?: number): void {
    const of = operation ?? "none";
    const labels = `operation="${of}",status="${status}"`;
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1);
    if (startedMs === undefined) return;
    let total = this.#seconds.get(of);
    if (total === undefined) this.#seconds.set(of, (total = { sum: 0, count: 0 }));
    total.sum += (this.#client.platform.monotonicMs() - startedMs) / 1_000;
    total.count++;
  }
  countOverrun(): void {
    this.#overruns++;
  }
  nowMs(): number {
    return this.#client.platform.monotonicMs();
  }

  async toText(streams: number): Promise<string> {
    const oldest = await this.#oldestRunnable();
    return [
      ...described("pawl_http_requests_total", "counter", "Requests by operation and status"),
      ...[...this.#requests].map(([labels, n]) => `pawl_http_requests_total{${labels}} ${n}`),
      ...described("pawl_http_request_seconds", "summary", "How long operations took"),
      ...[...this.#seconds].flatMap(([of, { sum, count }]) => [
        `pawl_http_request_seconds_sum{operation="${of}"} ${sum}`,
        `pawl_http_request_seconds_count{operation="${of}"} ${count}`,
      ]),
      ...described("pawl_streams", "gauge", "Streams that are open"),
      `pawl_streams ${streams}`,
      ...described("pawl_stream_overruns_total", "counter", "Streams that were ended because nobody read them"),
      `pawl_stream_overruns_total ${this.#overruns}`,
      ...described("pawl_oldest_runnable_seconds", "gauge", "How long the oldest run that no engine works on, and one could, has waited"),
      `pawl_oldest_runnable_seconds ${oldest}`,
      ...(await this.#queueLines()),
      ...(await this.#lagLines()),
      this.#client.metricsText?.() ?? "",
    ].join("\n");
  }

  /** Read from the store, and as old as the oldest run's wait may be. */
  #queueLines(): Promise<readonly string[]> {
    const now = this.nowMs();
    if (this.#queues === undefined || now - this.#queues.atMs >= freshMs) this.#queues = { atMs: now, lines: this.#readQueues() };
    return this.#queues.lines;
  }

  async #readQueues(): Promise<readonly string[]> {
    const { store, scope } = this.#client;
    if (store.lacks?.includes("queues") === true) return [];
    const { nowMs } = await store.info();
    const found = await Promise.all(
      (await store.queues.list(scope)).slice(0, queuesMax).map(async ({ queue, paused }) => {
        const { ready, claimed, held, oldestAt } = await store.queues.depth(scope, queue, depthMax);
        const seconds = oldestAt === null ? 0 : Math.max(0, nowMs - oldestAt) / 1_000;
        return { of: `{queue="${queue.replaceAll(/["\\\\\n]/g, "_")}"}`, ready, claimed, held, seconds, paused: paused === null ? 0 : 1 };
      }),
    );
    if (found.length === 0) return [];
    const gauge = (name: string, help: string, value: (q: (typeof found)[number]) => number): string[] => [
      ...described(name, "gauge", help),
      ...found.map((q) => `${name}${q.of} ${value(q)}`),
    ];
    return [
      ...gauge("pawl_queue_ready", "Steps that wait on a queue, up to 10,000", (q) => q.ready),
      ...gauge("pawl_queue_claimed", "Steps of a queue that workers have claimed, up to 10,000", (q) => q.claimed),
      ...gauge("pawl_queue_held", "Steps of a queue whose runs are paused or wait for a person, up to 10,000", (q) => q.held),
      ...gauge("pawl_queue_oldest_seconds", "How long the step that waits longest on a queue has waited", (q) => q.seconds),
      ...gauge("pawl_queue_paused", "1 for a queue that is paused", (q) => q.paused),
    ];
  }

  #lagLines(): Promise<readonly string[]> {
    const now = this.nowMs();
    if (this.#lags === undefined || now - this.#lags.atMs >= freshMs) this.#lags = { atMs: now, lines: this.#readLags() };
    return this.#lags.lines;
  }

  async #readLags(): Promise<readonly string[]> {
    const { store, scope } = this.#client;
    const lags = store.lacks?.includes("reader") === true ? [] : await consumerLags(store, scope);
    return [
      ...described("pawl_consumer_lag_seconds", "gauge", "How old the oldest Commit is that a consumer of the log has not acknowledged"),
      ...lags.map(({ consumer, seconds }) => `pawl_consumer_lag_seconds{consumer="${consumer.replaceAll(/["\\\n]/g, "_")}"} ${seconds}`),
    ];
  }

  #oldestRunnable(): Promise<number> {
    const now = this.nowMs();
    if (this.#oldest === undefined || now - this.#oldest.atMs >= freshMs) this.#oldest = { atMs: now, seconds: this.#readOldest() };
    return this.#oldest.seconds;
  }

  async #readOldest(): Promise<number> {
    const { store, scope } = this.#client;
    const { nowMs, engines } = await store.info();
    const alive = new Set(engines.filter((e) => !e.dead && e.leaseUntil > nowMs).map((e) => e.engineId));
    let since = nowMs;
    let cursor: string | undefined;
    for (let n = 0; n < pagesMax; n++) {
      const page = await store.runs({
        scope,
        status: ["PENDING", "RUNNING"],
        limit: pageRuns,
        ...(cursor === undefined ? {} : { cursor }),
      });
      for (const { owner, dueAt, origin } of page.runs)
        if (origin === "engine" && dueAt !== null && dueAt < since && (owner === null || !alive.has(owner))) since = dueAt;
      if (page.cursor === undefined) break;
      ({ cursor } = page);
    }
    return (nowMs - since) / 1_000;
  }
}

function described(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

/** Counters are for those who may read; a token for one run reads that run only. */
export function metricsPermitted({ scopes, run }: Pick<Caller, "scopes" | "run">): void {
  if (!scopes.includes("read") || run !== undefined)
    throw new PawlError("PAWL4081", "/metrics needs the scope read", { data: { scope: "read" } });
}
