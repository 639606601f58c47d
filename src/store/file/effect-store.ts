// An effect store in a folder: one small file per result, whole or not there at all. A result is written beside its place,
// flushed, and linked to it, so that the first one stays and a crash leaves nothing half written. For one machine, or a
// folder that many share.
import { PawlError } from "../../errors/error.ts";
import { ensureDir, joinPath, writeNewFile, readText } from "../../platform/files.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { EffectStore, StoredEffectResult } from "../effect-store.ts";
import { checkEffectResult, checkText } from "../check-text.ts";

/**
 * An external effect store in a folder: a file per result, each written durably and once.
 *
 * @example
 * const app = await engine({ store: "sqlite:./data.db", effectStore: fileEffectStore("./effects") });
 */
export function fileEffects(dir: string): EffectStore {
  ensureDir(dir);
  const place = (runId: string, key: string): string => joinPath(dir, `${sha256Hex(JSON.stringify([runId, key]))}.json`);
  return {
    name: "file",
    async put(e) {
      checkEffectResult(e);
      writeNewFile(place(e.runId, e.key), `${JSON.stringify(e)}\n`);
    },
    async get(runId, key) {
      checkText("kept effect", runId, key);
      const text = readText(place(runId, key));
      if (text === undefined) return undefined;
      const kept = JSON.parse(text) as StoredEffectResult;
      if (kept.version !== 1 || kept.runId !== runId || kept.key !== key)
        throw new PawlError("PAWL3004", `the file of a stored effect result does not have version 1: ${place(runId, key)}`);
      return kept;
    },
    async close() {},
  };
}
