// An effect: a function of the author's that acts outside, with a class that decides what may be done when its outcome is unknown. It
// opens only on a store that can record the start before anything is sent.
import { mayRepeat } from "../../core/guarantee.ts";
import { PawlError } from "../../errors/error.ts";
import { missingFacet } from "../../store/full-store.ts";
import type { EffectSpec } from "../calls.ts";
import type { ChainVerdict } from "../chain/run-chain.ts";
import { approvalFields } from "../decisions/approve.ts";
import type { RecordedStep } from "../run/history.ts";
import type { LiveRun } from "../run/live-run.ts";
import { ActingKind } from "./acting-kind.ts";
import { undoByEffect, type UndoPlan } from "./compensation-plan.ts";
import { dispatchEffect } from "./run-effect.ts";
import type { OpenStep } from "./open-step.ts";
import { openStep, type StartExtras } from "./open.ts";
import { declaredOptions, withNeeds, type StepStart } from "./step-start.ts";
import { openToolCall } from "./tool-call.ts";

class EffectKind extends ActingKind<null> {
  dispatch(r: LiveRun, step: OpenStep<null>): void {
    if (step.queue?.open?.own === false) step.state = "queued";
    else dispatchEffect(r, step, step.spec!);
  }
  hasCompensation(step: OpenStep<null>): boolean {
    return step.spec!.compensate !== null;
  }
  undoPlan(step: OpenStep<null>, result: string | null, past: RecordedStep | undefined): UndoPlan | null {
    const { compensate } = step.spec!;
    return compensate === null ? null : undoByEffect(step.name, compensate, step.spec!, result, past);
  }
}
export const effectKind: EffectKind = new EffectKind();

const noBody = (): null => null;

export function openEffect(r: LiveRun, scope: string, name: string, spec: EffectSpec): Promise<unknown> {
  const g = spec.guarantee;
  // W-138, W-139: what must be recorded before it is sent needs a write that is conditional; nothing else will do.
  const needs = mayRepeat(g.class) ? spec.compensate?.class : g.class;
  if (needs !== undefined && !mayRepeat(needs) && !r.host.store.capabilities().conditionalBatch)
    throw new PawlError(
      "PAWL2013",
      `step ${name}${needs === g.class ? "" : "'s compensation"} is ${needs}, which needs conditionalBatch; the ${r.host.store.name} store does not report it`,
      { data: { capability: "conditionalBatch", store: r.host.store.name, page: "PAWL2013" } },
    );
  if (spec.queued !== null) checkQueues(r, name, spec.queued.queue);
  if (spec.confirm?.placeholder === true && r.host.production)
    throw new PawlError("PAWL5009", `task ${name} uses the placeholder verifier ${spec.confirm.verifier}, which production mode refuses`);
  const extras =
    spec.approve === null
      ? undefined
      : (_: string, before: ChainVerdict | undefined): StartExtras => ({ started: approvalFields(before, spec) });
  const { given, tool, model, plan } = spec;
  const open = (start: StepStart, repeat?: ChainVerdict): Promise<unknown> =>
    openStep(r, effectKind, {
      scope,
      start,
      input: spec.input,
      body: noBody,
      spec,
      extras,
      given: given?.hash,
      repeat,
      onOpened: spec.onOpened,
    });
  if (tool !== undefined) return openToolCall(r, tool, () => declaredOptions("effect", name, spec), open);
  const start = withNeeds(declaredOptions("effect", name, spec), given);
  if (model !== undefined) start.model = model;
  if (plan !== undefined) start.plan = plan;
  return open(start);
}

function checkQueues(r: LiveRun, name: string, queue: string): void {
  const { store } = r.host;
  if (r.host.queueConfigs.isSupported) return;
  throw missingFacet(store.name, "queues", `step ${name} runs on queue ${queue}`);
}
