// What is wrong when the operators are done: a verdict that promises more than the bank's ledger shows, evidence that does not hold, an
// order that is nowhere, or alive in two stores. It reads proofs, evidence and the ledger, nothing else that an engine writes.
import type { Client, RunView } from "../../src/client/types.ts";
import type { EffectProof } from "../../src/events/proof.ts";
import { textOf, verify } from "../../src/verify.ts";
import { effects, type Book, type Effect } from "./programs/teller.ts";
import type { OperatorSetup } from "./random-operator.ts";

export interface Judged {
  readonly runs: number;
  readonly effects: number;
  readonly resent: number;
  readonly inDoubt: number;
  /** Verdicts that say something definite: a proof that never does is no proof. */
  readonly certain: number;
  readonly lies: readonly string[];
  readonly lost: readonly string[];
}

export async function judge(place: OperatorSetup, orders: readonly string[], note: (order: string) => string): Promise<Judged> {
  const book = await place.book();
  const found = { runs: 0, effects: 0, resent: 0, inDoubt: 0, certain: 0, lies: [] as string[], lost: [] as string[] };
  for (const order of orders) {
    const seen = new Set<string>();
    const alive: number[] = [];
    for (const [at, side] of place.sides.entries()) {
      const { runs } = await place.until(side.client.list({ workflowId: order, limit: 100 }));
      if (runs.some((r) => r.moved !== true)) alive.push(at);
      for (const run of runs) {
        const about = `${order}, asked about run ${run.runId} in store ${at}`;
        for (const lie of await liesOf(place, side.client, book, order, run)) found.lies.push(`${about}: ${lie}; ${note(order)}`);
        if (run.moved === true) continue; // counted where it is
        found.runs++;
        for (const x of (await place.until(side.client.proof(run.runId))).effects) count(found, seen, x);
      }
    }
    if (alive.length !== 1) found.lost.push(`${order} is in ${alive.length} stores; ${note(order)}`);
  }
  return found;
}

function count(found: { effects: number; resent: number; inDoubt: number; certain: number }, seen: Set<string>, x: EffectProof): void {
  const id = `${x.stepId} ${x.key ?? ""} ${x.sentBy.join(" ")}`;
  if (seen.has(id)) return;
  seen.add(id);
  found.effects++;
  found.resent += Math.max(0, x.sends - 1);
  if (x.verdict === "in-doubt") found.inDoubt++;
  if (x.verdict === "once" || x.verdict === "not-at-all") found.certain++;
}

async function liesOf(place: OperatorSetup, client: Client, book: Book, order: string, run: RunView): Promise<string[]> {
  const proof = await place.until(client.proof(run.runId));
  const evidence = verify(await place.until(client.evidence(run.runId)));
  const lies = proof.effects.flatMap((x) => lieOf(book, order, x) ?? []);
  // The verifier computes every verdict again and compares it with the proof's.
  if (!evidence.ok) lies.push(`its evidence does not hold: ${textOf(evidence)}`);
  return lies;
}

const bounds: Readonly<Record<EffectProof["verdict"], readonly [number, number]>> = {
  "once": [1, 1],
  "at-most-once": [0, 1],
  "not-at-all": [0, 0],
  "at-least-once": [0, Infinity],
  "in-doubt": [0, Infinity],
};

/** Undefined: the ledger bears the verdict out. */
function lieOf(book: Book, order: string, x: EffectProof): string | undefined {
  if (!effects.includes(x.stepId as Effect)) return undefined;
  const times = x.key === undefined ? book.timesOfAll(order, x.stepId) : book.times(order, x.stepId, x.key);
  const [least, most] = bounds[x.verdict];
  return times >= least && times <= most ? undefined : `${x.sentence} says ${x.verdict}, and the bank has ${times}`;
}
