// The world outside, of the campaign's clock part: a file that every process appends to, with the machine's uptime beside each line. A
// payment has happened some time after it was asked for, whoever still waits for it. It never reads a wall clock.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** What an engine of this part does; as one JSON argument. */
export interface ClockDuty {
  readonly store: string;
  readonly ledger: string;
  readonly name: string;
  readonly orders: number;
  readonly bug?: string;
}
export interface Entry {
  readonly run: string;
  readonly what: string;
  readonly at: number;
}

export const napMs = 1_500;
export const retryMs = 1_000;
/** The bank is done well before a request of this time limit can no longer arrive. */
export const bankMs = 1_200;
export const payLimitMs = 2_000;
export const settleMs = 500;

export function uptimeMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
export function note(ledger: string, entry: Entry): void {
  appendFileSync(ledger, `${JSON.stringify(entry)}\n`);
}
export function entries(ledger: string): readonly Entry[] {
  if (!existsSync(ledger)) return [];
  return readFileSync(ledger, "utf8")
    .split("\n")
    .filter((l) => l !== "")
    .map((l) => JSON.parse(l) as Entry);
}
/** Whether a payment of this order has happened by now. */
export function bank(ledger: string, run: string): boolean {
  return entries(ledger).some((e) => e.run === run && e.what === "pay" && uptimeMs() - e.at >= bankMs);
}
