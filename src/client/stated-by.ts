// The name under which somebody answers or orders something: that of the authenticated principal, where there is one. A request that names
// somebody else is refused: nobody may sign for another.
import type { Principal } from "../core/principal.ts";
import { PawlError } from "../errors/error.ts";

/** A service that is trusted to say so acts for a person: that person is named. */
export function signatureOf(p: Principal): string {
  return p.onBehalfOf ?? p.subject;
}

/** `said`: what the request names, at `pointer`. */
export function statedBy<T>(p: Principal | undefined, said: T, pointer: string): T | string {
  if (p === undefined) return said;
  const by = signatureOf(p);
  if (said !== undefined && said !== by && said !== p.subject)
    throw new PawlError("PAWL4081", `${by} makes this request: leave "by" out, or give that name`, {
      data: { by },
      errors: [{ pointer, message: "is not the caller" }],
    });
  return by;
}
