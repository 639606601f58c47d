// The way of one endpoint's events: in the order of each run's log, one at a time within a run. An event counts as delivered when
// the receiver said so, and is accounted for with the watermark; until then it is sent again (P-37: at least once). An event that
// nobody accepted is given up after its last attempt, with an alert, and its run continues.
import type { Platform } from "../platform/platform.ts";
import type { HttpPostResult } from "../platform/net/post.ts";
import type { HandlerFailure, HandlerResult, Page } from "../readers/consume-types.ts";
import type { EventRecord, RunRow } from "../store/port.ts";
import type { KvWrite } from "../store/reader-store.ts";
import type { DeliveryLedger } from "./delivery-ledger.ts";
import type { WebhookCounters } from "./webhook-counters.ts";
import type { Endpoint } from "./endpoints.ts";
import { isWanted } from "./filter.ts";
import { answerText, judgeAttempt, type AttemptVerdict } from "./judge-attempt.ts";
import type { AttemptSender } from "./attempt-sender.ts";
import type { WebhookDeadLetter } from "./types.ts";

export interface EndpointDeliveryDeps {
  /** As it is stored now. */
  readonly endpoint: () => Endpoint;
  readonly platform: Platform;
  readonly sender: AttemptSender;
  readonly ledger: DeliveryLedger;
  readonly counters: WebhookCounters;
  readonly onDead: (letter: WebhookDeadLetter) => void;
  /** The endpoint wants no more: it is paused, and this lane ends. */
  readonly onGone: () => Promise<void>;
}

/** Why an event was not delivered, and what follows. */
export class NotDelivered extends Error {
  readonly verdict: AttemptVerdict;
  constructor(answer: HttpPostResult, judgement: AttemptVerdict) {
    super(answerText(answer));
    this.verdict = judgement;
  }
}

export class EndpointDelivery {
  readonly #p: EndpointDeliveryDeps;

  constructor(p: EndpointDeliveryDeps) {
    this.#p = p;
  }

  /** For the consumer's loop: sends a page of one run until something fails or the lane shall end. */
  async handle(page: Page): Promise<HandlerResult> {
    const writes: KvWrite[] = [];
    let upTo = page.after;
    for (const e of page.events) {
      if (isWanted(this.#p.endpoint().events, e.eventType)) {
        if (page.signal.aborted) return { upTo, writes };
        const failures = upTo === page.after ? page.failures : 0;
        const sent = await this.send(page.run, e, failures + 1);
        if (sent instanceof NotDelivered)
          return sent.verdict.kind === "gone" ? { upTo, writes } : { upTo, writes, failed: { error: sent } };
        writes.push(this.#p.ledger.delivered(page.run.runId, e, { attempts: failures + 1, ...sent }));
      }
      upTo = e.runSeq;
    }
    return { upTo, writes };
  }

  /** For the consumer's loop: when an event that failed is tried again. */
  retryDelay(f: HandlerFailure): number | "give up" {
    if (!(f.error instanceof NotDelivered)) return Math.min(60_000, 1_000 * 2 ** Math.min(f.failures, 6));
    const { verdict: judgement, message } = f.error;
    if (judgement.kind === "again") return judgement.inMs;
    this.giveUp(f.run, f.event, f.failures, message);
    return "give up";
  }

  /** One attempt at one event. An endpoint that wants no more is paused before this returns. */
  async send(run: RunRow, e: EventRecord, attempt: number): Promise<{ status: number; atMs: number } | NotDelivered> {
    const { platform, counters: counts } = this.#p;
    const to = this.#p.endpoint();
    const answer = await this.#p.sender.sendEvent(to, run, e);
    counts.add("pawl_webhook_attempts_total", to.id);
    const unit = Number.parseInt(platform.randomHex(4), 16) / 2 ** 32;
    const policy = { ...to.retry, backoff: "exponential", when: null } as const;
    const judgement = judgeAttempt(answer, attempt, policy, unit, platform.wallMs());
    if (answer.kind === "answered" && judgement.kind === "delivered") {
      counts.add("pawl_webhook_delivered_total", to.id);
      return { status: answer.status, atMs: platform.wallMs() };
    }
    counts.add(judgement.kind === "gone" ? "pawl_webhook_gone_total" : "pawl_webhook_failures_total", to.id);
    if (judgement.kind === "gone") await this.#p.onGone();
    return new NotDelivered(answer, judgement);
  }

  /** P-37: the alert. The letter itself is the consumer's to keep. */
  giveUp(run: RunRow, e: EventRecord, attempts: number, reason: string): void {
    const { id } = this.#p.endpoint();
    this.#p.counters.add("pawl_webhook_dead_total", id);
    const { eventId, eventType, runSeq } = e;
    this.#p.onDead({ code: "PAWL4038", endpoint: id, eventId, eventType, runId: run.runId, runSeq, attempts, reason });
  }
}
