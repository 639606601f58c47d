// What evidence says of the run chain of a run: which runs belong to it, in which order, and of each of their effects what counting over
// the line needs beside the log (line.jsonl): whether two have one key, whether a start was no send by itself, and whose order a
// second send followed. Keys are numbered, so that they can be compared where payloads are not shown; it must never show one.
import type { EvidenceManifest } from "../core/contract.ts";
import type { EventRecord, RunRow } from "../store/port.ts";
import { effectHistories, type EffectHistory } from "../events/effect-history.ts";
import { toTimeText } from "../events/envelope.ts";
import { readPayload, type StepStartedPayload } from "../events/payload.ts";

type ManifestRunChain = NonNullable<EvidenceManifest["line"]>;
export type MissingRun = ManifestRunChain["missing"][number];

interface RunLog {
  readonly row: RunRow;
  readonly events: readonly EventRecord[];
}
export interface EvidenceRunChain<T extends RunLog = RunLog> {
  /** The other runs of the run chain whose logs are here, oldest first. */
  readonly relatives: readonly T[];
  readonly missing: readonly MissingRun[];
}
export interface RunHistories {
  readonly runId: string;
  readonly histories: readonly EffectHistory[];
}
/** How a payload leaves; null when it does not. */
export type ShownText = (e: EventRecord) => string | null;

const notShown = "[not shown]";

/** All runs of the run chain, with the one that the evidence is of, oldest first. */
export function runsInOrder<T extends RunLog>(own: T, line: EvidenceRunChain<T> | null): readonly T[] {
  return line === null ? [own] : [...line.relatives, own].sort((a, b) => a.row.generation - b.row.generation);
}

/** The effects of each run. Who ordered a second send, and why, are users' words: as far as the payload is shown. */
export function historiesOf(runs: readonly RunLog[], shown: ShownText): RunHistories[] {
  return runs.map(({ row, events }) => {
    if (row.origin === "external") return { runId: row.runId, histories: [] };
    const bySeq = new Map(events.map((e) => [e.runSeq, e]));
    const histories = effectHistories(events).map((s) => {
      if (s.rerun === undefined) return s;
      const { rerun } = readPayload<Partial<StepStartedPayload>>(shown(bySeq.get(s.seq)!));
      return { ...s, rerun: { by: rerun?.by ?? notShown, reason: rerun?.reason ?? notShown } };
    });
    return { runId: row.runId, histories };
  });
}

/** The lines of line.jsonl: one for every effect of every run. */
export function runChainFacts(runs: readonly RunHistories[]): object[] {
  const keys = new Map<string, number>();
  const numberOf = (key: string): number => {
    const known = keys.get(key) ?? keys.size + 1;
    keys.set(key, known);
    return known;
  };
  return runs.flatMap(({ runId, histories }) =>
    histories.map((s) => ({
      runId,
      runSeq: s.seq,
      stepId: s.stepId,
      ...(s.key === undefined ? {} : { key: numberOf(s.key) }),
      ...(s.gated ? { gated: true } : {}),
      ...(s.rerun === undefined ? {} : { rerun: s.rerun }),
    })),
  );
}

/** Where the archive of each other run is. */
export function relativeFileName(index: number): string {
  return `line/${index + 1}.zip`;
}

/** As of the latest event of any of them: what the run chain did later is not in the archive. */
export function manifestRunChain(own: RunLog, line: EvidenceRunChain): ManifestRunChain {
  const runs = runsInOrder(own, line);
  return {
    asOf: toTimeText(Math.max(...runs.flatMap(({ events }) => events.at(-1)?.persistedAt ?? 0))),
    runs: runs.map(({ row: { runId } }) => {
      const at = line.relatives.findIndex((r) => r.row.runId === runId);
      return { runId, ...(at < 0 ? {} : { member: relativeFileName(at) }) };
    }),
    missing: line.missing,
  };
}
