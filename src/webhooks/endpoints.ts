// Endpoints, as they are stored: where to, which events, which keys, whether paused. Every change is made on the version that was
// read, so that two operators never undo each other. A secret leaves this file in two ways only: to the one who made it, once,
// and to the signer.
import { durationMs } from "../core/duration.ts";
import { retryPolicy, type RetryPolicy } from "../core/retry.ts";
import type { Scope } from "../core/model.ts";
import { isPawlError, PawlError } from "../errors/error.ts";
import { toTimeText } from "../events/envelope.ts";
import type { Platform } from "../platform/platform.ts";
import { scopeCollection } from "../readers/kv-keys.ts";
import { endpointPrefix } from "../readers/consumer-names.ts";
import type { FullStore } from "../store/full-store.ts";
import type { ConsumerId } from "../store/reader-store.ts";
import { checkPatterns, defaultEvents } from "./filter.ts";
import { newSecret, publicHalf, signingKey, type SigningKey } from "./secrets.ts";
import type { EndpointKeyView, EndpointView, NewEndpoint } from "./types.ts";

export interface EndpointKey {
  readonly secret: string;
  /** Signs before this time; null = until it is rotated. */
  readonly until: number | null;
}
export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  /** The newest first. */
  readonly keys: readonly EndpointKey[];
  readonly createdAt: number;
  readonly from: "now" | "start";
  readonly paused: { readonly since: number; readonly reason: string } | null;
  readonly retry: Pick<RetryPolicy, "attempts" | "initialMs" | "maxMs">;
  readonly timeoutMs: number;
}

/** Sixteen attempts in about a day and a half: 5 s, 10 s, … to 12 h between them. */
export const standardRetry: Endpoint["retry"] = { attempts: 16, initialMs: 5_000, maxMs: 43_200_000 };
const standardTimeoutMs = 20_000;
const timeoutMs = { min: 100, max: 60_000 };
const endpointsMax = 1_000;
const idForm = /^[a-z0-9-]{1,64}$/;

/** What a consumer of the feed is called that works for an endpoint. */
export function endpointConsumer(scope: Scope, id: string): ConsumerId {
  return { scope, name: `${endpointPrefix}${id}` };
}

export class Endpoints {
  readonly #store: FullStore;
  readonly #platform: Platform;
  readonly #collection: string;

  constructor(store: FullStore, platform: Platform, scope: Scope) {
    this.#store = store;
    this.#platform = platform;
    this.#collection = scopeCollection("webhooks", scope);
  }

  async list(): Promise<readonly Endpoint[]> {
    const rows = await this.#store.kv.list({ collection: this.#collection, limit: endpointsMax });
    return rows.map((r) => JSON.parse(r.value) as Endpoint);
  }

  async get(id: string): Promise<Endpoint> {
    return (await this.#read(id)).endpoint;
  }

  async add(n: NewEndpoint, nowMs: number): Promise<Endpoint> {
    const id = n.id ?? `wh-${this.#platform.randomHex(6)}`;
    if (typeof id !== "string" || !idForm.test(id)) throw invalidEndpoint("id is 1 to 64 of a-z, 0-9 and '-'");
    const from = n.from ?? "now";
    if (from !== "now" && from !== "start") throw invalidEndpoint('from is "now" or "start"');
    const endpoint: Endpoint = {
      id,
      url: checkUrl(n.url, n.allowInsecure === true).href,
      events: checkPatterns(n.events ?? defaultEvents),
      keys: [{ secret: this.secretOf(n), until: null }],
      createdAt: nowMs,
      from,
      paused: null,
      retry: retryOf(n),
      timeoutMs: timeoutOf(n),
    };
    const answer = await this.#store.kv.put([{ collection: this.#collection, key: id, value: JSON.stringify(endpoint), expect: 0 }]);
    if (answer.kind === "conflict") throw new PawlError("PAWL4037", `there is an endpoint ${id}`, { data: { endpoint: id } });
    return endpoint;
  }

  /** A secret that was given, or a new one. */
  secretOf(o: Pick<NewEndpoint, "secret" | "scheme">): string {
    if (o.secret === undefined) {
      const scheme = o.scheme ?? "hmac";
      if (scheme !== "hmac" && scheme !== "ed25519") throw invalidEndpoint('scheme is "hmac" or "ed25519"');
      return newSecret(scheme, this.#platform);
    }
    const { scheme } = signingKey(o.secret);
    if (o.scheme !== undefined && o.scheme !== scheme) throw invalidEndpoint(`the secret is not one for ${o.scheme}`);
    return o.secret;
  }

  /** Applies `to` to what is stored, and again when somebody else was quicker. */
  async change(id: string, to: (e: Endpoint) => Endpoint): Promise<Endpoint> {
    for (;;) {
      const { endpoint, version } = await this.#read(id);
      const next = to(endpoint);
      const put = { collection: this.#collection, key: id, value: JSON.stringify(next), expect: version };
      if ((await this.#store.kv.put([put])).kind === "put") return next;
    }
  }

  async remove(id: string): Promise<void> {
    await this.get(id);
    await this.#store.kv.put([{ collection: this.#collection, key: id, value: null }]);
  }

  async #read(id: string): Promise<{ readonly endpoint: Endpoint; readonly version: number }> {
    const [row] = idForm.test(id) ? await this.#store.kv.get(this.#collection, [id]) : [];
    if (row === undefined) throw new PawlError("PAWL4036", `there is no endpoint ${id}`, { data: { endpoint: id } });
    return { endpoint: JSON.parse(row.value) as Endpoint, version: row.version };
  }
}

/** Those of its keys that still sign. */
export function signingKeys(e: Endpoint, nowMs: number): readonly SigningKey[] {
  return e.keys.filter((k) => k.until === null || nowMs < k.until).map((k) => signingKey(k.secret));
}

export function endpointView(e: Endpoint, waiting: number): EndpointView {
  return {
    id: e.id,
    url: e.url,
    events: e.events,
    keys: e.keys.map(keyView),
    createdAt: toTimeText(e.createdAt),
    ...(e.paused === null ? {} : { paused: { since: toTimeText(e.paused.since), reason: e.paused.reason } }),
    attempts: e.retry.attempts,
    timeoutMs: e.timeoutMs,
    waiting,
  };
}

function keyView(k: EndpointKey): EndpointKeyView {
  const publicKey = publicHalf(k.secret);
  return {
    scheme: publicKey === undefined ? "hmac" : "ed25519",
    ...(publicKey === undefined ? {} : { publicKey }),
    ...(k.until === null ? {} : { until: toTimeText(k.until) }),
  };
}

/** https only, unless http is permitted; no credentials, which would end up in every listing. */
export function checkUrl(text: string, allowInsecure: boolean): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw invalidEndpoint("url is not a URL");
  }
  if (url.protocol !== "https:" && !(allowInsecure && url.protocol === "http:"))
    throw invalidEndpoint(`url must be https:${url.protocol === "http:" ? " (or permit http: with allowInsecure)" : ""}`);
  if (url.username !== "" || url.password !== "") throw invalidEndpoint("url must not hold credentials");
  url.hash = "";
  return url;
}

function retryOf(n: NewEndpoint): Endpoint["retry"] {
  try {
    const { attempts, initialMs, maxMs } = retryPolicy(
      {
        ...(n.attempts === undefined ? {} : { attempts: n.attempts }),
        ...(n.initial === undefined ? {} : { initial: n.initial }),
        ...(n.max === undefined ? {} : { max: n.max }),
      },
      standardRetry,
    );
    return { attempts, initialMs, maxMs };
  } catch (e) {
    throw isPawlError(e, "PAWL1011") ? invalidEndpoint(e.message.replace(/^retry\./, "")) : e;
  }
}

function timeoutOf(n: NewEndpoint): number {
  if (n.timeout === undefined) return standardTimeoutMs;
  const ms = durationMs(n.timeout, "timeout");
  if (ms < timeoutMs.min || ms > timeoutMs.max) throw invalidEndpoint("timeout is 100 ms to 60 s");
  return ms;
}

function invalidEndpoint(message: string): PawlError {
  return new PawlError("PAWL5021", message);
}
