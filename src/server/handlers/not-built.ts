// What answers an operation that has no verb of the client yet. It
// says so; it must never pretend to have done something.
import type { Operation } from "../../api/operations.ts";
import { PawlError } from "../../errors/error.ts";

export function notBuilt(operation: Operation): () => Promise<never> {
  return () => Promise.reject(new PawlError("PAWL4093", `${operation} is not available in this version`, { data: { operation } }));
}
