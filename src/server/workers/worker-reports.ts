// What workers over HTTP report, as the store keeps it: values encoded, failures bounded. And what becomes of a report whose row has gone: it was
// known already, it is kept as evidence, or it is of no use any more. A report is believed only under the token of the claim.
import type { WorkerBeat, WorkerNoted, WorkerResult } from "../../api/types/workers.ts";
import { sameScope } from "../../client/find-run.ts";
import { failureOf } from "../../codec/failure.ts";
import { encode } from "../../codec/value.ts";
import { defaultLimits } from "../../core/limits.ts";
import type { Scope } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";
import type { DispatchBeat, RunReport } from "../../engine/queued/dispatch-spec.ts";
import { readPayload } from "../../events/payload.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { DispatchEnd, DispatchEnded } from "../../store/port.ts";
import type { WireDispatch } from "./wire-dispatch.ts";

const treeOf = (value: unknown, what: string): unknown => JSON.parse(encode(value, defaultLimits, what)) as unknown;

export function reportOf(r: WorkerResult): DispatchEnd {
  if ("verdict" in r) {
    const { verdict } = r;
    const answer = "result" in verdict ? { ...verdict, result: treeOf(verdict.result, "the verdict's result") } : verdict;
    return { kind: "verdict", report: answer };
  }
  if ("yield" in r) return { kind: "yield", report: { detail: treeOf(progress(r.yield, r.carried), "the cursor") } };
  if (!("ok" in r)) throw new PawlError("PAWL4011", "a report that gives a step back is not a result");
  return { kind: "result", report: r.ok ? completed(r) : failed(r) };
}

type FailedResult = Extract<WorkerResult, { readonly ok: false }>;

function completed(r: { readonly result?: unknown }): RunReport {
  return { ok: true, ...(r.result === undefined ? {} : { result: treeOf(r.result, "the result") }) };
}

function failed(r: FailedResult): RunReport {
  const { name, message, data } = r.error;
  const thrown = Object.assign(new Error(message), { name }, data === undefined ? {} : { data });
  return {
    ok: false,
    error: failureOf(thrown),
    ...(r.retryable === false ? { retryable: false as const } : {}),
    ...(r.retryAfterMs === undefined ? {} : { retryAfterMs: r.retryAfterMs }),
    ...(r.notSent === true ? { notSent: true as const } : {}),
    ...(r.timedOut === true ? { timedOut: true as const } : {}),
    ...(r.notEncodable === true ? { notEncodable: true as const } : {}),
  };
}

/** What a beat leaves in its row; undefined: nothing changes. */
export function beatText(b: WorkerBeat): string | undefined {
  const detail = b.cursor === undefined ? b.detail : progress(b.cursor, b.carried);
  return detail === undefined ? undefined : JSON.stringify({ detail: treeOf(detail, "the heartbeat's detail") } satisfies DispatchBeat);
}

const progress = (cursor: unknown, carried: unknown): object => (carried === undefined ? { cursor } : { cursor, carried });

/** who names the claim's token had it, under whatever id it has registered since. Earlier versions kept only who had claimed. */
function isOf(claim: { readonly worker: string; readonly token: string }, ended: DispatchEnded): boolean {
  return ended.token === undefined ? ended.worker === claim.worker : ended.token === claim.token;
}

/** T-45: a report that was recorded before is known; one whose dispatch ended otherwise is evidence, while its run can still take it. */
export async function judgeLateReport(
  store: FullStore,
  scope: Scope,
  claim: { readonly worker: string; readonly token: string },
  d: WireDispatch,
  end: DispatchEnd,
): Promise<WorkerNoted["noted"][number]["as"]> {
  const run = await store.run({ runId: d.runId });
  if (run === undefined || !sameScope(run.scope, scope)) return "lost";
  const rows = (await store.inbox({ runId: d.runId, all: true })).filter((r) => r.kind === "result" && r.id === String(d.dispatchId));
  const ends = rows.map((r) => ({ stepId: r.name, ended: readPayload<DispatchEnded>(r.payload) })).filter((x) => isOf(claim, x.ended));
  if (ends.some(({ ended }) => "report" in ended.end)) return "known";
  const [first] = ends;
  if (first === undefined) return "lost";
  const report = "report" in end ? end.report : null;
  const kept = await store.queues.postLate(d.runId, first.stepId, { ...first.ended, end: { kind: "late", report } });
  return kept ? "late" : "lost";
}
