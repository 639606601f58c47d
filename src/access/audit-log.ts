// The audit log of a process: what was permitted, before it begins; what became of it; what was refused, and which payloads were read.
// P-27: an operation whose record cannot be written is not begun. Records that wait while the store writes go together in the next write.
// It must never hold a credential or a payload: only the members of an act are kept, and text that looks like a token is blanked.
import type { Scope } from "../core/model.ts";
import { isPawlError, PawlError } from "../errors/error.ts";
import type { Cancel, Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import { AuditChain } from "./audit-chain.ts";
import { AuditCounts } from "./audit-fold.ts";
import { auditCollections, type AuditEntry } from "./audit-rows.ts";
import type { AuditedAct, AuditedOperation, AuditWriter } from "./audit-types.ts";

/** Outcomes wait this long for others, or for the next record. */
const outcomeWaitMs = 250;
const minuteMs = 60_000;
const batchMax = 100;
/** Outcomes and counts that wait while the store does not answer; more are counted as lost. */
const waitingMax = 10_000;

export interface AuditLogDeps {
  readonly store: FullStore;
  readonly platform: Platform;
  readonly scope: Scope;
  readonly log: (level: "info" | "warn" | "error", message: string, data?: Readonly<Record<string, unknown>>) => void;
}

interface Waiting {
  readonly entry: AuditEntry;
  /** Of an operation that waits to begin. */
  readonly done?: { resolve(): void; reject(e: unknown): void };
}

export class AuditLog implements AuditWriter {
  readonly #d: AuditLogDeps;
  readonly #chain: AuditChain;
  readonly #counts = new AuditCounts();
  #waiting: Waiting[] = [];
  /** Whether what is being written was written. */
  #writing: Promise<boolean> | null = null;
  #soon: Cancel | null = null;
  #minute: Cancel | null = null;
  #lost = 0;
  #loggedSeq = 0;
  #closed = false;

  constructor(d: AuditLogDeps) {
    this.#d = d;
    this.#chain = new AuditChain(d.store, d.platform, auditCollections(d.scope));
  }

  async begin(act: AuditedAct): Promise<AuditedOperation> {
    if (this.#closed) throw notRecorded(undefined);
    const decisionId = this.#d.platform.uuidV4();
    const entry: AuditEntry = { type: "granted", act: checkAct(act), decisionId };
    try {
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push({ entry, done: { resolve, reject } });
        this.#write();
      });
    } catch (e) {
      // The record may be there although its answer was lost: then it also says that nothing was done.
      if (!isPawlError(e) || e.outcome !== "none") this.#later({ type: "outcome", decisionId, status: 503, code: "PAWL4094" });
      throw notRecorded(e);
    }
    let ended = false;
    return {
      policyDecisionId: decisionId,
      end: (status, code) => {
        if (ended) return;
        ended = true;
        this.#later({ type: "outcome", decisionId, status, ...(code === undefined ? {} : { code }) });
      },
    };
  }

  denied(act: AuditedAct, status: number, code: string): void {
    this.#counts.add("denied", checkAct(act), status, code);
    this.#everyMinute();
  }

  read(act: AuditedAct): void {
    this.#counts.add("read", checkAct(act));
    this.#everyMinute();
  }

  async flush(): Promise<void> {
    this.#takeCounts();
    while (this.#writing !== null || this.#waiting.length > 0) {
      this.#write();
      if (!(await this.#writing)) return; // the store does not answer: what waits stays
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
    this.#soon?.();
    this.#minute?.();
    this.#logHead();
  }

  #later(entry: AuditEntry): void {
    if (this.#waiting.length >= waitingMax) this.#lost++;
    else this.#waiting.push({ entry });
    this.#everyMinute();
    this.#soon ??= this.#d.platform.timer(outcomeWaitMs, () => {
      this.#soon = null;
      this.#write();
    });
  }

  #everyMinute(): void {
    this.#minute ??= this.#d.platform.timer(minuteMs - (this.#d.platform.wallMs() % minuteMs), () => {
      this.#minute = null;
      void this.flush().then(() => this.#logHead());
    });
  }

  #takeCounts(): void {
    for (const entry of this.#counts.take()) this.#waiting.push({ entry });
    if (this.#lost > 0 && this.#waiting.length < waitingMax) {
      this.#waiting.push({ entry: { type: "denied", act: { operation: "audit" }, status: 503, code: "PAWL4094", times: this.#lost } });
      this.#lost = 0;
    }
  }

  /** So that a copy of the head is where somebody who can change the store cannot. */
  #logHead(): void {
    const head = this.#chain.head();
    if (head === null || head.seq === this.#loggedSeq) return;
    this.#loggedSeq = head.seq;
    this.#d.log("info", `audit head ${head.chain} ${head.seq} ${head.link}`);
    if (!this.#closed) this.#everyMinute();
  }

  #write(): void {
    if (this.#writing !== null || this.#waiting.length === 0) return;
    const batch = this.#waiting.splice(0, batchMax);
    this.#writing = this.#append(batch).finally(() => {
      this.#writing = null;
      if (this.#waiting.some((w) => w.done !== undefined)) this.#write();
    });
  }

  async #append(batch: readonly Waiting[]): Promise<boolean> {
    try {
      await this.#chain.append(batch.map((w) => w.entry));
      for (const w of batch) w.done?.resolve();
      this.#everyMinute();
      return true;
    } catch (e) {
      for (const w of batch) w.done?.reject(e);
      const again = batch.filter((w) => w.done === undefined);
      this.#waiting.unshift(...again);
      this.#d.log("error", `audit: ${e instanceof Error ? e.message : String(e)}`);
      this.#everyMinute();
      return false;
    }
  }
}

function notRecorded(cause: unknown): PawlError {
  return new PawlError("PAWL4094", "the record of this operation could not be written to the audit log, so it was not begun", { cause });
}

const texts = { operation: 100, tokenId: 100, runId: 512, target: 512, reason: 2_000, requestId: 512, traceId: 64 } as const;

/** The members that are kept, none of them long, none of them a credential. */
function checkAct(act: AuditedAct): AuditedAct {
  const kept: Record<string, unknown> = { operation: "" };
  for (const name of Object.keys(texts) as (keyof typeof texts)[]) {
    const text = act[name];
    if (text !== undefined) kept[name] = withoutCredentials(String(text).slice(0, texts[name]));
  }
  const p = act.principal;
  if (p !== undefined)
    kept["principal"] = {
      kind: p.kind,
      subject: p.subject.slice(0, 1_024),
      ...(p.onBehalfOf === undefined ? {} : { onBehalfOf: p.onBehalfOf.slice(0, 1_024) }),
    };
  if (act.role !== undefined) kept["role"] = act.role;
  return kept as unknown as AuditedAct;
}

function withoutCredentials(text: string): string {
  return text.replaceAll(/pawl_[\w-]{20,}/g, "pawl_***").replaceAll(/eyJ[\w-]{10,}\.[\w-]*\.?[\w-]*/g, "***");
}
