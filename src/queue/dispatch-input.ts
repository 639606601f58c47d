// Puts the input of a dispatch together: what it names is read from the run's log, by place, in one read of the store. It must never
// make up an input: what is not there is an error, and nothing begins.
import { revive } from "../codec/value.ts";
import { eventsOfInput, resolveInput, type InputRef, type InputSource } from "../core/input-ref.ts";
import { PawlError } from "../errors/error.ts";
import { readPayload, type RunStartPayload, type StepCompletedPayload } from "../events/payload.ts";
import type { FullStore } from "../store/full-store.ts";

/** Decoded; undefined where nothing was given. */
export async function inputOf(store: FullStore, runId: string, ref: InputRef | undefined): Promise<unknown> {
  if (ref === undefined) return undefined;
  const { seqs, run } = eventsOfInput(ref);
  const source = seqs.length === 0 && !run ? nothing : await readSource(store, runId, seqs, run);
  const tree = resolveInput(ref, source);
  return tree === undefined ? undefined : revive(structuredClone(tree));
}

const nothing: InputSource = { run: () => undefined, event: () => undefined };

async function readSource(store: FullStore, runId: string, seqs: readonly number[], run: boolean): Promise<InputSource> {
  const found = seqs.length === 0 ? [] : await store.payloadsAt(seqs.map((runSeq) => ({ runId, runSeq })));
  const results = new Map(found.map((e) => [e.runSeq, readPayload<StepCompletedPayload>(e.payload).result]));
  const missing = seqs.find((seq) => !results.has(seq));
  if (missing !== undefined)
    throw new PawlError("PAWL3007", `event ${missing} of run ${runId} is not there: the input cannot be put together`);
  let input: unknown;
  if (run) {
    // The first event has it, or the second where the first only queued the run.
    for (const e of await store.events({ runId, after: 0, limit: 2 })) input ??= readPayload<RunStartPayload>(e.payload).input;
  }
  return { run: () => input, event: (seq) => results.get(seq) };
}
