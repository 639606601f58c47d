// One event as one line for people: where it stands in the log, when, what, of which step, and the few facts that
// matter. The whole event is in --jsonl; nothing here may be needed to understand a run.
import type { Alert } from "../../client/reader-types.ts";
import type { RunEventRecord } from "../../core/contract.ts";
import type { Paint } from "./colors.ts";
import { whoIn } from "../../client/run-details.ts";
import { clip, withoutControlChars } from "./format.ts";

export function eventLine(e: RunEventRecord, p: Paint, of?: string): string {
  const time = e.persistedAt.slice(11, 23);
  const where = of === undefined ? "" : `${withoutControlChars(of)}  `;
  const facts = factsOf(e);
  return `${p.dim(time)}  ${where}${String(e.runSeq).padStart(4)}  ${paintType(e.eventType, p)}${e.stepId === undefined ? "" : `  ${withoutControlChars(e.stepId)}`}${facts === "" ? "" : `  ${p.dim(facts)}`}\n`;
}

/** What an alert is about. A step's event may be legal for the step and not for its run: then the run says why it is none. */
export function transitionText(a: Alert, between: string): string {
  const run = a.stepId === undefined || a.runStatus === undefined || a.runStatus === "RUNNING" ? "" : `, the run being ${a.runStatus}`;
  return `${a.priorState}${between}${a.attemptedState}${run}`;
}

function paintType(type: string, p: Paint): string {
  if (type.endsWith("Failed") || type.endsWith("Cancelled")) return p.red(type);
  if (type.endsWith("Completed")) return p.green(type);
  return type.startsWith("pawl.") ? p.yellow(type) : p.cyan(type);
}

function factsOf(e: RunEventRecord): string {
  const payload = (typeof e.payload === "object" && e.payload !== null ? e.payload : {}) as Record<string, unknown>;
  const error = payload["error"] as { message?: unknown } | undefined;
  const facts = [
    e.logicalAttemptId > 1 && e.stepId !== undefined ? `try ${e.logicalAttemptId}` : "",
    text(payload["kind"]),
    text(payload["class"])?.toLowerCase(),
    named("step", payload["stepId"]),
    named("signal", payload["signal"]),
    named("category", payload["category"]),
    typeof error?.message === "string" ? clip(error.message, 80) : undefined,
    named("retry at", payload["retryAt"]),
    named("reason", payload["reason"]),
    named("by", whoIn(payload)),
    sealText(payload["statement"]),
    payload["lost"] === undefined ? undefined : named("by engine", payload["engine"]),
    named("lost", payload["lost"]),
  ];
  return facts.filter((f) => f !== undefined && f !== "").join(" · ");
}

/** Which key sealed how much, as the seal says; nothing is checked here. */
function sealText(statement: unknown): string | undefined {
  const found = typeof statement === "string" ? /"keyId":"([0-9a-f]{16})"/.exec(statement)?.[1] : undefined;
  return found === undefined ? undefined : `key ${found}`;
}

function text(x: unknown): string | undefined {
  return typeof x === "string" ? x : undefined;
}
function named(name: string, x: unknown): string | undefined {
  return typeof x === "string" ? `${name} ${clip(x, 80)}` : undefined;
}
