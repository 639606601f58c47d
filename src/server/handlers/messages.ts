// Signals and updates. The id of a message is checked by the client before anything is stored, whatever it is.
// It must never judge an id itself.
import { isPawlError, PawlError } from "../../errors/error.ts";
import { parseTraceparent } from "../../core/traceparent.ts";
import { isWaitEnded, type HandlersOf, type Call } from "../call.ts";

type Own = "runs.signal" | "runs.update" | "signals.get" | "updates.get";

const updateWaitS = 10;

export const messageHandlers: HandlersOf<Own> = {
  "runs.signal": async (call, { id, name, payload, signalId, traceparent, delay }) => {
    const o = {
      ...(signalId === undefined ? {} : { signalId }),
      ...traceOf(call, traceparent),
      ...(delay === undefined ? {} : { delay }),
    };
    const accepted = await call.client.signal(id, name, payload, o);
    return { body: accepted, replayed: accepted.replayed };
  },
  "runs.update": async (call, { id, name, payload, updateId, wait = updateWaitS, traceparent }) => {
    const { client, server, signal } = call;
    if (updateId !== undefined && typeof updateId !== "string") throw new PawlError("PAWL4005", "updateId must be text");
    const given = updateId ?? server.platform.uuidV4();
    const replayed = updateId !== undefined && (await client.updateState(id, name, given)) !== undefined;
    try {
      const o = { updateId: given, timeoutMs: wait * 1_000, signal, ...traceOf(call, traceparent) };
      const answer = await client.update(id, name, payload, o);
      return { body: { updateId: given, answer, replayed }, replayed };
    } catch (e) {
      if (!isPawlError(e, "PAWL4006") && !isWaitEnded({ signal }, e)) throw e;
      // The server stops: what was accepted will be answered, and what was not may be sent again.
      if (signal.aborted && (await client.updateState(id, name, given)) === undefined)
        throw new PawlError("PAWL4085", "this server stops, and the update was not accepted");
      const at = ["runs", id, "updates", name, given];
      return { body: { updateId: given, pending: true, replayed }, outcome: "pending", at, replayed };
    }
  },
  "signals.get": async ({ client }, { id, name, signalId }) => ({
    body: (await client.signalState(id, name, signalId)) ?? missing(`signal ${name} with id ${signalId}`, id),
  }),
  "updates.get": async ({ client }, { id, name, updateId }) => ({
    body: (await client.updateState(id, name, updateId)) ?? missing(`update ${name} with id ${updateId}`, id),
  }),
};

/** What the body names, else the request's header, which is left out where it is malformed: it is often made by somebody in between. */
function traceOf(call: Pick<Call, "traceparent">, named: string | undefined): { traceparent?: string } {
  const traceparent = named ?? (parseTraceparent(call.traceparent) === null ? undefined : call.traceparent);
  return traceparent === undefined ? {} : { traceparent };
}

function missing(what: string, id: string): never {
  throw new PawlError("PAWL4132", `run ${id} has accepted no ${what}`, { data: { id } });
}
