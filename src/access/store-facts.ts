// What credentials are judged by: the store's clock and its incarnation, as read five seconds ago at most. After `doctor --restored` the
// incarnation is higher, and credentials of earlier ones have ended, unless a row says that tokens were kept. Without that row they end:
// a command that dies halfway must not bring a revoked token back.
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";

/** Answers about credentials are this old at most; a revocation reaches every process within five seconds. */
export const lookupAgeMsMax = 4_000;

const keptCollection = "access.kept-tokens";
const keptKey = "kept";

/** Tokens of incarnations from `from` on are valid in incarnation `incarnation`. */
interface Kept {
  readonly incarnation: number;
  readonly from: number;
}

export interface AccessFacts {
  readonly incarnation: number;
  /** Tokens that were made in an earlier incarnation have ended. */
  readonly tokensFrom: number;
  /** The store's clock minus this machine's. */
  readonly clockAheadMs: number;
}

export async function readFacts(store: FullStore, platform: Platform): Promise<AccessFacts> {
  const info = await store.info();
  const kept = await readKept(store);
  return {
    incarnation: info.incarnation,
    tokensFrom: kept?.incarnation === info.incarnation ? kept.from : info.incarnation,
    clockAheadMs: info.nowMs - platform.wallMs(),
  };
}

/** `doctor --restored --keep-tokens`: called before the incarnation is raised from `old`. */
export async function keepTokens(store: FullStore, old: number): Promise<void> {
  const kept = await readKept(store);
  const next: Kept = { incarnation: old + 1, from: kept?.incarnation === old ? kept.from : old };
  await store.kv.put([{ collection: keptCollection, key: keptKey, value: JSON.stringify(next) }]);
}

/** The same without --keep-tokens: tokens of before end, also those that an earlier restore kept. */
export async function endTokens(store: FullStore): Promise<void> {
  await store.kv.put([{ collection: keptCollection, key: keptKey, value: null }]);
}

async function readKept(store: FullStore): Promise<Kept | undefined> {
  const [row] = await store.kv.get(keptCollection, [keptKey]);
  return row === undefined ? undefined : (JSON.parse(row.value) as Kept);
}
