// A run that as a whole stands before a person: engines gave it up (K5), its effects were not confirmed, or its code and its log
// disagree (K20). Each is an event with what was found, told once that is committed. It must never fail the run: whoever answers
// decides what becomes of it.
import { jsonObject, pawlEvents, quote } from "../log/payload.ts";
import type { LiveRun } from "./live-run.ts";
import { placed } from "./call-places.ts";
import { told } from "./notify.ts";

/** K5, K27: it waits for a person; `resume` lets engines try again. */
export function needsDecision(
  r: LiveRun,
  reason: string,
  confirmation?: { readonly code: string; readonly unconfirmed: readonly string[] },
  /** An earlier run of the line whose log is gone: who answers lets it go on without. */
  lost?: string,
): void {
  r.decision = reason;
  const payload = jsonObject({ reason: quote(reason), lost: quote(lost), ...quoted({ ...confirmation }) });
  const what = {
    kind: confirmation === undefined ? "given-up" : "confirmation",
    code: confirmation?.code ?? "PAWL2001",
    reason,
  } as const;
  r.pen.append({ eventType: pawlEvents.decisionNeeded, stepId: null, payload, ...told(r, what, (runSeq) => (r.asksAt = runSeq)) });
}

/** K15: what woke the code is not in its log. Says where it was last seen in order, and what it usually is. */
export function wokenUnrecorded(r: Pick<LiveRun, "lastCall" | "definition">): string {
  const since = r.lastCall === null ? "before its first call of ctx" : `after ${placed(r.definition, r.lastCall)}`;
  return `when the code had been woken, ${since}, by something that is not recorded: ${usually}`;
}
/** The same of code that waits and that nothing recorded will ever wake. */
export function waitsUnrecorded(r: Pick<LiveRun, "lastCall" | "definition">): string {
  const since = r.lastCall === null ? "before its first call of ctx" : `after ${placed(r.definition, r.lastCall)}`;
  return `the code waits, ${since}, for something that is not recorded: ${usually}`;
}
const usually = "usually an await of a fetch, a timer or a library's promise outside ctx.step";

/** K20: paused until a person decides. */
export function diverged(r: LiveRun, p: Readonly<{ code: string; message: string } & Record<string, unknown>>): void {
  const payload = jsonObject({ category: quote("DIVERGED"), ...quoted(p) });
  r.pen.append({
    eventType: "RunPaused",
    stepId: null,
    payload,
    ...told(r, { kind: "diverged", code: p.code, reason: p.message }, (runSeq) => (r.asksAt = runSeq)),
  });
  r.paused = true;
  r.stuck = true;
  // The person may let any version go on.
  if (r.row.exactVersion) r.pen.exactVersion = false;
}

function quoted(o: Readonly<Record<string, unknown>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(o).map(([k, v]) => [k, quote(v)]));
}
