// Import: the lines of an export, made runs of this store. The whole file is checked before anything is written; each run is
// written at once or not at all, and none is opened to engines before all of them are there, so that a family never continues
// without its members. Imported again, it adds nothing and finishes what a crash left open.
import { isSettled } from "../../core/model.ts";
import { holdShelf, holdKey } from "../../engine/upkeep/retention.ts";
import { PawlError } from "../../errors/error.ts";
import { verifyChain } from "../../events/hash-chain.ts";
import { scopeKey } from "../../store/keys.ts";
import type { RunCopy } from "../../store/archive.ts";
import type { ImportOptions, ImportReport } from "./types.ts";
import { isExportedRun } from "./export-schema.ts";
import { readExport, type ExportedRun, type ExportHead } from "./export-file.ts";
import type { LocalClientDeps } from "../client-deps.ts";

export async function importRuns(c: LocalClientDeps, lines: () => AsyncIterable<string>, o: ImportOptions = {}): Promise<ImportReport> {
  let head: ExportHead | undefined;
  const checked = await readExport(
    lines(),
    (h) => {
      head = h;
      // I11: what was one tenant's does not become another's by being carried over.
      if (h.scope !== scopeKey(c.scope)) throw new PawlError("PAWL4011", "the export is of another tenant than this client");
    },
    (r) => checkRun(r, c),
  );
  const of = checked.runs;
  let n = 0;
  const tell = (phase: "writing" | "opening") => (): void => o.onProgress?.({ phase, runs: ++n, of });
  o.onProgress?.({ phase: "checking", runs: of, of });
  let added = 0;
  const written = tell("writing");
  await readExport(
    lines(),
    () => {},
    async (r) => {
      if (await insertRun(c, r)) added++;
      written();
    },
  );
  n = 0;
  const opened = tell("opening");
  await readExport(
    lines(),
    () => {},
    async (r) => {
      await openRun(c, r);
      opened();
    },
  );
  return { exportId: head?.exportId ?? "", runs: of, added, events: checked.events };
}

/** The digest says that no accident changed it; this, that it is what an export writes, with a log that follows from itself (K22). */
function checkRun(exported: ExportedRun, c: LocalClientDeps): void {
  const { run, events } = exported;
  if (!isExportedRun(exported)) throw new PawlError("PAWL4043", `run ${String(run?.runId)}: it does not have the shape of a run`);
  // I11: nothing in it is another tenant's, or another run's.
  const own = exported.effects.every((e) => e.runId === run.runId && scopeKey(e.scope) === scopeKey(c.scope));
  if (scopeKey(run.scope) !== scopeKey(c.scope) || !own)
    throw new PawlError("PAWL4043", `run ${run.runId}: not all of it is this tenant's and this run's`, { data: { runId: run.runId } });
  const head = events.at(-1);
  const ends = (head?.runSeq ?? 0) === run.headSeq && (head === undefined || head.link === run.headLink);
  if (run.purgedAt !== null ? events.length > 0 : !ends)
    throw new PawlError("PAWL4043", `run ${run.runId}: its log does not end where its row says`, { data: { runId: run.runId } });
  const chain = verifyChain({ runId: run.runId, scope: run.scope, planId: run.workflow, planVersion: run.version }, events);
  if (!chain.ok)
    throw new PawlError("PAWL4043", `run ${run.runId}, event ${chain.runSeq}: ${chain.problem}`, {
      data: { runId: run.runId, runSeq: chain.runSeq },
    });
}

/** K4: under a new epoch, so that nobody who had it before can write to it; and closed, until all of the file is here. */
function asImported(exported: ExportedRun, token: string): RunCopy {
  const { events, views, checkpoints } = exported;
  const fence = { epoch: exported.run.fence.epoch + 1, token };
  // What an older export does not have is what a row of its time has.
  const errorCode = exported.run.errorCode ?? null;
  const effects = exported.effects.map((e) => ({ ...e, worker: e.worker ?? null }));
  const inbox = exported.inbox.map((m) => ({
    ...m,
    by: m.by ?? null,
    payloadDigest: m.payloadDigest ?? null,
    rejected: m.rejected ?? null,
  }));
  return {
    run: { ...exported.run, errorCode, fence, origin: "moved", dueAt: null, owner: null },
    events,
    inbox,
    views,
    checkpoints,
    effects,
  };
}

async function insertRun(c: LocalClientDeps, r: ExportedRun): Promise<boolean> {
  const { runId } = r.run;
  // The hold first: there is no moment at which the run is here without it.
  if (r.hold !== null) await c.store.kv.put([{ collection: holdShelf, key: holdKey(runId), value: r.hold, expect: 0 }]);
  const answer = await c.store.archive.insertRun(asImported(r, c.platform.randomHex(16)));
  if (answer.kind === "conflict")
    throw new PawlError("PAWL4044", `run ${runId} cannot come in: ${conflictReasons[answer.by]}`, {
      data: { runId, workflowId: r.run.workflowId, by: answer.by },
    });
  return answer.kind === "put";
}

const conflictReasons: Readonly<Record<"runId" | "workflowId" | "idempotencyKey" | "message", string>> = {
  runId: "the store has a run of this id with another log",
  workflowId: "its workflowId has another run here",
  idempotencyKey: "its start key has another run here",
  message: "one of its messages was accepted here by another run",
};

/** One that is open already, or has continued since, is left alone. */
async function openRun(c: LocalClientDeps, { run }: ExportedRun): Promise<void> {
  const dueAt = isSettled(run.status) ? null : run.dueAt;
  await c.store.archive.move({ runId: run.runId, from: "moved", to: run.origin, token: c.platform.randomHex(16), dueAt });
}
