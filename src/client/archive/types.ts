// Public shapes of what is done to whole runs: retention, holds, and moving them between stores. Times are RFC 3339; nothing of a
// fence or a token is in them. What they mean is written in docs/retention.md and docs/moving.md.
import type { RetentionPolicy, RetentionReport } from "../../engine/upkeep/retention.ts";

export interface HoldView {
  readonly runId: string;
  readonly workflowId: string;
  readonly by: string;
  readonly reason: string;
  readonly since: string;
}

export interface Who {
  readonly by: string;
  readonly reason: string;
}

export interface ExportOptions {
  /** Runs by runId or workflowId; absent = all of the tenant. */
  readonly ids?: readonly string[];
  /**
   * Moves the runs out of this store, with their families: they continue where they are imported. Without it only runs
   * that have ended are exported, as copies.
   */
  readonly move?: boolean;
  /** The id by which a move is undone; made up unless given. */
  readonly exportId?: string;
  readonly onProgress?: (p: { readonly fenced: number; readonly runs: number; readonly events: number }) => void;
}

export interface ImportReport {
  readonly exportId: string;
  readonly runs: number;
  /** Those that were not there before. */
  readonly added: number;
  readonly events: number;
}

export interface ImportOptions {
  readonly onProgress?: (p: { readonly phase: "checking" | "writing" | "opening"; readonly runs: number; readonly of: number }) => void;
}

/** Whole runs: what the client offers. */
export interface ArchiveVerbs {
  /**
   * Keeps a run, and the runs it called, from retention, whatever the policy says, until it is released.
   *
   * @example
   * await client.hold("order-17", { by: "ann", reason: "case 4711" });
   */
  hold(id: string, who: Who): Promise<HoldView>;
  /**
   * Ends a hold.
   *
   * @example
   * await client.release("order-17", { by: "ann", reason: "case closed" });
   */
  release(id: string, who: Who): Promise<HoldView>;
  /**
   * The runs that are held, a page at a time.
   *
   * @example
   * const { holds } = await client.holds();
   */
  holds(o?: {
    readonly limit?: number;
    readonly cursor?: string;
  }): Promise<{ readonly holds: readonly HoldView[]; readonly cursor?: string }>;
  /**
   * Removes what is older than the policy says: one pass over the ended runs. With `dryRun` it only counts. `stopped` ends the pass between
   * two transactions.
   *
   * @example
   * const report = await client.applyRetention({ keepPayloads: "30d", keepRuns: "365d" }, { dryRun: true });
   */
  applyRetention(
    policy: RetentionPolicy,
    o?: {
      readonly dryRun?: boolean;
      readonly onProgress?: (r: RetentionReport) => void;
      readonly stopped?: () => boolean;
      /** The private key that signs for sealed logs before they are removed; without it they are kept (docs/sealing.md). */
      readonly keyFile?: string;
    },
  ): Promise<RetentionReport>;
  /**
   * The lines of an export file. With `move` the runs are taken out of this store; until the file is imported, `undoExport` gives them back.
   *
   * @example
   * for await (const line of client.exportRuns({ ids: ["order-17"] })) file.write(`${line}\n`);
   */
  exportRuns(o?: ExportOptions): AsyncIterable<string>;
  /**
   * Gives back what a move took. Only you can know that nobody has imported the file.
   *
   * @example
   * await client.undoExport(exportId);
   */
  undoExport(exportId: string): Promise<{ readonly runs: number }>;
  /**
   * Imports an export file. Its lines are read three times: all are checked, then written, then opened to engines. Importing a file again
   * adds nothing.
   *
   * @example
   * const { added } = await client.importRuns(() => readLines("runs.jsonl"));
   */
  importRuns(lines: () => AsyncIterable<string>, o?: ImportOptions): Promise<ImportReport>;
}

export type { RetentionPolicy, RetentionReport } from "../../engine/upkeep/retention.ts";
