// What the events of one step say about it. Reading is defensive: a payload that was taken away, or is of a later version, says nothing. Pure.
// It must never decide anything: it only repeats what was recorded.
import type { RunEventRecord } from "../../../src/core/contract.ts";
import { payloadOf } from "../../data/payload.ts";

export interface StepFailure {
  readonly seq: number;
  readonly at: string;
  readonly name: string;
  readonly message: string;
  readonly category?: string;
  readonly causes: readonly string[];
  readonly retryAt?: string;
}

export interface StepFacts {
  readonly name?: string;
  readonly class?: string;
  readonly key?: string;
  readonly receiver?: string;
  readonly dedupMs?: number;
  readonly timeoutMs?: number;
  readonly verified?: boolean;
  readonly firstAt?: string;
  readonly child?: { readonly runId: string; readonly workflowId: string };
  readonly doubt?: string;
  readonly via?: string;
  readonly hasInput: boolean;
  readonly input?: unknown;
  readonly hasResult: boolean;
  readonly result?: unknown;
  readonly failures: readonly StepFailure[];
  /** The engine that sent it last, and its fence, where it was taken over. */
  readonly takenOver?: { readonly engine: string; readonly fence?: number };
  /** What its verifier answered, oldest first. */
  readonly answers: readonly { readonly seq: number; readonly at: string; readonly text: string }[];
}

type Building = { -readonly [K in keyof StepFacts]: StepFacts[K] } & { failures: StepFailure[]; answers: StepFacts["answers"][number][] };
type Payload = Readonly<Record<string, unknown>>;

const vias: Readonly<Record<string, string>> = {
  verify: "its verifier found it",
  adopted: "taken over from an earlier run",
  decision: "as a person answered",
  kept: "kept in the effect store",
};

export function stepFacts(events: readonly RunEventRecord[]): StepFacts {
  const facts: Building = { hasInput: false, hasResult: false, failures: [], answers: [] };
  for (const e of events) {
    const p: Payload = payloadOf(e);
    const said = verifierSaid(e, p);
    if (said !== undefined) facts.answers.push({ seq: e.runSeq, at: e.persistedAt, text: said });
    if (e.eventType === "StepStarted") started(facts, e, p);
    else if (e.eventType === "pawl.StepRedispatched") takenOver(facts, p);
    else if (e.eventType === "StepFailed") facts.failures.push(failureOf(e, p));
    else if (e.eventType === "pawl.StepInDoubt") facts.doubt = textOf(p["reason"]) ?? "nothing says how it ended";
    else if (e.eventType === "StepCompleted") {
      delete facts.doubt;
      if (Object.hasOwn(p, "result")) Object.assign(facts, { hasResult: true, result: p["result"] });
      const via = vias[textOf(p["via"]) ?? ""];
      if (via !== undefined) facts.via = via;
    }
    if (e.eventType === "StepFailed") delete facts.doubt;
  }
  return facts;
}

function started(facts: Building, e: RunEventRecord, p: Payload): void {
  facts.firstAt ??= e.persistedAt;
  for (const name of ["name", "class", "key", "receiver"] as const) {
    const value = textOf(p[name]);
    if (value !== undefined) facts[name] = value;
  }
  for (const name of ["dedupMs", "timeoutMs"] as const) if (typeof p[name] === "number") facts[name] = p[name];
  if (p["verified"] === true) facts.verified = true;
  if (Object.hasOwn(p, "input")) Object.assign(facts, { hasInput: true, input: p["input"] });
  const child = p["child"] as { runId?: unknown; workflowId?: unknown } | undefined;
  if (typeof child?.runId === "string" && typeof child.workflowId === "string")
    facts.child = { runId: child.runId, workflowId: child.workflowId };
}

function takenOver(facts: Building, { engine, fence }: Payload): void {
  if (typeof engine === "string") facts.takenOver = { engine, ...(typeof fence === "number" ? { fence } : {}) };
}

function verifierSaid(e: RunEventRecord, p: Payload): string | undefined {
  const diagnosis = textOf(p["diagnosis"]);
  if (e.eventType === "StepCompleted" && p["via"] === "verify") return "it happened";
  if (e.eventType === "StepFailed" && p["via"] === "verify") return `it did not happen${diagnosis === undefined ? "" : `: ${diagnosis}`}`;
  if (e.eventType === "pawl.ConfirmationFailed") return `the record is not true any more: ${textOf(p["reason"]) ?? "no reason given"}`;
  return diagnosis;
}

function failureOf(e: RunEventRecord, p: Payload): StepFailure {
  const error = (p["error"] ?? {}) as { name?: unknown; message?: unknown; cause?: unknown };
  const [category, retryAt] = [textOf(p["category"]), textOf(p["retryAt"])];
  return {
    seq: e.runSeq,
    at: e.persistedAt,
    name: textOf(error.name) ?? "Error",
    message: textOf(error.message) ?? "",
    causes: causesOf(error.cause),
    ...(category === undefined ? {} : { category }),
    ...(retryAt === undefined ? {} : { retryAt }),
  };
}

/** The chain of causes, at most ten of them. */
export function causesOf(first: unknown): readonly string[] {
  const causes: string[] = [];
  for (let cause = first; cause !== undefined && cause !== null && causes.length < 10; cause = (cause as { cause?: unknown }).cause) {
    if (typeof cause !== "object") {
      causes.push(typeof cause === "string" ? cause : JSON.stringify(cause));
      break;
    }
    const { name, message } = cause as { name?: unknown; message?: unknown };
    causes.push(`${textOf(name) ?? "Error"}: ${textOf(message) ?? ""}`);
  }
  return causes;
}

function textOf(x: unknown): string | undefined {
  return typeof x === "string" ? x : undefined;
}
