// What the tree of a run shows beyond its steps' outcomes, read from the log: take-overs, doubts, failures, what a wait
// waits for and until when. Reading is defensive: a payload that has expired or is of a later version says nothing.
import type { RunEventRecord } from "../core/contract.ts";
import { principalFrom, principalName } from "../core/principal.ts";
import { questionOf } from "../events/payload.ts";

export interface StepDetail {
  /** Re-dispatches after a crash: when, and under which fence. */
  readonly takeOvers: { readonly at: string; readonly fence: string }[];
  signal?: string;
  child?: { readonly runId: string; readonly workflowId: string; readonly workflow: string };
  /** When a timer or a limited wait is over. */
  until?: string;
  error?: string;
  category?: string;
  doubt?: string;
  /** It failed for good, and a person decides: with what it failed. */
  held?: string;
  /** It waits for approval: the question of its author. */
  asked?: string;
  timedOut?: boolean;
  copied?: boolean;
  /** What it returned, and what it threw last, whole. */
  result?: unknown;
  failure?: unknown;
}

export interface RunDetail {
  readonly steps: ReadonlyMap<string, StepDetail>;
  readonly input?: unknown;
  /** What it published last, by name. */
  readonly views?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: string;
  /** The error, whole. */
  readonly failure?: unknown;
  readonly reason?: string;
  readonly pausedBecause?: string;
  /** Who started it, who paused it last, and who ended it or asked for its end, where somebody was authenticated. */
  readonly startedBy?: string;
  readonly pausedBy?: string;
  readonly endedBy?: string;
  /** Calls of the code that came while the run was ending: what they were, and why it was. */
  readonly refused: { readonly kind: string; readonly name: string; readonly why: string }[];
  readonly continuedAs?: string;
  /** Steps that were open when the code returned. */
  readonly abandoned?: readonly string[];
  readonly continuedFrom?: string;
  /** Its owner died, and another engine continued it. */
  readonly takeOvers?: readonly { readonly at: string; readonly engine: string; readonly lost: string }[];
}

type Payload = Readonly<Record<string, unknown>>;

export function runDetails(events: readonly RunEventRecord[]): RunDetail {
  const steps = new Map<string, StepDetail>();
  const run: { -readonly [K in keyof RunDetail]: RunDetail[K] } = { steps, refused: [] };
  const step = (id: string | undefined): StepDetail => {
    const known = steps.get(id ?? "");
    if (known !== undefined) return known;
    const made: StepDetail = { takeOvers: [] };
    steps.set(id ?? "", made);
    return made;
  };
  for (const e of events) {
    const p = (typeof e.payload === "object" && e.payload !== null ? e.payload : {}) as Payload;
    switch (e.eventType) {
      case "StepStarted":
        addStart(step(e.stepId), e, p);
        break;
      case "StepCompleted":
        Object.assign(
          step(e.stepId),
          p["timedOut"] === true ? { timedOut: true } : {},
          p["copiedFrom"] === undefined ? {} : { copied: true },
          p["result"] === undefined ? {} : { result: p["result"] },
        );
        clearOpenState(step(e.stepId));
        break;
      case "StepFailed":
        put(step(e.stepId), "error", messageOf(p["error"]));
        put(step(e.stepId), "failure", p["error"]);
        put(step(e.stepId), "category", text(p["category"]));
        clearOpenState(step(e.stepId));
        break;
      case "pawl.ChildContinued":
        put(step(text(p["stepId"])), "child", p["child"] as StepDetail["child"]);
        break;
      case "pawl.StepRedispatched":
        step(text(p["stepId"])).takeOvers.push({ at: e.persistedAt, fence: typeof p["fence"] === "number" ? String(p["fence"]) : "?" });
        break;
      case "pawl.TakenOver":
        run.takeOvers = [...(run.takeOvers ?? []), { at: e.persistedAt, engine: text(p["engine"]) ?? "?", lost: text(p["lost"]) ?? "?" }];
        break;
      case "pawl.DecisionAnswered":
        if (p["answer"] === "approve") delete step(text(p["stepId"])).asked;
        delete step(text(p["stepId"])).held;
        break;
      case "pawl.StepInDoubt":
        put(step(text(p["stepId"])), "doubt", text(p["reason"]) ?? "its outcome is unknown");
        break;
      case "pawl.StepHeld":
        put(step(text(p["stepId"])), "held", messageOf(p["error"]) ?? "it failed");
        break;
      case "pawl.CallRefused":
        run.refused.push({ kind: text(p["kind"]) ?? "call", name: text(p["name"]) ?? "", why: text(p["why"]) ?? "end" });
        break;
      case "RunQueued":
      case "RunStarted":
        put(run, "continuedFrom", text(p["continuedFrom"]));
        put(run, "input", p["input"]);
        put(run, "startedBy", whoIn(p));
        break;
      case "pawl.ViewPublished":
        run.views = { ...run.views, [text(p["name"]) ?? "?"]: p["value"] };
        break;
      case "RunPaused":
        put(run, "pausedBecause", text(p["message"]) ?? text(p["reason"]));
        put(run, "pausedBy", whoIn(p));
        break;
      case "pawl.CancelRequested":
        put(run, "endedBy", whoIn(p));
        break;
      case "RunCompleted":
      case "RunFailed":
      case "RunCancelled":
        if (p["result"] !== undefined) run.result = p["result"];
        put(run, "error", messageOf(p["error"]));
        put(run, "failure", p["error"]);
        put(run, "reason", text(p["reason"]));
        put(run, "endedBy", whoIn(p));
        put(run, "continuedAs", text(p["continuedAs"]));
        if (Array.isArray(p["abandoned"])) run.abandoned = p["abandoned"].map(String);
        break;
      default:
    }
  }
  return run;
}

/** The principal of an event, as people read it; else the name that an answer gives. */
export function whoIn(payload: Payload): string | undefined {
  const p = payload["principal"];
  const who = typeof p === "object" && p !== null ? principalFrom(JSON.stringify(p)) : undefined;
  return who === undefined ? text(payload["by"]) : principalName(who);
}

function addStart(d: StepDetail, e: RunEventRecord, p: Payload): void {
  put(d, "signal", text(p["signal"]));
  if (p["approve"] === true) d.asked = questionOf(p as { question?: string });
  const child = p["child"] as StepDetail["child"];
  if (typeof child === "object" && child !== null) d.child = child;
  if (typeof p["delayMs"] === "number") d.until = new Date(Date.parse(e.persistedAt) + p["delayMs"]).toISOString();
  if (typeof p["until"] === "number") d.until = new Date(p["until"]).toISOString();
}

function clearOpenState(d: StepDetail): void {
  delete d.doubt;
  delete d.held;
  delete d.asked;
}

function put<T extends object, K extends keyof T>(o: T, name: K, value: T[K] | undefined): void {
  if (value !== undefined) o[name] = value;
}
function text(x: unknown): string | undefined {
  return typeof x === "string" ? x : undefined;
}
function messageOf(error: unknown): string | undefined {
  return text((error as { message?: unknown } | undefined)?.message);
}
