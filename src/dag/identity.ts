// Which starts of a plan are the same run (DAG identity; T-37, TX-09, R-32). strict: equal input, in its canonical form, gives the same start key;
// caller: every request brings a key; unique: every start is a run of its own. The key is unique in the store already. Pure.
import { canonicalJson } from "../codec/canonical.ts";
import { PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import type { PlanIdentity } from "../engine/definition.ts";

const strategies = ["strict", "caller", "unique"];

export function checkIdentity(given: unknown, where: string): PlanIdentity {
  const o = (typeof given === "object" && given !== null ? given : {}) as Readonly<Record<string, unknown>>;
  const { strategy, version, ...more } = o;
  const [unknown] = Object.keys(more);
  if (unknown !== undefined) throw new PawlError("PAWL1025", `${where} has no member ${unknown}`);
  if (typeof strategy !== "string" || !strategies.includes(strategy))
    throw new PawlError("PAWL1025", `${where}: strategy is one of ${strategies.join(", ")}`);
  if (version !== undefined && (strategy !== "strict" || typeof version !== "boolean"))
    throw new PawlError("PAWL1025", `${where}: version is true or false, and only beside the strategy strict`);
  return { strategy: strategy as PlanIdentity["strategy"], version: version !== false };
}

export interface IdentityParts {
  /** "" where there is none. */
  readonly namespace: string;
  readonly name: string;
  /** Left out where runs of all versions are the same. */
  readonly version: string | null;
  /** Encoded; null: the run has no input. */
  readonly input: string | null;
}

/** Each part with its length before it: no two different requests have one preimage. */
export function identityKey({ namespace, name, version, input }: IdentityParts): string {
  const canonical = input === null ? "" : canonicalJson(JSON.parse(input));
  const parts = [namespace, name, version ?? "", version === null ? "-" : "+", canonical];
  return `dag-${sha256Hex(parts.map((p) => `${Buffer.byteLength(p)}:${p}`).join(""))}`;
}
