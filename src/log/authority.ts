// The append authority as far as an engine's runs go (K23): only the owner writes them, through Commits. A producer that
// emits an event again, after a crash or a lost answer, gets the existing record's metadata back and must accept it
// (D-046 … D-048, D-074 … D-077); an event that is not there is refused, never inserted.
import { sha256Hex } from "../platform/hash.ts";
import { PawlError } from "../errors/error.ts";
import type { Store } from "../store/port.ts";
import { timeText, validateWrite, type RunEventWrite } from "./envelope.ts";
import { idempotencyKey } from "./keys.ts";

export interface Appended {
  readonly eventId: string;
  readonly runSeq: number;
  readonly persistedAt: string;
  readonly idempotent: true;
  readonly persisted: false;
  /** False when the same key came with another payload: the stored one stays (resolution 31). */
  readonly samePayload: boolean;
}

export async function append(store: Store, event: RunEventWrite): Promise<Appended> {
  const check = validateWrite(event);
  if (!check.ok)
    throw new PawlError("PAWL4011", `the event is not valid: ${check.errors[0]?.pointer ?? ""} ${check.errors[0]?.message ?? ""}`);
  const { write } = check;
  const key = idempotencyKey({ ...write, stepId: write.stepId ?? null });
  if (write.idempotencyKey !== key) throw new PawlError("PAWL4011", "idempotencyKey is not the one that the event's fields give");
  const [known] = await store.events({ runId: write.runId, idempotencyKey: key });
  if (known === undefined)
    throw new PawlError("PAWL4010", `run ${write.runId} is written by its owner only: an event that is not in its log cannot be appended`, {
      data: { runId: write.runId, eventType: write.eventType },
    });
  const given = write.payload === undefined ? null : JSON.stringify(write.payload);
  const samePayload =
    (given === null) === (known.payload === null) && (given === null || sha256Hex(given) === sha256Hex(canonicalText(known.payload!)));
  return {
    eventId: known.eventId,
    runSeq: known.runSeq,
    persistedAt: timeText(known.persistedAt),
    idempotent: true,
    persisted: false,
    samePayload,
  };
}

/** The stored text as a reader of the record would write it again. */
function canonicalText(payload: string): string {
  return JSON.stringify(JSON.parse(payload));
}
