// The end of a run in whose place another begins (onConflict: "restart"). It is asked for under an id that is made from the start's key and the
// run, so a request that is sent again asks for the same end, and never for that of another run than the one that was in the way. It waits for a
// bounded time: a start that is sent again continues here.
import { inputDigest } from "../../codec/canonical.ts";
import { isSettled } from "../../core/model.ts";
import { isPawlError, PawlError } from "../../errors/error.ts";
import type { RunRow } from "../../store/port.ts";
import type { ClientContext } from "../client-deps.ts";
import { requireRun } from "../find-run.ts";
import type { StartWait } from "../types.ts";
import { postControl, waitForReply } from "./control-run.ts";

/** How long a start waits for the end of the run that is in its way, unless its caller says. */
const endWaitMs = 10_000;

export async function endForRestart(c: ClientContext, old: RunRow, key: string | null, reason: string, o: StartWait): Promise<RunRow> {
  const requestId = key === null ? c.platform.uuidV4() : `restart/${inputDigest(JSON.stringify(key)).slice(0, 32)}/${old.runId}`;
  const w = { c, what: "terminate", requestId } as const;
  try {
    const { record } = await postControl(w, old.runId, { reason });
    await waitForReply(w, record, o.timeoutMs ?? endWaitMs, o.signal);
  } catch (e) {
    if (!isPawlError(e, "PAWL4003") && !isPawlError(e, "PAWL4010")) throw e; // it ended by itself meanwhile
  }
  const now = await requireRun(c, old.runId);
  if (isSettled(now.status)) return now;
  throw new PawlError("PAWL4006", `run ${old.runId} is still ending: send the same request again, and it continues`, {
    data: { runId: old.runId, workflowId: old.workflowId },
  });
}
