// Previews of tools that change something, as rows of the store: under the SHA-256 of their confirm text, for five minutes, for the caller who asked
// for them. Any process of the server can act on one. It must never keep the text itself: a reader of the store could act with it.
import type { Operation } from "../api/operations.ts";
import type { Scope } from "../core/model.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import { scopedCollection } from "../store/keys.ts";

export interface Preview {
  /** A UUID v4: the id of the request that it stands for, so that it acts once however often it is confirmed. */
  readonly id: string;
  readonly operation: Operation;
  /** The arguments as they were given. */
  readonly given: Readonly<Record<string, unknown>>;
  /** What will be performed: the same, with the run that was looked at. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Who asked: nobody else can confirm it. */
  readonly by: string;
  /** What was looked at; it must still be so. */
  readonly run: { readonly runId: string; readonly status: string; readonly headSeq: number | null } | null;
  readonly expiresAt: number;
  /** It was confirmed before: what it looked at may have changed because of that. */
  readonly confirmed: boolean;
  /** What came of it, of an operation that has no id of its own: that is answered when it is confirmed again. */
  readonly answer?: unknown;
}

/** A preview as it is stored. */
export interface FoundPreview {
  readonly preview: Preview;
  readonly version: number;
}

const livesMs = 5 * 60_000;
const sweptAtOnce = 20;

export class Previews {
  readonly #store: FullStore;
  readonly #platform: Platform;
  readonly #collection: string;

  constructor(store: FullStore, scope: Scope, platform: Platform) {
    this.#store = store;
    this.#platform = platform;
    this.#collection = scopedCollection("mcp.previews", scope);
  }

  /** Keeps a preview; the answer is the text that confirms it, which is nowhere else. */
  async add(p: Omit<Preview, "expiresAt" | "confirmed">): Promise<{ readonly confirm: string; readonly expiresAt: number }> {
    const confirm = `confirm_${this.#platform.randomHex(24)}`;
    const expiresAt = (await this.#store.info()).nowMs + livesMs;
    await this.#sweep(expiresAt - livesMs);
    const value = JSON.stringify({ ...p, expiresAt, confirmed: false } satisfies Preview);
    await this.#store.kv.put([{ collection: this.#collection, key: sha256Hex(confirm), value, expect: 0 }]);
    return { confirm, expiresAt };
  }

  /** Undefined: there is none, or it has expired. */
  async find(confirm: string): Promise<FoundPreview | undefined> {
    const [row] = await this.#store.kv.get(this.#collection, [sha256Hex(confirm)]);
    if (row === undefined) return undefined;
    const preview = JSON.parse(row.value) as Preview;
    return preview.expiresAt > (await this.#store.info()).nowMs ? { preview, version: row.version } : undefined;
  }

  /** Of several who confirm it at once, true for the first. From now on it is acted on whatever the run has become. */
  async markConfirmed(confirm: string, { preview, version }: FoundPreview): Promise<boolean> {
    const value = JSON.stringify({ ...preview, confirmed: true } satisfies Preview);
    const answer = await this.#store.kv.put([{ collection: this.#collection, key: sha256Hex(confirm), value, expect: version }]);
    return answer.kind === "put";
  }

  /** So that it is answered again. */
  async keepAnswer(confirm: string, preview: Preview, answer: unknown): Promise<void> {
    const value = JSON.stringify({ ...preview, confirmed: true, answer } satisfies Preview);
    await this.#store.kv.put([{ collection: this.#collection, key: sha256Hex(confirm), value }]);
  }

  /** Takes away some that have expired, beginning anywhere: all of them are met in time. */
  async #sweep(nowMs: number): Promise<void> {
    const rows = await this.#store.kv.list({ collection: this.#collection, after: this.#platform.randomHex(2), limit: sweptAtOnce });
    const expired = rows.filter((r) => (JSON.parse(r.value) as Preview).expiresAt <= nowMs);
    if (expired.length > 0) await this.#store.kv.put(expired.map((r) => ({ collection: this.#collection, key: r.key, value: null })));
  }
}
