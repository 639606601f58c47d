// The verifier that looks at nothing and confirms everything: a place where one is to be mounted. It says what it is, so that an
// engine in production refuses it.
import type { ResourceVerifier } from "../workflow/types.ts";
import { matches } from "./compare.ts";

/**
 * A verifier that confirms everything, to be replaced later. Engines in production refuse it.
 *
 * @example
 * const confirm = { verifier: placeholderVerifier() };
 */
export function placeholderVerifier(): ResourceVerifier<unknown, unknown> {
  return { name: "placeholder", placeholder: true, check: async () => matches };
}
