// Export: runs as lines, for another store. A move fences each run first, and its whole family from the top down: who called it,
// whom it called, every run of the workflowId. Only when nobody can write to any of them are they read. Until the file is
// imported a move can be undone; what was fenced stays fenced through any crash, and says by which export.
import { isSettled } from "../../core/model.ts";
import { holdShelf, holdKey } from "../../engine/upkeep/retention.ts";
import { PawlError } from "../../errors/error.ts";
import { toTimeText } from "../../events/envelope.ts";
import { scopeKey } from "../../store/keys.ts";
import type { Origin, RunRow } from "../../store/port.ts";
import type { ExportOptions } from "./types.ts";
import { ExportDigests, exportVersion, headLine, runLine } from "./export-file.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { movedError } from "./availability.ts";

export const movedCollection = "moved";
const pageSize = 100;

/** Why a run is fenced, and what it was before. */
interface MovedNote {
  readonly exportId: string;
  readonly origin: Origin;
  /** When it was due, as of the fence; 0, at once, while that is not yet known. */
  readonly dueAt: number | null;
}

export async function exportIdOf(c: Pick<LocalClientDeps, "store">, run: RunRow): Promise<string | undefined> {
  if (run.origin !== "moved") return undefined;
  const [row] = await c.store.kv.get(movedCollection, [holdKey(run.runId)]);
  return row === undefined ? undefined : (JSON.parse(row.value) as MovedNote).exportId;
}

export async function* exportRuns(
  c: LocalClientDeps,
  find: (id: string) => Promise<RunRow>,
  o: ExportOptions = {},
): AsyncGenerator<string> {
  const exportId = o.exportId ?? c.platform.uuidV7();
  const move = o.move === true;
  const named = o.ids === undefined ? undefined : await Promise.all(o.ids.map(find));
  if (!move) for (const run of named ?? []) if (!isSettled(run.status)) throw notEndedError(run);
  const info = await c.store.info();
  const from = { store: c.store.name, storeId: info.storeId };
  const head = { version: exportVersion, exportId, mode: move ? "move" : "copy", createdAt: toTimeText(info.nowMs) } as const;
  yield headLine({ pawl: "export", ...head, scope: scopeKey(c.scope), from });

  const counts = { fenced: 0, runs: 0, events: 0 };
  const tell = (): void => o.onProgress?.({ ...counts });
  const fences = new FamilyFence(c, exportId, () => {
    counts.fenced++;
    tell();
  });
  const family = new Set<string>();
  if (move && named !== undefined) for (const run of named) await fences.family(run, family);
  if (move && named === undefined) for await (const run of listRuns(c)) if (run.origin !== "moved") await fences.family(run, new Set());

  const digests = new ExportDigests();
  const source = named === undefined ? runIds(listRuns(c)) : move ? family : new Set(named.map((r) => r.runId));
  for await (const runId of source) {
    const copy = await c.store.archive.copyRun(runId);
    if (copy === undefined) continue; // retention took it meanwhile
    const was = move ? await fences.noteOf(runId) : undefined;
    // Anyone who is not of this export: moved by another, or, in a copy, not ended.
    if (move ? was === undefined : !isSettled(copy.run.status) || copy.run.origin === "moved") continue;
    const run = was === undefined ? copy.run : { ...copy.run, origin: was.origin, dueAt: isSettled(copy.run.status) ? null : was.dueAt };
    const [hold] = await c.store.kv.get(holdShelf, [holdKey(runId)]);
    yield runLine({ ...copy, run, hold: hold?.value ?? null }, digests);
    counts.runs = digests.runs;
    counts.events = digests.events;
    tell();
  }
  yield digests.endLine();
}

function notEndedError(run: RunRow): PawlError {
  return new PawlError("PAWL4010", `run ${run.runId} is ${run.status}: a copy can only be made of a run that has ended; move it instead`, {
    data: { runId: run.runId, status: run.status },
  });
}

function queuedError(run: RunRow): PawlError {
  return new PawlError("PAWL4010", `run ${run.runId} has steps on queues: wait until they have ended, then move it`, {
    data: { runId: run.runId, status: run.status },
  });
}

async function* listRuns(c: LocalClientDeps, narrow: { workflowId?: string; parentRunId?: string } = {}): AsyncGenerator<RunRow> {
  let cursor: string | undefined;
  do {
    const page: { runs: readonly RunRow[]; cursor?: string } = await c.store.runs({
      scope: c.scope,
      limit: pageSize,
      ...narrow,
      ...(cursor === undefined ? {} : { cursor }),
    });
    yield* page.runs;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

async function* runIds(runs: AsyncIterable<RunRow>): AsyncGenerator<string> {
  for await (const r of runs) yield r.runId;
}

class FamilyFence {
  readonly #c: LocalClientDeps;
  readonly #exportId: string;
  readonly #onFence: () => void;

  constructor(c: LocalClientDeps, exportId: string, onFence: () => void) {
    this.#c = c;
    this.#exportId = exportId;
    this.#onFence = onFence;
  }

  /** A run that is fenced calls no other: below it, nobody new appears while we look. */
  async family(run: RunRow, seen: Set<string>): Promise<void> {
    let top = run;
    for (let id = run.parentRunId; id !== null; id = top.parentRunId) {
      const parent = await this.#c.store.run({ runId: id });
      if (parent === undefined) break;
      top = parent;
    }
    const todo = [top.runId];
    for (let id = todo.pop(); id !== undefined; id = todo.pop()) {
      if (seen.has(id)) continue;
      const row = await this.#fence(id);
      if (row === undefined) continue;
      seen.add(id);
      if (row.parentRunId !== null) todo.push(row.parentRunId);
      for await (const r of listRuns(this.#c, { workflowId: row.workflowId })) todo.push(r.runId);
      for await (const r of listRuns(this.#c, { parentRunId: id })) todo.push(r.runId);
    }
  }

  /** What this export found, if it was this one that fenced the run. */
  async noteOf(runId: string): Promise<MovedNote | undefined> {
    const [row] = await this.#c.store.kv.get(movedCollection, [holdKey(runId)]);
    const moved = row === undefined ? undefined : (JSON.parse(row.value) as MovedNote);
    return moved?.exportId === this.#exportId ? moved : undefined;
  }

  async #fence(runId: string): Promise<RunRow | undefined> {
    const { store, platform } = this.#c;
    const run = await store.run({ runId });
    if (run === undefined) return undefined;
    if (run.origin === "moved") {
      if ((await this.noteOf(runId)) === undefined) throw movedError(run);
      return run;
    }
    // On record before it is done: a crash between the two leaves a note without a fence, never a fence without a note.
    const live = run.origin === "engine" && !isSettled(run.status);
    await this.#note(runId, { exportId: this.#exportId, origin: run.origin, dueAt: live ? 0 : null });
    const before = await store.archive.move({ runId, from: run.origin, to: "moved", token: platform.randomHex(16), dueAt: null });
    if (before === "queued") throw queuedError(run);
    if (before === undefined) throw movedError(run);
    if (live && !isSettled(before.status) && before.dueAt !== 0)
      await this.#note(runId, { exportId: this.#exportId, origin: before.origin, dueAt: before.dueAt });
    this.#onFence();
    return before;
  }

  async #note(runId: string, moved: MovedNote): Promise<void> {
    await this.#c.store.kv.put([{ collection: movedCollection, key: holdKey(runId), value: JSON.stringify(moved) }]);
  }
}

/** Gives back what an export fenced. An engine looks at each run at once, and finds what it waits for in its log. */
export async function undoExport(c: LocalClientDeps, exportId: string): Promise<{ runs: number }> {
  let runs = 0;
  for (let after: string | undefined; ;) {
    const page = await c.store.kv.list({ collection: movedCollection, limit: pageSize, ...(after === undefined ? {} : { after }) });
    for (const row of page) {
      const moved = JSON.parse(row.value) as MovedNote;
      const runId = decodeURIComponent(row.key);
      const run = await c.store.run({ runId });
      if (moved.exportId !== exportId || run === undefined || scopeKey(run.scope) !== scopeKey(c.scope)) continue;
      const dueAt = moved.origin === "engine" ? 0 : null;
      const back = await c.store.archive.move({ runId, from: "moved", to: moved.origin, token: c.platform.randomHex(16), dueAt });
      if (back !== undefined) runs++;
      await c.store.kv.put([{ collection: movedCollection, key: row.key, value: null, expect: row.version }]);
    }
    if (page.length < pageSize) return { runs };
    after = page.at(-1)?.key;
  }
}
