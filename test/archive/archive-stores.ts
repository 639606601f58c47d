// One store of each kind, empty, for tests that hold on all of them: what is stated once is proved on memory, SQLite, Postgres and
// MySQL. Real clocks, since servers have theirs. For tests; nothing in the package imports it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEngine, type OpenEngine } from "../../src/client/engine.ts";
import type { EngineOpts } from "../../src/client/engine-types.ts";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { memoryState } from "../../src/store/memory/state.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { RunRow } from "../../src/store/port.ts";
import { openTestDatabase, type StoreName } from "../support/test-database.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";

export const kinds = ["memory", "sqlite", "postgres", "mysql"] as const;
export type Kind = (typeof kinds)[number];
/** Those that this machine can run. */
export const availableKinds: readonly Kind[] = kinds.filter((k) => k !== "mysql" || !skipsWithoutMariadb());

export interface ArchiveStore {
  readonly kind: Kind;
  readonly store: FullStore;
  readonly url: string;
  /** An engine on a connection of its own. */
  engine(o: EngineOpts): Promise<OpenEngine>;
  close(): Promise<void>;
}

export const platform = systemPlatform();

export async function openArchiveStore(kind: Kind): Promise<ArchiveStore> {
  const dir = mkdtempSync(join(tmpdir(), "pawl-archive-"));
  const state = memoryState(platform);
  const ground = kind === "memory" ? undefined : await openTestDatabase(kind as StoreName, dir);
  const open = (): Promise<FullStore> =>
    ground === undefined ? Promise.resolve(memoryStore(platform, { state })) : openStore(ground.url, platform);
  const store = await open();
  const engines: OpenEngine[] = [];
  return {
    kind,
    store,
    url: ground?.url ?? "memory:",
    async engine(o) {
      const opened = await openEngine({ platform, log: () => {}, open }, o);
      engines.push(opened);
      return opened;
    },
    async close() {
      for (const e of engines) await e.engine.stop({ grace: 0 }).catch(() => {});
      await store.close();
      await ground?.remove();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Asks until it holds; a test that never sees it fails by its own time limit. */
export async function until<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await ask();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export function rowOf(store: FullStore, runId: string): Promise<RunRow> {
  return until(() => store.run({ runId }));
}

export async function linesOf(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

/** Lines as a file would give them, again and again. */
export function replayLines(lines: readonly string[]): () => AsyncIterable<string> {
  return async function* () {
    yield* lines;
  };
}
