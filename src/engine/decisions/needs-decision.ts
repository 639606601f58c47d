// A run that as a whole waits for a person: engines gave it up (K5), its effects were not confirmed, or its code and its log disagree
// (K20). Each is an event with what was found; listeners are notified once that is committed. It must never fail the run: the answer
// decides what becomes of it.
import { jsonObject, pawlEvents, jsonValue } from "../../events/payload.ts";
import type { LiveRun } from "../run/live-run.ts";
import { withCallSite } from "../run/call-sites.ts";
import { notifyWhenCommitted } from "./decision-notice.ts";

/** K5, K27: it waits for a person; `resume` lets engines try again. */
export function askDecision(
  r: LiveRun,
  reason: string,
  confirmation?: { readonly code: string; readonly unconfirmed: readonly string[] },
  /** An earlier run of the chain whose log is gone: an answer lets this run continue without it. */
  lost?: string,
): void {
  r.state.needDecision(reason);
  const payload = jsonObject({ reason: jsonValue(reason), lost: jsonValue(lost), ...quoteMembers({ ...confirmation }) });
  const what = {
    kind: confirmation === undefined ? "given-up" : "confirmation",
    code: confirmation?.code ?? "PAWL2001",
    reason,
  } as const;
  r.commits.append({
    eventType: pawlEvents.decisionNeeded,
    stepId: null,
    payload,
    ...notifyWhenCommitted(r, what, (runSeq) => r.state.decisionAskedAt(runSeq)),
  });
}

/** K15: what woke the code is not in its log. Says where it was last seen in order, and what it usually is. */
export function wokenByUnrecorded(r: Pick<LiveRun, "state" | "definition">): string {
  const since = r.state.lastCall === null ? "before its first call of ctx" : `after ${withCallSite(r.definition, r.state.lastCall)}`;
  return `when the code had been woken, ${since}, by something that is not recorded: ${usualCause}`;
}
/** The same of code that waits and that nothing recorded will ever wake. */
export function waitsOnUnrecorded(r: Pick<LiveRun, "state" | "definition">): string {
  const since = r.state.lastCall === null ? "before its first call of ctx" : `after ${withCallSite(r.definition, r.state.lastCall)}`;
  return `the code waits, ${since}, for something that is not recorded: ${usualCause}`;
}
const usualCause = "usually an await of a fetch, a timer or a library's promise outside ctx.step";

/** K20: paused until a person decides. */
export function recordDivergence(r: LiveRun, p: Readonly<{ code: string; message: string } & Record<string, unknown>>): void {
  const payload = jsonObject({ category: jsonValue("DIVERGED"), ...quoteMembers(p) });
  r.commits.append({
    eventType: "RunPaused",
    stepId: null,
    payload,
    ...notifyWhenCommitted(r, { kind: "diverged", code: p.code, reason: p.message }, (runSeq) => r.state.decisionAskedAt(runSeq)),
  });
  r.state.diverge();
  // The person may let any version continue.
  if (r.row.exactVersion) r.commits.exactVersion = false;
}

function quoteMembers(o: Readonly<Record<string, unknown>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(o).map(([k, v]) => [k, jsonValue(v)]));
}
