// Which starts of a plan are the same run, as its start key: the caller's, or one made of what is asked for (TX-09). The store makes the key
// unique, so that any number of callers at once make one run. It must never invent a key where the caller must bring one.
import { identityKey } from "../../dag/identity.ts";
import type { Creation } from "../../engine/create-run.ts";
import type { PlanIdentity } from "../../engine/definition.ts";
import { PawlError } from "../../errors/error.ts";
import type { StartRequest } from "../types.ts";

/** A request's own key comes first (TX-09). */
export function withIdentity(base: Creation, identity: PlanIdentity, r: StartRequest): Creation {
  if (identity.strategy === "unique") return base;
  if (typeof r.idempotencyKey === "string") return { ...base, hasIdentity: true };
  const { name, version } = base.definition;
  if (identity.strategy === "caller")
    throw new PawlError("PAWL4012", `a start of ${name} needs an idempotencyKey: it says which requests are the same`, {
      data: { workflow: name },
    });
  const slash = name.indexOf("/");
  const parts = { namespace: slash < 0 ? "" : name.slice(0, slash), name: name.slice(slash + 1) };
  const idempotencyKey = identityKey({ ...parts, version: identity.version ? version : null, input: base.input });
  return { ...base, idempotencyKey, hasIdentity: true };
}
