// What a process does on a run of checkpoints: three items, each adds a line to a file outside the store when it is done, so that
// whoever did it can be counted. Deterministic but for `ownId`, which never enters the state. Also where the run begins.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { Standpoint, Work, WorkItem } from "../../../src/engine/resume.ts";

export const runId = "0197e3a0-0000-7000-8000-000000000001";
export const fence = { epoch: 1, token: "held" };

const item = (nodeId: string, orderKey: bigint, state: unknown): WorkItem => ({ nodeId, orderKey, state });

/** A seed that no double holds, items out of order, one with a place above 2^53. */
export const beginning: Standpoint = {
  stepId: 0,
  state: { drawn: [] },
  frontier: [item("ship", 18_446_744_073_709_551_615n, { to: "Rome" }), item("charge", 1n, { cents: 500 })],
  seed: -9_223_372_036_854_775_807n,
  io: [],
  label: "begun",
};

/** Charge sends another item between itself and ship; each draws a number and keeps what it was sent. */
export function working(file: string, ownId: string): Work {
  return async ({ nodeId, state: sent }, { stepId, state, random }) => {
    appendFileSync(file, `${stepId} ${nodeId} ${ownId}\n`);
    const { drawn } = state as { drawn: unknown[] };
    return {
      state: { drawn: [...drawn, [nodeId, sent, random.random()]] },
      next: nodeId === "charge" ? [item("receipt", 7n, { no: random.uuid() })] : [],
      io: [{ asked: nodeId }],
    };
  };
}

/** "1 charge", "2 receipt": what was done, in order. */
export function done(file: string): string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((l) => l !== "")
    .map((l) => l.split(" ").slice(0, 2).join(" "));
}
