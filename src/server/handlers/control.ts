// Cancelling, pausing, resuming, ending, retrying and forking runs, and their next turns.
// It must never touch a run itself: the client does.
import type { ControlAnswer, ControlInput } from "../../api/types/operate.ts";
import type { Control } from "../../api/types/run.ts";
import { isWaitEnded, type Call, type HandlersOf, type Reply } from "../call.ts";

type Own = "runs.cancel" | "runs.pause" | "runs.resume" | "runs.terminate" | "runs.retry" | "runs.fork" | "runs.next";

export const controlHandlers: HandlersOf<Own> = {
  "runs.cancel": (call, input) => control(call, "cancel", input),
  "runs.pause": (call, input) => control(call, "pause", input),
  "runs.resume": (call, input) => control(call, "resume", input),
  "runs.terminate": (call, input) => control(call, "terminate", input),
  "runs.retry": async ({ client, server }, { id, ...o }) => {
    if (o.dryRun === true) return { body: await client.retry(id, { ...o, dryRun: true }) };
    const requestId = o.requestId ?? server.platform.uuidV4();
    const retried = await client.retry(id, { ...o, dryRun: false, requestId });
    const { replayed } = retried;
    return { body: retried, ...(replayed ? { replayed } : { outcome: "created" as const }), at: ["runs", retried.runId] };
  },
  "runs.next": async ({ client, server }, { id, input, ...o }) => {
    const made = await client.next(id, input, { requestId: o.requestId ?? server.platform.uuidV4() });
    const { replayed } = made;
    return { body: made, ...(replayed ? { replayed } : { outcome: "created" as const }), at: ["runs", made.runId] };
  },
  "runs.fork": async ({ client }, { id, newId = "", dryRun, reason = "", at, label, ...rest }) => {
    const asked = label ?? at;
    const o = { ...rest, ...(asked === undefined ? {} : { at: asked }) };
    if (dryRun === true) return { body: await client.fork(id, { ...o, dryRun }) };
    const forked = await client.fork(id, { ...o, id: newId, reason });
    const { replayed } = forked;
    return { body: forked, ...(replayed ? { replayed } : { outcome: "created" as const }), at: ["runs", forked.runId] };
  },
};

/** A request that carries no requestId gets one, and the answer says which. */
async function control(call: Call, what: Control, { id, wait, ...o }: ControlInput): Promise<Reply<ControlAnswer>> {
  const requestId = o.requestId ?? call.server.platform.uuidV4();
  const { client, signal } = call;
  const waited = wait === undefined ? {} : { timeoutMs: wait * 1_000 };
  const body = await client.control(id, what, { ...o, ...waited, requestId, signal }).catch((e: unknown) => {
    if (!isWaitEnded(call, e)) throw e;
    return client.control(id, what, { ...o, requestId, timeoutMs: 0 }); // it is accepted: what is known of it now
  });
  return {
    body,
    ...(body.state === "posted" ? { outcome: "pending" as const } : {}),
    ...(body.replayed ? { replayed: true } : {}),
    at: ["runs", body.run.runId],
  };
}
