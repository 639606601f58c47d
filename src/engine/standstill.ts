// A run that as a whole stands before a person: engines gave it up (K5), its effects were not confirmed, or its code and its log
// disagree (K20). Each is an event with what was found, told once that is committed. It must never fail the run: whoever answers
// decides what becomes of it.
import { jsonObject, pawlEvents, quote } from "../log/payload.ts";
import type { LiveRun } from "./live-run.ts";
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
  r.pen.append({ eventType: pawlEvents.decisionNeeded, stepId: null, payload, ...told(r, what) });
}

/** K20: paused until a person decides. */
export function diverged(r: LiveRun, p: Readonly<{ code: string; message: string } & Record<string, unknown>>): void {
  const payload = jsonObject({ category: quote("DIVERGED"), ...quoted(p) });
  r.pen.append({ eventType: "RunPaused", stepId: null, payload, ...told(r, { kind: "diverged", code: p.code, reason: p.message }) });
  r.paused = true;
  r.stuck = true;
  // The person may let any version go on.
  if (r.row.exactVersion) r.pen.exactVersion = false;
}

function quoted(o: Readonly<Record<string, unknown>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(o).map(([k, v]) => [k, quote(v)]));
}
