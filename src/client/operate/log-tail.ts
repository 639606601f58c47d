// What the last events of a log say about what a run is doing: its open steps, what was asked of a person, why it is paused. It sees a bounded part
// of the log, so it is for texts only: what it does not find may be further back. Pure.
import type { Waiting } from "../../core/model.ts";
import type { EventRecord } from "../../events/event.ts";
import {
  pawlEvents,
  questionOf,
  readPayload,
  type StepFailedPayload,
  type StepHeldPayload,
  type StepStartedPayload,
} from "../../events/payload.ts";

/** A step that has begun and not ended. */
export interface OpenWait {
  readonly step: string;
  /** null: it acts. */
  readonly waits: Waiting | null;
  readonly at: number;
  readonly signal?: string;
  readonly child?: string;
  /** Of its last attempt. */
  readonly error?: string;
}

export interface TailFacts {
  readonly open: readonly OpenWait[];
  /** What a person was asked last and has not answered. */
  readonly asked: {
    readonly kind: "approval" | "decision" | "question";
    readonly at: number;
    readonly step?: string;
    readonly reason?: string;
    /** The reason is what a step's error or a verifier said. */
    readonly quotes?: true;
  } | null;
  readonly paused: { readonly at: number; readonly diverged: boolean; readonly reason?: string } | null;
}

/** The code of a doubt whose reason is what a verifier said; every other one is in Pawl's own words. */
export const verifierSaid = "PAWL2002";
/** How many of the last events are looked at. */
export const tailMax = 200;

export const noTail: TailFacts = { open: [], asked: null, paused: null };

export function readTail(events: readonly EventRecord[]): TailFacts {
  const open = new Map<string, OpenWait>();
  const questions = new Map<string, NonNullable<TailFacts["asked"]>>();
  let paused: TailFacts["paused"] = null;
  for (const e of events) {
    const at = e.persistedAt;
    switch (e.eventType) {
      case "StepStarted": {
        const p = readPayload<StepStartedPayload>(e.payload);
        const step = p.name ?? open.get(e.stepId ?? "")?.step ?? e.stepId ?? "";
        open.set(e.stepId ?? "", {
          step,
          waits: waitsOf(p.kind),
          at,
          ...(p.signal === undefined ? {} : { signal: p.signal }),
          ...(p.child === undefined ? {} : { child: p.child.workflowId }),
        });
        if (p.kind === "ask") questions.set(e.stepId ?? "", { kind: "question", at, step, reason: p.ask?.text ?? "" });
        if (p.approve === true) questions.set(e.stepId ?? "", { kind: "approval", at, step, reason: questionOf(p) });
        break;
      }
      case "StepFailed": {
        const { retryAt, error } = readPayload<StepFailedPayload>(e.payload);
        const was = open.get(e.stepId ?? "");
        if (retryAt === undefined) open.delete(e.stepId ?? "");
        else open.set(e.stepId ?? "", { step: was?.step ?? e.stepId ?? "", waits: "retry", at, error: error?.message ?? "" });
        questions.delete(e.stepId ?? "");
        break;
      }
      case "StepCompleted":
      case "StepSkipped":
        open.delete(e.stepId ?? "");
        questions.delete(e.stepId ?? "");
        break;
      case pawlEvents.inDoubt: {
        const p = readPayload<{ stepId?: string; reason?: string; code?: string }>(e.payload);
        const step = open.get(p.stepId ?? "")?.step ?? p.stepId;
        const said = p.code === verifierSaid ? { quotes: true as const } : {};
        questions.set(p.stepId ?? "", { kind: "decision", at, ...(step === undefined ? {} : { step }), reason: p.reason ?? "", ...said });
        break;
      }
      case pawlEvents.held: {
        const p = readPayload<Partial<StepHeldPayload>>(e.payload);
        questions.set(p.stepId ?? "", { kind: "decision", at, step: p.stepId ?? "", reason: p.error?.message ?? "", quotes: true });
        break;
      }
      case pawlEvents.decisionNeeded:
        questions.set("", { kind: "decision", at, reason: readPayload<{ reason?: string }>(e.payload).reason ?? "" });
        break;
      case pawlEvents.decisionAnswered:
        questions.delete(readPayload<{ stepId?: string }>(e.payload).stepId ?? "");
        break;
      case "RunPaused": {
        const p = readPayload<{ category?: string; message?: string; reason?: string }>(e.payload);
        paused = { at, diverged: p.category === "DIVERGED", reason: p.message ?? p.reason ?? "" };
        break;
      }
      case "RunResumed":
        paused = null;
        questions.delete("");
        break;
      default: // says nothing about what it waits for
    }
  }
  return { open: [...open.values()], asked: [...questions.values()].at(-1) ?? null, paused };
}

function waitsOf(kind: StepStartedPayload["kind"] | undefined): Waiting | null {
  return kind === "timer" || kind === "signal" || kind === "child" ? kind : kind === "ask" ? "decision" : null;
}
