// Asks workers what became of an effect whose verify is with them: a dispatch that sends nothing. One that ends without an answer is asked
// again, but not for ever: a question that kills the worker that takes it must not end them all in turn (K5). How often a verifier that says
// not-completed is asked is decided by who asks. It must never make an answer of its own: what nobody answers stays unknown.
import { revive } from "../../codec/value.ts";
import type { DispatchEnd } from "../../store/port.ts";
import type { EffectSpec, Verdict } from "../calls.ts";
import { judgeAnswer } from "../effects/verdict.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";
import { placedRow, verifyDispatch } from "./dispatch.ts";

export function askWorkers(r: LiveRun, step: OpenStep, spec: EffectSpec): Promise<Verdict<unknown> | { readonly contradiction: string }> {
  const timesMax = r.host.limits.engineAttemptsMax;
  let times = 0;
  return new Promise((resolve) => {
    const ask = (): void => {
      const asked = verifyDispatch(r, step, spec, spec.queued!);
      const { of } = asked;
      const answered = (end: unknown): void => {
        const { kind, report } = end as DispatchEnd & { readonly report?: unknown };
        if (kind === "verdict" || kind === "late") return resolve(judgeAnswer(revive(structuredClone(report))));
        if (++times >= timesMax)
          return resolve({ state: "indeterminate", reason: `workers were asked ${times} times what became of it, and none answered` });
        // Nobody answered. Its row is consumed by the Commit that asks again.
        r.commits.draft.eventless.consumed.push(...step.queue!.reported.splice(-1));
        ask();
      };
      step.queue!.asking = { of, answered };
      // An earlier owner may have asked: its question stands, or its answer waits.
      const stands = r.dispatchRows.some((d) => d.seq === of.seq && d.what === "verify") || r.mailbox.reports.has(of);
      if (stands && !askedSteps.has(step)) {
        askedSteps.add(step);
        return r.mailbox.match();
      }
      askedSteps.add(step);
      r.commits.draft.eventless.dispatches.push(placedRow(asked, of.seq));
      r.pump();
    };
    ask();
  });
}

const askedSteps = new WeakSet<OpenStep>();
