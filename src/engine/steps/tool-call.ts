// A call of a tool becomes a step: an equal call that this run made before is awaited, taken over or asked about first, and is never simply sent again.
// What the start says of it (identity, key, cause) is found out here; replay finds the same, since the calls before it are the same.
import { keyAfter } from "../chain/adopt.ts";
import type { ToolFacts } from "../calls.ts";
import type { ChainVerdict } from "../chain/run-chain.ts";
import { PawlError } from "../../errors/error.ts";
import { isRepeatableCall } from "../effects/tool-calls.ts";
import type { LiveRun } from "../run/live-run.ts";
import { rejectedPromise } from "./open.ts";
import type { StepStart } from "./step-start.ts";

/** `open` records the start with what is known of the calls before it. */
export function openToolCall(
  r: LiveRun,
  facts: ToolFacts,
  declared: () => StepStart,
  open: (start: StepStart, repeat: ChainVerdict | undefined) => Promise<unknown>,
): Promise<unknown> {
  const start = declared();
  const { toolCalls } = r;
  const repeats = isRepeatableCall(start);
  const earlier = repeats ? undefined : toolCalls.openCall(facts.identity);
  if (earlier !== undefined) return quiet(earlier.then(() => openToolCall(r, facts, declared, open))); // a failure is shared
  let verdict: ChainVerdict | undefined;
  try {
    verdict = toolCalls.judge(r.row.runId, start, facts);
  } catch (e) {
    if (e instanceof PawlError) return rejectedPromise(e);
    throw e;
  }
  const tool = toolCalls.payloadOf(facts);
  start.tool = tool;
  if (facts.cause !== undefined) start.cause = facts.cause;
  if (verdict !== undefined) start.repeatOf = verdict.before.past.stepId;
  else if (tool.n !== undefined && start.key !== undefined) {
    start.attemptOf = start.key;
    start.key = keyAfter(start.key, tool.n);
  }
  const promise = open(start, verdict);
  if (!repeats) toolCalls.noteOpen(facts.identity, promise);
  return promise;
}

function quiet<T>(p: Promise<T>): Promise<T> {
  p.catch(() => {});
  return p;
}
