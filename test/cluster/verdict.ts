// What must hold of the cluster's runs, read from the store and from the effects, never from a service: one run for each id, ended as wanted, a log that
// holds together, one outcome for each step, no effect sent more often than the log says, none recorded that was not sent.
import { connect } from "../../src/client.ts";
import type { Client } from "../../src/client/types.ts";
import type { ClusterProblem } from "./report.ts";
import { readEffects } from "./programs/effects.ts";
import { ledgerOf, type ClusterPlace } from "./services.ts";

export interface ClusterVerdict {
  readonly problems: ClusterProblem[];
  /** Steps that were sent again, as their class permits. */
  readonly resent: number;
  /** How many effects each service sent. */
  readonly shares: ReadonlyMap<string, number>;
  /** How many of the runs each engine brought to their end. */
  readonly owned: ReadonlyMap<string, number>;
}

const pageSize = 1_000;
const atOnce = 16;

export async function judge(p: ClusterPlace, ids: readonly string[], o: { readonly again?: boolean } = {}): Promise<ClusterVerdict> {
  const client = await connect({ store: p.store });
  try {
    const problems: ClusterProblem[] = [];
    const sends = new Map<string, number>();
    const shares = new Map<string, number>();
    const wanted = new Set(ids);
    for (const e of readEffects(ledgerOf(p))) {
      const id = e.step === "item" ? e.id.slice(0, e.id.lastIndexOf("-")) : e.id;
      if (!wanted.has(id)) continue;
      const step = e.step === "item" ? `item/${e.id}` : e.step;
      sends.set(`${id} ${step}`, (sends.get(`${id} ${step}`) ?? 0) + 1);
      shares.set(e.by, (shares.get(e.by) ?? 0) + 1);
    }
    const owned = new Map<string, number>();
    let resent = 0;
    const left = [...ids];
    const look = async (): Promise<void> => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) {
        const one = await judgeRun(client, id, sends, o.again ?? true);
        problems.push(...one.problems);
        resent += one.resent;
        if (one.engine !== undefined) owned.set(one.engine, (owned.get(one.engine) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, look));
    problems.push(...(await duplicates(client, wanted)));
    return { problems, resent, shares, owned };
  } finally {
    await client.close();
  }
}

interface RunVerdict {
  readonly problems: readonly ClusterProblem[];
  readonly resent: number;
  /** Who wrote its end. */
  readonly engine?: string;
}

async function judgeRun(client: Client, id: string, sends: ReadonlyMap<string, number>, again: boolean): Promise<RunVerdict> {
  const problems: ClusterProblem[] = [];
  const say = (kind: ClusterProblem["kind"], what: string): void => void problems.push({ kind, what: `${id}: ${what}` });
  const run = await client.get(id);
  if (run === undefined) {
    say("corruption", "it was accepted and does not exist");
    return { problems, resent: 0 };
  }
  if (run.status !== "COMPLETED") say("corruption", `it is ${run.status}`);
  const verified = await client.verifyRun(id);
  if (!verified.ok) say("corruption", `its log does not hold together: ${JSON.stringify(verified)}`);
  const events = await client.events(id, { limit: pageSize });
  const steps = await client.steps(id);
  const outcomes = new Map<string, number>();
  const enqueued = new Set<string>();
  for (const e of events) {
    if (e.eventType === "StepCompleted") outcomes.set(e.stepId!, (outcomes.get(e.stepId!) ?? 0) + 1);
    if (e.eventType === "StepStarted") {
      const mark = `${e.stepId!} ${e.logicalAttemptId}`;
      if (enqueued.has(mark)) say("race", `${e.stepId!} was enqueued twice`);
      enqueued.add(mark);
    }
    if (e.eventType === "pawl.StepRedispatched" && !again) say("race", "a step was sent again though nobody died");
  }
  let resent = 0;
  for (const s of steps) {
    const n = outcomes.get(s.stepId) ?? 0;
    if (n !== 1) say(n === 0 ? "corruption" : "race", `${s.stepId} has ${n} outcomes`);
    const sent = sends.get(`${id} ${s.stepId}`);
    if (sent === undefined) {
      if (s.stepId !== "items" && s.stepId !== "sum" && s.stepId !== "raw") say("corruption", `${s.stepId} is recorded and was never sent`);
      continue;
    }
    resent += sent - 1;
    if (sent > s.engineAttempts) say("race", `${s.stepId} was sent ${sent} times, ${s.engineAttempts} are recorded`);
  }
  const { engine } = (events.findLast((e) => e.eventType === "RunCompleted")?.payload ?? {}) as { readonly engine?: string };
  return { problems, resent, ...(engine === undefined ? {} : { engine }) };
}

/** One run for each id: none has a second one behind it. */
async function duplicates(client: Client, wanted: ReadonlySet<string>): Promise<ClusterProblem[]> {
  const found = new Map<string, number>();
  let cursor: string | undefined;
  do {
    const page = await client.list({ limit: pageSize, ...(cursor === undefined ? {} : { cursor }) });
    for (const r of page.runs) if (wanted.has(r.workflowId)) found.set(r.workflowId, (found.get(r.workflowId) ?? 0) + 1);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return [...found].filter(([, n]) => n > 1).map(([id, n]) => ({ kind: "race" as const, what: `${id} has ${n} runs` }));
}
