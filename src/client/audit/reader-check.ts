// What readers made of one log, compared with it: a watermark stands at the head or before it, and a projection is what its
// own reducer makes of the events up to its watermark, run and attempts alike. The rows are read before the log, so that a
// projector at work is only ever behind. Runs from outside are judged by their watermark alone: which of their records are
// read in another form is the projector's setting, and not in the store.
import { toRecord } from "../../events/envelope.ts";
import { Watermarks } from "../../readers/watermarks.ts";
import { ProjectionFold } from "../../readers/projector.ts";
import { Projections, type StoredRun } from "../../readers/projection-rows.ts";
import { emptyRun, type ProjectedRun, type ProjectedStep } from "../../readers/reduce.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { EventRecord, RunRow } from "../../store/port.ts";
import type { ConsumerId } from "../../store/reader-store.ts";
import type { Findings, FindingValue } from "./finding.ts";

interface ReaderState {
  readonly name: string;
  readonly mark: number | null;
  readonly stored: StoredRun | undefined;
  readonly steps: readonly ProjectedStep[] | null;
  readonly folding: ProjectionFold;
  /** What should be JSON in its rows is none. */
  readonly broken?: true;
}

export class ReaderCheck {
  readonly #row: RunRow;
  readonly #readers: readonly ReaderState[];

  private constructor(row: RunRow, readers: readonly ReaderState[]) {
    this.#row = row;
    this.#readers = readers;
  }

  /** `names`: the consumers of the run's scope. */
  static async read(store: FullStore, row: RunRow, names: readonly string[]): Promise<ReaderCheck> {
    const { runId, scope } = row;
    const readers: ReaderState[] = [];
    for (const name of names) {
      try {
        readers.push(await readReader(store, { scope, name }, runId));
      } catch (e) {
        if (!(e instanceof SyntaxError)) throw e;
        readers.push({
          name,
          mark: null,
          stored: undefined,
          steps: null,
          folding: new ProjectionFold(emptyRun(runId, "mark"), []),
          broken: true,
        });
      }
    }
    return new ReaderCheck(row, readers);
  }

  add(e: EventRecord): void {
    for (const r of this.#readers) if (r.stored !== undefined && e.runSeq <= r.stored.watermark) r.folding.add(toRecord(this.#row, e));
  }

  compare(f: Findings): void {
    for (const { name, mark, stored, steps, folding, broken } of this.#readers) {
      if (broken === true) f.add("projections", `rows of ${name}`, "rows that can be read", null);
      for (const seq of [mark, stored?.watermark ?? null])
        if (seq !== null && seq > this.#row.headSeq) f.add("projections", `watermark of ${name}`, this.#row.headSeq, seq);
      if (stored === undefined || this.#row.origin !== "engine" || this.#row.purgedAt !== null) continue;
      for (const field of fields) {
        f.same("projections", `${field} of ${name}`, folding.run[field], stored[field], stored.watermark);
      }
      if (steps !== null) compareSteps(name, [...folding.steps.values()], steps, f);
    }
  }
}

async function readReader(store: FullStore, consumer: ConsumerId, runId: string): Promise<ReaderState> {
  const projections = new Projections(store, consumer);
  const stored = await projections.run(runId);
  const steps = stored === undefined ? null : await projections.steps(stored);
  // Attempts that were read while the projector continued belong to no moment.
  const still = stored === undefined ? undefined : await projections.run(runId);
  const mark = (await new Watermarks(store, consumer).read([runId])).get(runId)?.seq ?? null;
  const same = still?.watermark === stored?.watermark && still?.build === stored?.build;
  const folding = new ProjectionFold(emptyRun(runId, stored?.policy ?? "mark"), []);
  return { name: consumer.name, mark, stored, steps: same ? steps : null, folding };
}

const fields = [
  "status",
  "openSteps",
  "watermark",
  "reducedTo",
  "asOf",
  "condition",
  "invalidEvents",
] as const satisfies (keyof ProjectedRun)[];

function compareSteps(name: string, expected: readonly ProjectedStep[], found: readonly ProjectedStep[], f: Findings): void {
  const there = new Map(found.map((s) => [`${s.stepId}/${s.logicalAttemptId}`, JSON.stringify(stepFields(s))]));
  for (const s of expected) {
    const key = `${s.stepId}/${s.logicalAttemptId}`;
    const text = JSON.stringify(stepFields(s));
    if (there.get(key) !== text) f.add("projections", `step ${key} of ${name}`, text, there.get(key) ?? null);
    there.delete(key);
  }
  for (const [key, text] of there) f.add("projections", `step ${key} of ${name}`, null, text);
}

function stepFields(s: ProjectedStep): FindingValue[] {
  return [s.status, s.startedAt, s.endedAt];
}
