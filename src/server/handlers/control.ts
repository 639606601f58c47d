// Cancelling, pausing, resuming, ending and retrying runs.
// It must never touch a run itself: the client does.
import { PawlError } from "../../errors/error.ts";
import type { ControlAnswer, ControlRequest } from "../../api/types/operate.ts";
import type { Control } from "../../api/types/run.ts";
import type { Call, HandlersOf, Reply } from "../call.ts";

type Own = "runs.cancel" | "runs.pause" | "runs.resume" | "runs.terminate" | "runs.retry";

export const controlHandlers: HandlersOf<Own> = {
  "runs.cancel": (call, input) => control(call, "cancel", input),
  "runs.pause": (call, input) => control(call, "pause", input),
  "runs.resume": (call, input) => control(call, "resume", input),
  "runs.terminate": (call, input) => control(call, "terminate", input),
  "runs.retry": async ({ client }, { id, requestId: _, ...o }) => {
    if (o.dryRun === true) return { body: await client.retry(id, { ...o, dryRun: true }) };
    const retried = await client.retry(id, { ...o, dryRun: false });
    return { body: { ...retried, replayed: false }, outcome: "created", at: ["runs", retried.runId] };
  },
};

async function control(call: Call, what: Control, { id, ...o }: { readonly id: string } & ControlRequest): Promise<Reply<ControlAnswer>> {
  const requestId = o.requestId ?? call.server.platform.uuidV4();
  await call.client.control(id, what, { ...(o.reason === undefined ? {} : { reason: o.reason }), requestId });
  const run = await call.client.get(id);
  if (run === undefined) throw new PawlError("PAWL4001", `there is no run ${id}`, { data: { id } });
  return { body: { state: "posted", run, requestId, replayed: false }, outcome: "pending", at: ["runs", run.runId] };
}
