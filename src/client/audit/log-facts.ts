// What a log says about the tables beside it: the ledger, views, messages that were taken in, called runs, how the run began,
// and what it may wait for. Gathered event by event; payloads are read where they matter and then forgotten. A payload that
// is gone or cannot be read says nothing, and nothing is concluded from it.
import { LedgerFold } from "../../engine/effects/ledger-fold.ts";
import { pawlEvents, type ChildRef, type RunStartPayload } from "../../events/payload.ts";
import type { Waiting } from "../../core/model.ts";
import { actsOutside } from "../../core/step-kind-facts.ts";
import type { EventRecord } from "../../store/port.ts";

type Payload = Readonly<Record<string, unknown>>;

/** A called run: its step, and how that step ended. */
export interface CalledRun {
  readonly seq: number;
  readonly stepId: string;
  readonly child: ChildRef;
  state: "open" | "ended" | "conflict";
}

export class LogFacts {
  readonly ledger: LedgerFold = new LedgerFold();
  /** The payload of the first event; null when it is gone. */
  start: RunStartPayload | null = null;
  /** What each view shows, as text, with the event that said so. */
  readonly views: Map<string, { readonly value: string; readonly seq: number }> = new Map();
  /** Signals whose content is in the log, as kind, name and id, with the event. */
  readonly signals: Map<string, number> = new Map();
  /** Updates that were accepted, by the number of their message, and what was answered, by their id. */
  readonly updates: Map<number, number> = new Map();
  readonly answers: Map<string, { readonly answer: string; readonly seq: number }> = new Map();
  readonly calledRuns: Map<string, CalledRun> = new Map();
  /** Payloads that are gone: what is missing beside the log may have been in one of them. */
  missingPayloads = false;
  /** Something was put to a person, some time. */
  askedPerson = false;
  #delayed = false;
  readonly #kinds = new Map<string, { readonly kind: unknown; readonly signal: unknown }>();
  readonly #open = new Map<string, string>();
  readonly #retrying = new Set<string>();
  /** Steps that were on a queue: their outcomes say who ran them. */
  readonly #queued = new Set<string>();

  add(e: EventRecord): void {
    const stepId = e.stepId ?? "";
    const isRead = isReadType(e.eventType) || this.#kinds.get(stepId)?.kind === "signal" || this.#queued.has(stepId);
    const p = isRead ? this.#payload(e) : null;
    if (p?.["via"] === "queue" || p?.["via"] === "here") this.#queued.add(e.stepId ?? String(p["stepId"]));
    this.ledger.addEvent(e, p);
    switch (e.eventType) {
      case "RunQueued":
      case "RunStarted":
        if (e.payload === null && e.payloadHash !== null) return;
        this.start ??= (p ?? {}) as RunStartPayload;
        this.#delayed ||= p?.["delayMs"] !== undefined;
        return;
      case "StepStarted":
        return this.#started(e, p);
      case "StepCompleted":
      case "StepFailed":
        return this.#ended(e, p);
      case "RunPaused":
        this.askedPerson ||= p?.["category"] === "DIVERGED";
        return;
      case pawlEvents.inDoubt:
      case pawlEvents.held:
      case pawlEvents.decisionNeeded:
      case pawlEvents.confirmationFailed:
        this.askedPerson = true;
        return;
      case pawlEvents.view:
        if (p !== null) this.views.set(String(p["name"]), { value: viewText(e.payload as string, p), seq: e.runSeq });
        return;
      case pawlEvents.signalRejected:
        this.signals.set(messageKey("signal", p?.["name"], p?.["signalId"]), e.runSeq);
        return;
      case pawlEvents.updateAccepted:
        this.updates.set(Number(p?.["inboxId"]), e.runSeq);
        return;
      case pawlEvents.childContinued:
        return this.#called(e, String(p?.["stepId"]), p);
      case pawlEvents.updateCompleted:
        this.answers.set(String(p?.["updateId"]), { answer: JSON.stringify(p?.["answer"]) ?? "", seq: e.runSeq });
        return;
      default: // D-016: says nothing about a table
    }
  }

  #started(e: EventRecord, p: Payload | null): void {
    const stepId = e.stepId ?? "";
    this.#retrying.delete(stepId);
    if (!this.#kinds.has(stepId)) this.#kinds.set(stepId, { kind: p?.["kind"], signal: p?.["signal"] });
    this.#open.set(stepId, String(this.#kinds.get(stepId)?.kind));
    this.askedPerson ||= p?.["approve"] === true;
    this.#called(e, stepId, p);
  }

  #called(e: EventRecord, stepId: string, p: Payload | null): void {
    const child = p?.["child"] as ChildRef | undefined;
    if (child !== undefined) this.calledRuns.set(stepId, { seq: e.runSeq, stepId, child, state: "open" });
  }

  #ended(e: EventRecord, p: Payload | null): void {
    const stepId = e.stepId ?? "";
    this.#open.delete(stepId);
    if (p?.["retryAt"] !== undefined) this.#retrying.add(stepId);
    const called = this.calledRuns.get(stepId);
    if (called !== undefined) called.state = p?.["category"] === "CONFLICT" ? "conflict" : "ended";
    const { kind, signal } = this.#kinds.get(stepId) ?? {};
    if (kind === "signal" && p?.["signalId"] !== undefined) this.signals.set(messageKey("signal", signal, p["signalId"]), e.runSeq);
  }

  /** Whether the log has anything that a run in this state waits for. */
  mayWaitFor(w: Waiting): boolean {
    const kinds = [...this.#open.values()];
    switch (w) {
      case "retry":
        return this.#retrying.size > 0;
      case "decision":
        return this.askedPerson || kinds.includes("ask");
      case "child":
        return kinds.includes("child") || kinds.includes("start");
      case "timer":
        return kinds.includes("timer") || this.#delayed;
      case "drain":
        return kinds.some(actsOutside);
      case "signal": // also a run that only listens for updates, of which no event tells
      case "worker":
        return true;
    }
  }

  #payload(e: EventRecord): Payload | null {
    if (e.payload === null) {
      this.missingPayloads ||= e.payloadHash !== null;
      return null;
    }
    try {
      const p: unknown = JSON.parse(e.payload);
      return typeof p === "object" && p !== null ? (p as Payload) : {};
    } catch {
      this.missingPayloads = true;
      return null;
    }
  }
}

export function messageKey(kind: string, name: unknown, id: unknown): string {
  return JSON.stringify([kind, name, id]);
}

const readTypes: ReadonlySet<string> = new Set([
  "RunQueued",
  "RunStarted",
  "RunPaused",
  "RunCancelled",
  "StepStarted",
  "StepFailed",
  pawlEvents.redispatched,
  pawlEvents.begins,
  pawlEvents.held,
  pawlEvents.yielded,
  pawlEvents.childContinued,
  pawlEvents.inDoubt,
  pawlEvents.decisionAnswered,
  pawlEvents.view,
  pawlEvents.signalRejected,
  pawlEvents.updateAccepted,
  pawlEvents.updateCompleted,
]);
function isReadType(eventType: string): boolean {
  return readTypes.has(eventType);
}

/** The text of a view as its table holds it: what stands in the payload after the name, byte for byte. */
function viewText(payload: string, p: Payload): string {
  const before = `{"name":${JSON.stringify(p["name"])},"value":`;
  return payload.startsWith(before) ? payload.slice(before.length, -1) : (JSON.stringify(p["value"]) ?? "");
}
