// The evidence of K2: each engine holds an exclusive lock on a small file of its own beside the store, taken before its
// row is written. The operating system drops the lock with the process, however it died, so getting it proves death; a
// missing file proves nothing. Process ids are never looked at: they are reused, and lie across containers.
import { ensureDir, exists, removePath } from "../../platform/files.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import { PawlError } from "../../errors/error.ts";
import { openConnection, type Connection } from "./wire/driver.ts";
import { isBusy } from "./errors.ts";

export class EngineLocks {
  readonly #dir: string;
  /** The handles stay referenced here: a collected handle would drop its lock, and with it a live engine's life. */
  readonly #held = new Map<string, Connection>();

  constructor(storePath: string) {
    this.#dir = `${storePath}-engines`;
  }

  /** Takes this engine's own lock; keeps it until release. */
  async acquire(engineId: string): Promise<void> {
    if (this.#held.has(engineId)) return;
    ensureDir(this.#dir);
    const handle = await this.#tryLock(engineId);
    if (handle === undefined)
      throw new PawlError("PAWL3001", "the lock of this engine is held: another engine looks whether it is alive", { data: { engineId } });
    this.#held.set(engineId, handle);
  }

  /** Whether that engine's process is gone. A caller that gets true must call `clear` once the death is recorded. */
  async provesDeath(engineId: string): Promise<boolean> {
    if (this.#held.has(engineId) || !exists(this.#file(engineId))) return false;
    const handle = await this.#tryLock(engineId);
    handle?.close();
    return handle !== undefined;
  }

  /** The engine is recorded as dead: its file has no meaning any more. */
  removeFile(engineId: string): void {
    this.#held.get(engineId)?.close();
    this.#held.delete(engineId);
    removePath(this.#file(engineId));
  }

  /** Lets go of every lock without recording a death: what the end of the process would do. */
  close(): void {
    for (const handle of this.#held.values()) handle.close();
    this.#held.clear();
  }

  #file(engineId: string): string {
    const name = encodeURIComponent(engineId);
    return `${this.#dir}/${name.length > 200 ? sha256Hex(engineId) : name}.lock`;
  }

  async #tryLock(engineId: string): Promise<Connection | undefined> {
    const handle = await openConnection(this.#file(engineId));
    try {
      handle.exec("begin exclusive");
      return handle;
    } catch (e) {
      handle.close();
      if (isBusy(e)) return undefined;
      throw e;
    }
  }
}
