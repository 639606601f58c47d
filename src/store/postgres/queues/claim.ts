// Claims of queued steps. A queue's row says whether it is limited, under the lock that the claim holds; a process only remembers what it
// saw last, to take the right way at once. A lock that does not come in time is answered `busy`: nothing was claimed.
import type { Platform } from "../../../platform/platform.ts";
import { type CrashPoints, storeCrashPoints } from "../../batch-rules.ts";
import { scopeKey } from "../../keys.ts";
import type { QueueClaim, QueueClaimAnswer, StoredQueueConfig } from "../../port.ts";
import { isLimited, nextPermitAt, ratePermits, tatAfter } from "../../queue-rules.ts";
import type { WithSession } from "../batch.ts";
import { isContention, storeError } from "../errors.ts";
import { toDispatch, toQueue } from "../rows.ts";
import { textArray } from "../wire/array-parameters.ts";
import type { Bind, Row } from "../wire/driver.ts";
import type { BoundSession } from "../wire/session.ts";
import { readCommitted } from "./read-committed.ts";
import type { QueueTexts } from "./sql.ts";

/** How many of the first are looked at for a claim of so many, where others claim the same ones at this moment. */
const windowFactor = 16;
const windowMax = 256;

function wideWindow(q: QueueClaim): number {
  return Math.min(windowMax, Math.max(1, askedFor(q)) * windowFactor);
}

export interface ClaimDeps {
  readonly platform: Platform;
  readonly lend: WithSession;
}

/** What a limited claim knows from the queue's row, which it holds. */
interface Limits {
  readonly concurrency: number | null;
  readonly rate: StoredQueueConfig["rate"];
  readonly tatUs: number;
  readonly nowMs: number;
}

/** `isShort`: fewer were taken than could have been, and there may be others behind those that were looked at. */
interface Looked {
  readonly answer: QueueClaimAnswer | "limited";
  readonly isShort: boolean;
  readonly window: number;
}

export class QueueClaims {
  readonly #lend: WithSession;
  readonly #texts: QueueTexts;
  readonly #points: CrashPoints;
  /** Queues that had limits when they were last seen. */
  readonly #limited = new Set<string>();
  /** Queues of whose first rows some could not be had when they were last asked for: the next claim looks further. */
  readonly #crowded = new Set<string>();

  constructor({ platform, lend }: ClaimDeps, texts: QueueTexts) {
    this.#lend = lend;
    this.#texts = texts;
    this.#points = storeCrashPoints(platform, "worker:claim", "worker:claimed");
  }

  async claim(q: QueueClaim): Promise<QueueClaimAnswer> {
    const key = `${scopeKey(q.scope)} ${q.queue}`;
    try {
      let answer = this.#limited.has(key) ? "limited" : await this.#lend((r) => this.#claimFree(r, q, key));
      if (answer === "limited") {
        this.#limited.add(key);
        answer = await this.#lend((r) => this.#claimLimited(r, q, key));
      }
      if (answer.kind === "claimed" && answer.rows.length > 0) this.#points.after?.();
      return answer;
    } catch (e) {
      if (isContention(e)) return { kind: "busy" };
      throw storeError(e, "commit");
    }
  }

  /** Looks at no more rows than it may take, unless the last claim found some there that it could not have. Short of some, it looks once more, further. */
  async #claimFree(r: BoundSession, q: QueueClaim, key: string): Promise<QueueClaimAnswer | "limited"> {
    const n = askedFor(q);
    const first = await this.#claimAmong(r, q, this.#crowded.has(key) ? wideWindow(q) : Math.max(1, n));
    if (first.answer === "limited" || first.answer.kind !== "claimed") return first.answer;
    if (!first.isShort) this.#crowded.delete(key);
    if (!first.isShort || first.window === wideWindow(q)) return first.answer;
    this.#crowded.add(key);
    const taken = first.answer.rows;
    const { answer } = await this.#claimAmong(r, { ...q, limit: n - taken.length, tokens: q.tokens.slice(taken.length) }, wideWindow(q));
    if (answer === "limited" || answer.kind !== "claimed") return { ...first.answer, more: true };
    return { ...answer, rows: [...taken, ...answer.rows] };
  }

  async #claimAmong(r: BoundSession, q: QueueClaim, window: number): Promise<Looked> {
    const n = askedFor(q);
    this.#points.before?.();
    const { rows } = await r.query({ name: "pawl_q_claim", text: this.#texts.claim, values: claimValues(r, q, n, window) });
    const answer = toAnswer(rows, q, null, false);
    const isShort = answer !== "limited" && answer.kind === "claimed" && answer.rows.length < n && Number(rows[0]?.["looked"]) >= window;
    return { answer, isShort, window };
  }

  #claimLimited(r: BoundSession, q: QueueClaim, key: string): Promise<QueueClaimAnswer> {
    return readCommitted(r, async () => {
      const asked = [r.settings.clock(), scopeKey(q.scope), q.queue];
      const [row] = (await r.query({ name: "pawl_q_lockQueue", text: this.#texts.lockQueue, values: asked })).rows;
      const config = row === undefined ? undefined : toQueue(row).config;
      if (config !== undefined && !isLimited(config)) this.#limited.delete(key);
      const rate = config?.rate ?? null;
      const limits: Limits = {
        concurrency: config?.concurrency ?? null,
        rate,
        tatUs: Number(row?.["tat_us"]),
        nowMs: Number(row?.["now_ms"]),
      };
      const permitted = rate === null ? askedFor(q) : Math.min(askedFor(q), ratePermits(rate, limits.tatUs, limits.nowMs));
      const spent = (n: number): number | null => (rate === null ? null : tatAfter(rate, limits.tatUs, limits.nowMs, n));
      const step = rate === null ? null : Number(spent(1)) - Number(spent(0));
      const values = [...claimValues(r, q, permitted, wideWindow(q)), limits.concurrency, spent(0), step];
      this.#points.before?.();
      const { rows } = await r.query({ name: "pawl_q_claimLimited", text: this.#texts.claimLimited, values });
      return toAnswer(rows, q, limits, true) as QueueClaimAnswer;
    });
  }
}

function askedFor(q: QueueClaim): number {
  return Math.max(0, Math.min(q.limit, q.tokens.length));
}

function claimValues(r: BoundSession, q: QueueClaim, n: number, window: number): Bind[] {
  const tasks = textArray([...new Set(q.tasks)]);
  const from = q.from ?? Number.MIN_SAFE_INTEGER;
  const where = [scopeKey(q.scope), q.queue, q.version, tasks, from, window];
  return [r.settings.clock(), q.worker, ...where, n, textArray(q.tokens), q.beginWithinMs];
}

function toAnswer(rows: readonly Row[], q: QueueClaim, limits: Limits | null, held: boolean): QueueClaimAnswer | "limited" {
  const [first = {}] = rows;
  if (first["alive"] !== true) return { kind: "dead" };
  if (first["version"] !== q.version) return { kind: "moved" };
  if (first["queue_paused"] !== null) return { kind: "paused" };
  if (!held && first["limited"] === true) return "limited";
  const taken = rows.filter((x) => x["dispatch_id"] !== null).map(toDispatch);
  const { rate, tatUs, nowMs } = limits ?? { rate: null, tatUs: 0, nowMs: 0 };
  const tatNow = rate === null || taken.length === 0 ? tatUs : tatAfter(rate, tatUs, nowMs, taken.length);
  return { kind: "claimed", rows: taken, more: Number(first["missed"]) > 0, nextAt: nextPermitAt(rate, tatNow, nowMs) };
}
