// A node that plans its own work: one step finds the cursors, then one step works on each of them. A step of work may say how far it is
// (checkpoint) and give its place up (yield): both are durable before anything continues from there, and work after the last one may be
// done again (TX-12). No cursors: one placeholder step, so that the log shows that there was nothing to do (TX-11).
import { encode } from "../codec/value.ts";
import { defaultLimits } from "../core/limits.ts";
import { YieldedStep, type EffectSpec, type EffectStepScope } from "../engine/calls.ts";
import { PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { stepSpec } from "../workflow/step-options.ts";
import type { StepScope } from "../workflow/types.ts";
import { withGiven, type GivenValues, type NodeOpening, type ResumedSteps } from "./built-node.ts";
import { groupOpenMax, runGroup } from "./group.ts";

export interface BatchBody {
  /** The step that finds the cursors. */
  readonly plan: (values: GivenValues) => EffectSpec;
  /** The step that works on one of them. */
  readonly work: (first: BatchProgress, values: GivenValues) => EffectSpec;
  readonly workersMax: number | undefined;
  readonly carried: unknown;
}

/** Where a step of work is: what its checkpoints say. */
export interface BatchProgress {
  readonly cursor: unknown;
  readonly carried: unknown;
}

export async function openBatch(o: NodeOpening, b: BatchBody): Promise<unknown> {
  const { calls, gate, node, given } = o;
  const { id } = node;
  const { resumed } = o;
  const own = resumed?.step(id);
  if (resumed !== undefined && own?.end === "c") {
    const end = resumed.result(own.seq);
    return workOn(o, b, end.ok ? end.value : undefined, resumed);
  }
  const planned = await new Promise<unknown>((resolve, reject) =>
    gate.enter(() => {
      const leave = (settle: (x: unknown) => void) => (x: unknown) => {
        gate.leave();
        settle(x);
      };
      const call = (): void => void calls.effect("", id, withGiven(b.plan(o.values), given)).then(leave(resolve), leave(reject));
      if (resumed === undefined) call();
      else resumed.again(id, call);
    }),
  );
  return workOn(o, b, planned, undefined);
}

async function workOn(o: NodeOpening, b: BatchBody, planned: unknown, resumed: ResumedSteps | undefined): Promise<unknown> {
  const { calls, gate, node, given } = o;
  const { id } = node;
  const cursors = checkCursors(id, planned);
  if (cursors.length === 0) {
    await runGroup({
      calls,
      gate,
      id,
      names: ["placeholder"],
      concurrency: 1,
      failFast: false,
      resumed,
      open: () =>
        calls.effect(
          id,
          "placeholder",
          withGiven(
            stepSpec(() => null, { repeatable: true }),
            { needs: [id], hash: "", hold: false },
          ),
        ),
    });
    return [];
  }
  const open = (i: number): Promise<unknown> => {
    const first: BatchProgress = { cursor: cursors[i], carried: b.carried };
    const hash = sha256Hex(encode(cursors[i], defaultLimits, `a cursor of ${id}`));
    return calls.effect(id, String(i + 1), withGiven(b.work(first, o.values), { needs: [id], hash, hold: given.hold }));
  };
  const names = cursors.map((_, i) => String(i + 1));
  return runGroup({ calls, gate, id, names, concurrency: b.workersMax ?? groupOpenMax, failFast: false, open, resumed });
}

export function checkCursors(id: string, planned: unknown): readonly unknown[] {
  if (!Array.isArray(planned)) throw new PawlError("PAWL4011", `the plan of ${id} returns a list of cursors`);
  return planned as unknown[];
}

/** The steps of a batch whose code is in the DAG; `rest`: limits, retry and class, which they share. */
export function batchSteps(
  id: string,
  plan: (values: GivenValues, s: StepScope) => unknown,
  run: (s: never) => unknown,
  rest: Readonly<Record<string, unknown>>,
): { readonly plan: BatchBody["plan"]; readonly work: (first: BatchProgress) => EffectSpec } {
  return {
    plan: (values) => ({
      ...stepSpec(async (s) => checkCursors(id, await plan(values, s)), rest),
      checkAnswer: (answer) => checkCursors(id, answer),
    }),
    work: (first) => stepSpec((s) => run(new WorkScope(s as unknown as EffectStepScope, first) as never), rest),
  };
}

/** A step's scope with a place in its work. */
class WorkScope {
  readonly #s: EffectStepScope;
  readonly #at: BatchProgress;

  constructor(s: EffectStepScope, first: BatchProgress) {
    this.#s = s;
    this.#at = (s.lastHeartbeat as BatchProgress | undefined) ?? first;
  }
  get cursor(): unknown {
    return this.#at.cursor;
  }
  get carried(): unknown {
    return this.#at.carried;
  }
  get key(): string {
    return this.#s.key;
  }
  get fence(): string {
    return this.#s.fence;
  }
  get traceKey(): string {
    return this.#s.traceKey;
  }
  get aetherisTraceKey(): string {
    return this.#s.aetherisTraceKey;
  }
  get attempt(): EffectStepScope["attempt"] {
    return this.#s.attempt;
  }
  get firstAttemptAt(): Date {
    return this.#s.firstAttemptAt;
  }
  get signal(): AbortSignal {
    return this.#s.signal;
  }
  get lastHeartbeat(): unknown {
    return this.#at;
  }
  /** Its detail is where the work is: anything else would be lost with the next checkpoint. */
  heartbeat(): void {
    this.#s.heartbeat();
  }
  log(message: string, data?: unknown): void {
    this.#s.log(message, data);
  }
  checkpoint(cursor: unknown, carried?: unknown): Promise<void> {
    return this.#s.checkpoint({ cursor, carried });
  }
  yield(cursor: unknown, carried?: unknown): YieldedStep {
    return new YieldedStep({ cursor, carried });
  }
}
