// A run's snapshots against its log: what the log folds to at the event that each one names, without the author's code. A row that says anything
// else is a finding. One that is missing is none: snapshots are a cache, and a run that came from another store has none; it can be made again.
import { BaseFold } from "../../engine/snapshot/base.ts";
import { foldVersion, makeSnapshot, snapshotDigest } from "../../engine/snapshot/body.ts";
import { pawlEvents, readPayload, type SnapshotPayload } from "../../events/payload.ts";
import type { EventRecord, RunRow, SnapshotRecord } from "../../store/port.ts";
import { isSettled } from "../../core/model.ts";
import type { Findings } from "./finding.ts";

/** So many of a run's rows are compared. */
export const snapshotsMax = 1_000;

export interface SnapshotReading {
  readonly rows: readonly SnapshotRecord[];
  /** What the newest announcement describes; null: there is none, or this version folds differently. */
  readonly latest: SnapshotRecord | null;
}

/** The announcements of a log, in their order. */
export class AnnouncedSnapshots {
  readonly all: (SnapshotPayload & { readonly runSeq: number })[] = [];

  add(e: EventRecord): void {
    if (e.eventType === pawlEvents.snapshot && e.payload !== null)
      this.all.push({ ...readPayload<SnapshotPayload>(e.payload), runSeq: e.runSeq });
  }
}

export async function checkSnapshots(
  row: RunRow,
  rows: readonly SnapshotRecord[],
  announced: AnnouncedSnapshots["all"],
  events: AsyncIterable<EventRecord>,
  f: Findings,
): Promise<SnapshotReading> {
  const byDigest = new Map(announced.map((a) => [`${a.at} ${a.digest}`, a]));
  for (const r of rows) {
    const isVouched = byDigest.has(`${r.at} ${r.digest}`);
    if (!isVouched) f.add("snapshots", "digest", null, r.digest, r.at);
    else f.same("snapshots", "body", r.digest, snapshotDigest(row.runId, r.at, r.body), r.at);
  }
  const wanted = announced.at(-1);
  if (wanted === undefined || isSettled(row.status)) return { rows, latest: null };
  const fold = new BaseFold();
  for await (const e of events) {
    if (e.runSeq > wanted.at) break;
    fold.add(e);
  }
  if (fold.headSeq !== wanted.at || !fold.isResumable || foldVersion(fold) !== wanted.v) return { rows, latest: null };
  const latest = makeSnapshot(row.runId, fold);
  f.same("events", "payload.digest", wanted.digest, latest.digest, wanted.runSeq);
  return { rows, latest: latest.digest === wanted.digest ? latest : null };
}

/** The rows as they shall be; null: they are so already. */
export function rebuiltSnapshots(
  r: SnapshotReading,
  findings: readonly { readonly table: string; readonly seq?: number }[],
): readonly SnapshotRecord[] | null {
  const wrong = new Set(findings.filter((x) => x.table === "snapshots").map((x) => x.seq));
  const good = r.rows.filter((x) => !wrong.has(x.at));
  const isThere = r.latest === null || good.some((x) => x.at === r.latest!.at);
  if (wrong.size === 0 && isThere) return null;
  return isThere ? good : [...good, r.latest!];
}
