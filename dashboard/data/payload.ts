// The payload of an event, with its values as they were: in a log they stand as the codec wrote them.
// It must never change the event that it reads.
import { revive } from "../../src/codec/value.ts";
import type { RunEventRecord } from "../../src/core/contract.ts";

export function payloadOf({ payload }: RunEventRecord): Readonly<Record<string, unknown>> {
  if (typeof payload !== "object" || payload === null) return {};
  return revive(structuredClone(payload)) as Readonly<Record<string, unknown>>;
}
