// The public shapes of webhooks: endpoints, deliveries, what the verbs take. Values as the client and the command line show
// them: RFC 3339 times, and never a secret once it was handed out.
import type { Duration } from "../core/duration.ts";
import type { Scheme } from "./secrets.ts";

export interface NewEndpoint {
  /** 1 to 64 of a-z, 0-9, '-'; made up when absent. */
  readonly id?: string;
  readonly url: string;
  /** Globs over event types; every event of runs and steps that the contract names, unless given. */
  readonly events?: readonly string[];
  /** A secret of yours (whsec_…, whsk_…) instead of a new one. */
  readonly secret?: string;
  /** hmac unless said otherwise. */
  readonly scheme?: Scheme;
  /** Which events it gets: those from now on, or also those that are there. */
  readonly from?: "now" | "start";
  /** Attempts before an event is given up. */
  readonly attempts?: number;
  /** The delay after the first failure, and the longest. */
  readonly initial?: Duration;
  readonly max?: Duration;
  /** For one attempt. */
  readonly timeout?: Duration;
  /** http: is accepted; the process that delivers must permit it as well. */
  readonly allowInsecure?: boolean;
}

export interface EndpointKeyView {
  readonly scheme: Scheme;
  /** whpk_…, for Ed25519. */
  readonly publicKey?: string;
  /** Signs until then, beside its successor. */
  readonly until?: string;
}

export interface EndpointView {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly keys: readonly EndpointKeyView[];
  readonly createdAt: string;
  readonly paused?: { readonly since: string; readonly reason: string };
  readonly attempts: number;
  readonly timeoutMs: number;
  /** Commits whose events it has not been sent yet. */
  readonly waiting: number;
}

/** `secret` is shown this once; an Ed25519 key shows its public half instead, here and later. */
export interface EndpointSecret {
  readonly endpoint: EndpointView;
  readonly secret?: string;
}

export type DeliveryState = "delivered" | "waiting" | "dead";
export interface DeliveryView {
  readonly endpoint: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly runId: string;
  readonly runSeq: number;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** When it was delivered, and with which status. */
  readonly at?: string;
  readonly status?: number;
  /** What the last attempt met, and when the next one is due. */
  readonly error?: string;
  readonly nextAt?: string;
  readonly replay?: true;
}

/** One event, the events of a run, everything that was given up, or everything since a time. */
export type ReplayWhat =
  | { readonly event: string; readonly run?: string }
  | { readonly run: string }
  | { readonly dead: true }
  | { readonly since: string };

export interface TestResult {
  readonly delivered: boolean;
  readonly status?: number;
  readonly error?: string;
}

/** What the process that sends permits, whatever an endpoint says. */
export interface Permissions {
  readonly allowInsecure?: boolean;
  readonly allowPrivate?: boolean;
}

/** An event was given up: the alert. It is in the ledger as well. */
export interface WebhookDeadLetter {
  readonly code: "PAWL4038";
  readonly endpoint: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly runId: string;
  readonly runSeq: number;
  readonly attempts: number;
  readonly reason: string;
}

export interface DeliverOpts extends Permissions {
  /** Ends when nothing is due any more, instead of waiting for more. */
  readonly once?: boolean;
  /** Requests under way at a time, for one endpoint. */
  readonly concurrency?: number;
  /** A longer event is sent without its payload. */
  readonly bodyBytesMax?: number;
  /** How long delivered events stay in the ledger. */
  readonly keep?: Duration;
  /** How long after the death of a process another one takes over its endpoints. */
  readonly lease?: Duration;
  /** The alert: an event was given up. It is called again if the process dies before that is recorded. */
  readonly onDead?: (letter: WebhookDeadLetter) => unknown;
  /** Called with what went wrong with the store; delivering continues by itself. */
  readonly onTrouble?: (e: unknown) => unknown;
}

export interface Delivering {
  /**
   * Lets requests that are under way end, and stops.
   *
   * @example
   * await delivering.stop();
   */
  stop(): Promise<void>;
  /** Settles when delivering has ended: after stop(), or with `once`, which rejects when the store fails. */
  readonly done: Promise<void>;
  /**
   * What was counted, as Prometheus text.
   *
   * @example
   * response.end(delivering.metrics());
   */
  metrics(): string;
}

export interface Webhooks {
  /**
   * Adds an endpoint. The secret that signs its events is returned this once.
   *
   * @example
   * const { secret } = await client.webhooks.add({ url: "https://example.org/hooks", events: ["Run*"] });
   */
  add(e: NewEndpoint): Promise<EndpointSecret>;
  /**
   * All endpoints, with what waits for each.
   *
   * @example
   * const paused = (await client.webhooks.list()).filter((e) => e.paused);
   */
  list(): Promise<readonly EndpointView[]>;
  /**
   * Removes an endpoint with its ledger of deliveries. Over HTTP it needs a reason, which is kept in the audit log.
   *
   * @example
   * await client.webhooks.remove("shop", { reason: "the shop closed" });
   */
  remove(id: string, o?: { readonly reason?: string }): Promise<void>;
  /**
   * Stops sending to an endpoint. Its events wait until `resume`.
   *
   * @example
   * await client.webhooks.pause("shop", "maintenance");
   */
  pause(id: string, reason?: string): Promise<EndpointView>;
  /**
   * Sends again, beginning with what waits.
   *
   * @example
   * await client.webhooks.resume("shop");
   */
  resume(id: string): Promise<EndpointView>;
  /**
   * Gives an endpoint a new key. The old keys sign beside it for `window` (a day, unless given).
   *
   * @example
   * const { secret } = await client.webhooks.rotate("shop", { window: "2d" });
   */
  rotate(id: string, o?: { readonly secret?: string; readonly scheme?: Scheme; readonly window?: Duration }): Promise<EndpointSecret>;
  /**
   * Sends one test event now, from this process.
   *
   * @example
   * const { delivered, error } = await client.webhooks.test("shop");
   */
  test(id: string, o?: Permissions): Promise<TestResult>;
  /**
   * Asks for events to be sent once more; returns how many runs that concerns.
   *
   * @example
   * await client.webhooks.replay("shop", { dead: true });
   */
  replay(id: string, what: ReplayWhat): Promise<{ readonly runs: number }>;
  /**
   * The ledger of an endpoint: what was delivered, what waits for its next attempt, what was given up.
   *
   * @example
   * const waiting = await client.webhooks.deliveries("shop", { state: "waiting" });
   */
  deliveries(id: string, o?: { readonly state?: DeliveryState; readonly limit?: number }): Promise<readonly DeliveryView[]>;
  /**
   * Events that were given up.
   *
   * @example
   * const dead = await client.webhooks.dead("shop");
   */
  dead(id: string, o?: { readonly limit?: number }): Promise<readonly DeliveryView[]>;
  /**
   * Sends what the endpoints want, until stopped. Several processes may do this: one at a time works for an endpoint.
   *
   * @example
   * const delivering = client.webhooks.deliver({ onDead: (letter) => page(letter) });
   * await delivering.stop();
   */
  deliver(o?: DeliverOpts): Delivering;
}
