// Control of a run chain: a run that continued as new is paused, resumed, cancelled and terminated where it continues, which is where
// its result is awaited, too. It must never pass on to a run that somebody restarted or retried: only the log says what continues what.
import { isPawlError } from "../../errors/error.ts";
import type { RunEndPayload } from "../../events/payload.ts";
import type { Client } from "../types.ts";

export async function controlRunChain(
  client: Client,
  runId: string,
  what: Parameters<Client["control"]>[1],
  reason: string | undefined,
): Promise<void> {
  for (let at = runId; ;) {
    try {
      // Durable, and done by its owner: nobody who holds a handle waits for that here.
      await client.control(at, what, { timeoutMs: 0, unconditional: true, ...(reason === undefined ? {} : { reason }) });
      return;
    } catch (e) {
      const next = isPawlError(e, "PAWL4003") ? await nextRunId(client, at) : undefined;
      if (next === undefined) throw e;
      at = next;
    }
  }
}

async function nextRunId(client: Client, runId: string): Promise<string | undefined> {
  const row = await client.get(runId);
  if (row?.status !== "COMPLETED" || row.purgedAt !== undefined) return undefined;
  const [last] = await client.events(runId, { after: row.headSeq - 1 });
  return (last?.payload as RunEndPayload | undefined)?.continuedAs;
}
