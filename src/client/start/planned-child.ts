// What the dry run of a retry says of a call whose child did not complete, by what has become of that child since. It reads rows, makes
// nothing, and must never say more than engine/steps/children/continue-child.ts will do.
import { isSettled } from "../../core/model.ts";
import type { ChainStep } from "../../engine/chain/run-chain.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import type { PlannedStep } from "../../api/types/retry.ts";

export async function planChild(c: LocalClientDeps, { child, fromStep }: ChainStep): Promise<Pick<PlannedStep, "outlook" | "why"> | null> {
  if (child === undefined) return null;
  const first = await c.store.run({ runId: child.runId });
  const last = first === undefined ? undefined : await c.store.run({ scope: c.scope, workflowId: first.workflowId });
  if (last === undefined || last.expiredAt !== null)
    return { outlook: "needs a decision", why: `its child, run ${child.runId}, has lost its log: what that one sent is not known` };
  if (last.origin === "moved")
    return { outlook: "runs again", why: `its child, run ${last.runId}, was moved to another store: the call fails` };
  if (last.status === "COMPLETED") return { outlook: "kept", why: `its child, run ${last.runId}, has completed` };
  const how = `as a ${fromStep ? "restart" : "retry"} of its child, run ${last.runId}`;
  if (isSettled(last.status)) return { outlook: "runs again", why: how };
  return { outlook: "runs again", why: `${how}, once that has ended; kept if it completes` };
}
