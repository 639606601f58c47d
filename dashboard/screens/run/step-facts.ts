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
  readonly diagnosis?: string;
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
}

type Building = { -readonly [K in keyof StepFacts]: StepFacts[K] } & { failures: StepFailure[] };
type Payload = Readonly<Record<string, unknown>>;

const vias: Readonly<Record<string, string>> = {
  verify: "its verifier found it",
  adopted: "taken over from an earlier run",
  decision: "as a person answered",
  kept: "kept in the effect store",
};

export function stepFacts(events: readonly RunEventRecord[]): StepFacts {
  const facts: Building = { hasInput: false, hasResult: false, failures: [] };
  for (const e of events) {
    const p: Payload = payloadOf(e);
    if (e.eventType === "StepStarted") started(facts, e, p);
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

function failureOf(e: RunEventRecord, p: Payload): StepFailure {
  const error = (p["error"] ?? {}) as { name?: unknown; message?: unknown; cause?: unknown };
  const [category, diagnosis, retryAt] = [textOf(p["category"]), textOf(p["diagnosis"]), textOf(p["retryAt"])];
  return {
    seq: e.runSeq,
    at: e.persistedAt,
    name: textOf(error.name) ?? "Error",
    message: textOf(error.message) ?? "",
    causes: causesOf(error.cause),
    ...(category === undefined ? {} : { category }),
    ...(diagnosis === undefined ? {} : { diagnosis }),
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
