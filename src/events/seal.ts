// Seals (K22): what an engine signs with a key that is not in the store. A seal is an event, `pawl.HeadSealed`, written in the Commit
// that it seals: it covers every event before it by their last link, its own place, and, where the run ends with that Commit,
// the terminal event behind it. Each sealer counts its seals, so that one that is missing shows. A seal shows no value of a user.
// Records (`pawl.sealer`, `pawl.retired`) are signed alike and kept in a collection. What is signed is the exact text of a statement.
import type { Signer } from "../platform/crypto/ed25519-pem.ts";
import type { Keyring } from "./keyring.ts";
import { jsonObject, jsonValue } from "./payload.ts";

/** Where the events that a seal covers end, as the maker of events knows it. */
export interface SealedPlace {
  /** Of the seal's own event. */
  readonly eventId: string;
  readonly emittedAt: number;
  readonly stateVersion: number;
  /** Of the event before it, and its persistedAt if it belongs to an earlier Commit. */
  readonly seq: number;
  readonly link: string;
  readonly sealedAt: number | null;
  /** SHA-256 of the canonical write of the event behind it, which ends the run; null: the run continues. */
  readonly end: string | null;
}

/** All seals of one sealer up to `done` were written, but for those in `void`, of which that is not known. */
export interface SealCount {
  readonly sealer: string;
  readonly done: number;
  readonly void: readonly number[];
}

export interface SealStatement extends SealedPlace, SealCount {
  readonly kind: "pawl.seal";
  readonly v: 1;
  readonly storeId: string;
  readonly keyId: string;
  readonly runId: string;
  /** From 1, by this sealer. */
  readonly n: number;
  /** The store's time when it was made, as its maker knew it. */
  readonly at: number;
}
/** What a sealer says of itself, now and then and when it stops. */
export interface SealerStatement extends SealCount {
  readonly kind: "pawl.sealer";
  readonly v: 1;
  readonly storeId: string;
  readonly keyId: string;
  /** The store's time when it began, and when the first sealer that it knows of did: what ended before may be unsealed. */
  readonly since: number;
  readonly began: number;
  readonly closed: boolean;
}
/** Seals whose logs retention took away, as ranges: [from, to]. */
export interface RetiredStatement {
  readonly kind: "pawl.retired";
  readonly v: 1;
  readonly storeId: string;
  readonly keyId: string;
  readonly sealer: string;
  readonly ranges: readonly (readonly [number, number])[];
}
type Statement = SealStatement | SealerStatement | RetiredStatement;

/** The collection of the records, and their keys in it. */
export const sealCollection = "pawl.seals";
export const sealerRowKey = (sealer: string): string => `sealer/${sealer}`;
export const retiredRowKey = (sealer: string): string => `retired/${sealer}`;

const encoder = new TextEncoder();

export function signStatement(signer: Signer, statement: Statement): string {
  const text = JSON.stringify(statement);
  return jsonObject({ statement: jsonValue(text), signature: jsonValue(signer.sign(encoder.encode(text))) });
}

export type ReadStatement<K extends Statement["kind"]> =
  | { readonly ok: true; readonly statement: Extract<Statement, { kind: K }> }
  | { readonly ok: false; readonly why: string };

/** The statement, if one of the keys signed it and it is of this kind. */
export function readStatement<K extends Statement["kind"]>(payload: string | null, kind: K, ring: Keyring): ReadStatement<K> {
  try {
    const { statement: text, signature } = JSON.parse(payload ?? "") as { statement: string; signature: string };
    const statement = JSON.parse(text) as Extract<Statement, { kind: K }>;
    if (statement.kind !== kind || statement.v !== 1) return { ok: false, why: `not a ${kind} of version 1` };
    if (!ring.has(statement.keyId)) return { ok: false, why: `signed by key ${statement.keyId}, which is not among those given` };
    return ring.accepts(statement.keyId, text, signature) ? { ok: true, statement } : { ok: false, why: "the signature does not fit" };
  } catch {
    return { ok: false, why: "it cannot be read" };
  }
}
