// A memory store on a virtual clock, a client, and a receiver that is a function: what it is sent, when, and what it answers is
// the test's to say. For everything about delivering that depends on time. Nothing in the package imports it.
import { defaultScope } from "../../src/client/environment.ts";
import { localClient } from "../../src/client/local-client.ts";
import type { Client } from "../../src/client/types.ts";
import { checkLimits } from "../../src/core/limits.ts";
import type { HttpPostResult, HttpPostRequest } from "../../src/platform/net/post.ts";
import { virtualPlatform, type VirtualPlatform } from "../../src/platform/virtual.ts";
import { memoryState } from "../../src/store/memory/state.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { verifyWebhook } from "../../src/webhooks.ts";
import type { DeliverOpts, Delivering } from "../../src/webhooks/types.ts";
import type { CloudEvent, WebhookData } from "../../src/webhooks/cloud-event.ts";

export const url = "https://receiver.example/hook";

export interface Arrival {
  readonly id: string;
  readonly atMs: number;
  readonly posting: HttpPostRequest;
  readonly event: CloudEvent<WebhookData>;
}

export interface DeliveryTest {
  readonly platform: VirtualPlatform;
  readonly store: FullStore;
  readonly client: Client;
  readonly arrived: Arrival[];
  /** What the receiver says; 200 until told otherwise. */
  answers(f: (a: Arrival) => HttpPostResult | Promise<HttpPostResult>): void;
  deliver(o?: DeliverOpts): Delivering;
  /** Emits events of an external run: "RunStarted", "StepStarted a". */
  emit(runId: string, ...types: string[]): Promise<void>;
  /** "r1 RunStarted", in the order of arrival. */
  lines(): string[];
  /** Moves the clock until the promise has settled. */
  until<T>(p: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export const status = (n: number, retryAfter?: string): HttpPostResult => ({ kind: "answered", status: n, retryAfter });

export function deliveryTest(seed = 1): DeliveryTest {
  const platform = virtualPlatform({ seed });
  const store = memoryStore(platform, { state: memoryState(platform) });
  const arrived: Arrival[] = [];
  let answer: (a: Arrival) => HttpPostResult | Promise<HttpPostResult> = () => status(200);
  const postHttp = async (posting: HttpPostRequest): Promise<HttpPostResult> => {
    const event = JSON.parse(posting.body) as CloudEvent<WebhookData>;
    const a = { id: posting.headers["webhook-id"] ?? "", atMs: platform.wallMs(), posting, event };
    arrived.push(a);
    return answer(a);
  };
  const client = localClient({ store, platform, scope: defaultScope, limits: checkLimits(), engine: null, retainMs: null, postHttp });
  const running: Delivering[] = [];
  const until = async <T>(p: Promise<T>): Promise<T> => {
    let settled = false;
    const done = (): void => void (settled = true);
    p.then(done, done);
    await platform.settle();
    for (let i = 0; !settled && i < 2_000; i++) await platform.advance(250);
    if (!settled) throw new Error("nothing came of it");
    return p;
  };
  return {
    platform,
    store,
    client,
    arrived,
    answers: (f) => void (answer = f),
    deliver: (o) => {
      const d = client.webhooks.deliver(o);
      running.push(d);
      return d;
    },
    emit: async (runId, ...types) => {
      const producer = client.producer({ runId, planId: "plan", planVersion: "1" });
      for (const type of types) {
        const [eventType = "", stepId] = type.split(" ");
        await producer.emit({ eventType, ...(stepId === undefined ? {} : { stepId }), payload: { type } } as never);
      }
    },
    lines: () =>
      arrived.map(
        (a) => `${a.event.subject} ${a.event.data.eventType}${a.event.data.stepId === undefined ? "" : ` ${a.event.data.stepId}`}`,
      ),
    until,
    close: async () => {
      for (const d of running) await until(d.stop());
      await store.close();
    },
  };
}

/** The receiver's own check, on the virtual clock. */
export function verified(s: DeliveryTest, a: Arrival, secret: string | readonly string[]): string {
  return verifyWebhook(a.posting.headers, a.posting.body, secret, { now: () => a.atMs }).id;
}
