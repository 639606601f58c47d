// When two calls of tools are the same call. The author's key decides; without one, the tool's name and its arguments in canonical form do. A
// provider's call id never does: a model that asks again makes a new one. Pure.
import { inputDigest } from "../codec/canonical.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";

export interface CallIdentity {
  readonly identity: string;
  /** SHA-256 of the arguments, where the identity is made of a key. */
  readonly args?: string;
}

/** `args`: what the schema made of the arguments, encoded: a default that the model left out makes no difference. */
export function callIdentity(tool: string, key: string | null, args: string): CallIdentity {
  const digest = inputDigest(args);
  if (key === null) return { identity: sha256Hex(JSON.stringify(["args", tool, digest])) };
  return { identity: sha256Hex(JSON.stringify(["key", key])), args: digest };
}
