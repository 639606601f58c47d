// Batches over HTTP: each verb is one operation; waiting asks again until the batch is over, since a server or an engine works it. It must never
// order a batch twice: the requestId is made before the first try.
import { PawlError } from "../../errors/error.ts";
import type { BatchVerbs } from "../batches/types.ts";
import { cursorOf, type HttpCaller } from "./call.ts";

const pollMs = 500;

export function httpBatches({ call, target }: HttpCaller): BatchVerbs {
  const get: BatchVerbs["get"] = (batchId) => call("batches.get", { batchId });
  return {
    create: (b) => call("batches.create", { ...b, requestId: b.requestId ?? target.web.uuidV4() }),
    list: async (q = {}) => {
      const { items, nextCursor } = await call("batches.list", q);
      return { batches: items, ...cursorOf(nextCursor) };
    },
    get,
    stop: (batchId, o) => call("batches.stop", { batchId, ...o }),
    wait: async (batchId, o = {}) => {
      for (let leftMs = o.timeoutMs ?? Number.POSITIVE_INFINITY; ; leftMs -= pollMs) {
        const batch = await get(batchId);
        if (batch.state !== "working") return batch;
        if (leftMs <= 0) throw new PawlError("PAWL4006", `batch ${batchId} is still at work`, { data: { batchId, done: batch.done } });
        await target.web.sleep(Math.min(pollMs, leftMs), target.closed);
      }
    },
  };
}
