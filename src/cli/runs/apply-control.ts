// A control that a command waits for: what the run's owner has not done within the time is an error with an exit code of its own, though it
// is recorded. What a control does, and who applies it, is the client's.
import type { Control, RunView } from "../../client/types.ts";
import { PawlError } from "../../errors/error.ts";
import type { CliSession } from "../session.ts";

/** Asks for it and waits until it is done. */
export async function applyControl(
  { client }: Pick<CliSession, "client">,
  { runId }: RunView,
  verb: Control,
  reason: string | undefined,
  timeoutMs: number,
): Promise<RunView> {
  const { state, run } = await client.control(runId, verb, { timeoutMs, ...(reason === undefined ? {} : { reason }) });
  if (state === "applied") return run;
  throw new PawlError("PAWL4006", `${verb} is recorded; the engine that owns run ${runId} has not applied it yet`, { data: { runId } });
}
