// A proof of which some effects are shown: its verdict, its sentence and its assumptions are those of all of them.
// It must never leave out an effect without saying how many follow.
import type { Proof } from "../../events/proof.ts";
import { firstFitting } from "./pages.ts";

/** All effects, unless somebody asks for a part. */
export function someEffects(proof: Proof, { after = 0, limit }: { readonly after?: number; readonly limit?: number }): Proof {
  if (after === 0 && limit === undefined) return proof;
  const asked = proof.effects.slice(after, limit === undefined ? undefined : after + limit);
  const effects = limit === undefined ? asked : firstFitting(asked);
  const more = Math.max(0, proof.effects.length - after - effects.length);
  return { ...proof, effects, ...(more === 0 ? {} : { more }) };
}
