// The world outside the cluster: a file that every worker appends to, whatever its language, and that no engine reads. Written synchronously and in
// one piece, so that a kill right after it cannot lose it and two processes cannot mix their lines.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

export interface SentEffect {
  readonly step: string;
  /** The order that it was sent for. */
  readonly id: string;
  /** The service that sent it. */
  readonly by: string;
}

export const service = process.env["PAWL_CLUSTER_SERVICE"] ?? "nobody";
const ledger = process.env["PAWL_CLUSTER_LEDGER"] ?? "";

export function effect(step: string, id: string): { id: string; by: string } {
  appendFileSync(ledger, `${JSON.stringify({ step, id, by: service } satisfies SentEffect)}\n`);
  return { id, by: service };
}

export function readEffects(path: string = ledger): readonly SentEffect[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, "utf8").split("\n");
  return text.filter((l) => l !== "").map((l) => JSON.parse(l) as SentEffect);
}
