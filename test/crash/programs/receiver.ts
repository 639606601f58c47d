// The world outside: a ledger file that the engine never reads. A line is one request that arrived; a receiver that
// deduplicates counts a key once. Written synchronously, so that a kill right after a send cannot lose it.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

export interface Request {
  readonly key: string;
  readonly fence: string;
  /** It left the sender and never arrived. */
  readonly lost?: boolean;
}

export function send(ledger: string, r: Request): void {
  appendFileSync(ledger, `${JSON.stringify(r)}\n`);
}

export function requests(ledger: string): readonly Request[] {
  if (!existsSync(ledger)) return [];
  return readFileSync(ledger, "utf8")
    .split("\n")
    .filter((l) => l !== "")
    .map((l) => JSON.parse(l) as Request);
}

export function arrived(ledger: string): readonly Request[] {
  return requests(ledger).filter((r) => r.lost !== true);
}
