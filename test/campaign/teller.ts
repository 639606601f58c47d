// A bank outside, a workflow that asks it for one effect of every class, and an operator who does at random what operators do: starts,
// pauses, cancels, terminates, retries, reruns, restarts, answers, kills. The bank keeps its own ledger, loses requests and
// replies, lets some arrive late, and answers verify honestly. Afterwards every verdict is compared with that ledger: one that
// promises more is a lie. Runs on a virtual clock and on real ones; it reads nothing that an engine writes but proofs.
import { NotSent, workflow, type StepError, type Verdict } from "../../src/index.ts";
import type { EffectProof } from "../../src/log/proof.ts";
import type { MortalEngine } from "../../src/testing/mortal.ts";
import type { AnyWorkflow, StepOpts, StepScope } from "../../src/workflow/types.ts";
import type { Random } from "./crew.ts";

export interface TellerPlace {
  /** A new engine; the one before may be dead. */
  engine(workflows: readonly AnyWorkflow[]): Promise<MortalEngine>;
  /** Lets time pass. */
  pass(ms: number): Promise<void>;
  /** Lets time pass until the promise has settled. */
  until<T>(p: Promise<T>): Promise<T>;
  timer(ms: number, f: () => void): void;
}
export interface Told {
  readonly acts: number;
  readonly runs: number;
  readonly effects: number;
  readonly resent: number;
  readonly inDoubt: number;
  readonly lies: readonly string[];
  readonly stuck: readonly string[];
}

/** How long a request may take, and how long after that it may still arrive. */
const timeoutMs = 400;
const settleMs = 200;

export class Bank {
  /** By order, effect and key: how often it took place; undone ones are counted apart. */
  readonly done: Map<string, number> = new Map();
  readonly undone: Map<string, number> = new Map();
  readonly #keys = new Set<string>();
  readonly #forgets: boolean;
  requests: number = 0;

  /** `forgets`: the planted bug: a receiver that does not keep its word about keys. */
  constructor(forgets: boolean) {
    this.#forgets = forgets;
  }
  take(order: string, effect: string, key: string, dedups: boolean): void {
    const id = idOf(order, effect, key);
    if (dedups && !this.#forgets && this.#keys.has(id)) return;
    this.#keys.add(id);
    this.done.set(id, (this.done.get(id) ?? 0) + 1);
  }
  undo(order: string, effect: string, key: string): void {
    const id = idOf(order, effect, key);
    this.undone.set(id, (this.undone.get(id) ?? 0) + 1);
  }
  has(order: string, effect: string, key: string): boolean {
    const id = idOf(order, effect, key);
    return (this.done.get(id) ?? 0) > (this.undone.get(id) ?? 0);
  }
  times(order: string, effect: string, key: string): number {
    return this.done.get(idOf(order, effect, key)) ?? 0;
  }
}
const idOf = (order: string, effect: string, key: string): string => JSON.stringify([order, effect, key]);

const effects = ["keyed", "asked", "verified", "once", "plain"] as const;
type Effect = (typeof effects)[number];

/** One workflow, whose steps have a class each; the bank decides what becomes of every request. */
export function tellerWorkflow(bank: Bank, place: TellerPlace, random: Random): AnyWorkflow {
  const send = (order: string, effect: Effect, s: StepScope): Promise<string> => {
    bank.requests++;
    const arrives = (): void => bank.take(order, effect, s.key, effect === "keyed" || effect === "asked");
    const hang = (): Promise<never> =>
      new Promise((_, reject) => s.signal.addEventListener("abort", () => reject(s.signal.reason as Error), { once: true }));
    switch (random(8)) {
      case 0: // the reply is lost
        arrives();
        return hang();
      case 1: // the reply is lost, and the line with it
        arrives();
        return Promise.reject(new Error("connection reset"));
      case 2: // the request is lost
        return hang();
      case 3: // the request is on its way when the engine gives up
        place.timer(timeoutMs + random(settleMs / 2), arrives);
        return hang();
      case 4:
        return Promise.reject(new NotSent("no line to the bank"));
      case 5: // slow
        return new Promise((resolve) => place.timer(random(timeoutMs / 2), () => (arrives(), resolve(`done ${s.key}`))));
      default:
        arrives();
        return Promise.resolve(`done ${s.key}`);
    }
  };
  const verify =
    (order: string, effect: Effect) =>
    async (s: StepScope): Promise<Verdict<string>> => {
      if (random(10) === 0) return { state: "indeterminate", reason: "busy" };
      return bank.has(order, effect, s.key) ? { state: "completed-with-result", result: `done ${s.key}` } : { state: "not-completed" };
    };
  const options = (order: string, effect: Effect): StepOpts<string> => {
    const undo = { compensate: (result: string) => bank.undo(order, effect, result.replace("done ", "")) };
    const limits = { timeout: timeoutMs, settle: settleMs, retry: { attempts: 2, initial: 50 } } as const;
    switch (effect) {
      case "keyed":
        return { key: `${order}-keyed`, dedup: "1d", ...undo, ...limits };
      case "asked":
        return { key: `${order}-asked`, dedup: "1d", verify: verify(order, effect), ...undo, ...limits };
      case "verified":
        return { verify: verify(order, effect), ...undo, ...limits };
      case "once": // it can be asked for by a person alone
        return { once: true, ...undo, timeout: timeoutMs, retry: limits.retry };
      default:
        return { repeatable: true, timeout: timeoutMs, retry: limits.retry };
    }
  };
  return workflow({ name: "teller" }, async (ctx) => {
    const order = ctx.run.workflowId;
    const done: string[] = [];
    for (const effect of effects) {
      const step = ctx.step<string>(effect, (s) => send(order, effect, s), options(order, effect));
      done.push(await step.catch((e: StepError) => e.category));
      if (effect === "asked") await ctx.sleep("nap", 100);
    }
    if (random(3) === 0) ctx.fail("a bad day");
    return done;
  });
}

export async function operate(o: {
  readonly place: TellerPlace;
  readonly random: Random;
  readonly acts: number;
  readonly forgets: boolean;
  readonly name: string;
}): Promise<Told> {
  const { place, random } = o;
  const bank = new Bank(o.forgets);
  const wf = tellerWorkflow(bank, place, random);
  let e = await place.until(place.engine([wf]));
  const orders: string[] = [];
  const note: string[] = [];
  const any = <T>(list: readonly T[]): T | undefined => (list.length === 0 ? undefined : list[random(list.length)]);
  const latest = async (order: string): Promise<{ runId: string; ended: boolean } | undefined> => {
    const row = await place.until(e.client.get(order));
    return row === undefined ? undefined : { runId: row.runId, ended: ["COMPLETED", "FAILED", "CANCELLED"].includes(row.status) };
  };
  const start = async (): Promise<void> => {
    const order = `${o.name}-${orders.length + 1}`;
    orders.push(order);
    await place.until(e.engine.start(wf, undefined, { id: order }));
  };
  /** A person looks at the bank; what can still arrive is not there yet. */
  const answer = async (): Promise<void> => {
    for (const d of await place.until(e.client.decisions())) {
      const by = { by: "ann", reason: "looked at the bank" };
      const effect = d.step?.stepId as Effect | undefined;
      if (d.kind !== "effect" || effect === undefined) {
        await place
          .until(e.client.resolve(d.decisionId, { ...by, ...(d.kind === "compensation" ? { fail: true } : { retry: true }) } as never))
          .catch(() => {});
        continue;
      }
      const key = d.step?.key ?? "";
      const there = [...bank.done.keys()].some((id) => {
        const [of, what, k] = JSON.parse(id) as [string, string, string];
        return of === d.workflowId && what === effect && (key === "" || k === key) && bank.has(of, what, k);
      });
      const said = random(6) === 0 ? { fail: true } : there ? { happened: true, result: `done ${key}` } : { happened: false };
      await place.until(e.client.resolve(d.decisionId, { ...by, ...said } as never)).catch(() => {});
    }
  };
  const control = async (what: "pause" | "resume" | "cancel" | "terminate"): Promise<void> => {
    const order = any(orders);
    if (order !== undefined) await place.until(e.client.control(order, what, { reason: "because" }));
  };
  const retry = async (how: object): Promise<void> => {
    const run = await latest(any(orders) ?? "");
    if (run?.ended === true) await place.until(e.client.retry(run.runId, how as never));
  };
  const acts: readonly (readonly [string, () => Promise<void>])[] = [
    ["start", start],
    ["pause", () => control("pause")],
    ["resume", () => control("resume")],
    ["cancel", () => control("cancel")],
    ["terminate", () => control("terminate")],
    ["retry", () => retry({})],
    ["retry from", () => retry({ fromStep: any(effects) })],
    ["rerun", () => retry({ rerun: [any(["keyed", "asked", "verified"])], by: "bob", reason: "the customer asked" })],
    [
      "restart",
      async () => {
        const order = any(orders);
        if (order !== undefined) await place.until(e.engine.start(wf, undefined, { id: order, onConflict: "restart" }));
      },
    ],
    ["answer", answer],
    [
      "kill",
      async () => {
        e.die();
        e = await place.until(place.engine([wf]));
      },
    ],
  ];
  for (let n = 0; n < o.acts; n++) {
    const [name, act] = orders.length === 0 ? acts[0]! : acts[random(acts.length)]!;
    note.push(name);
    await act().catch((x: unknown) => {
      if (!String((x as { code?: string }).code).startsWith("PAWL")) throw x; // not now, says the engine
    });
    await place.pass(random(3) === 0 ? random(1_500) : random(200));
  }
  const stuck = await settle(place, () => e, orders, answer);
  await place.pass(timeoutMs + 2 * settleMs); // what is late has arrived
  const told = { acts: o.acts, runs: 0, effects: 0, resent: 0, inDoubt: 0, lies: [] as string[], stuck };
  for (const order of orders) {
    const { runs } = await place.until(e.client.list({ workflowId: order, limit: 100 }));
    const roots = new Set<string>();
    for (const run of runs) {
      const proof = await place.until(e.client.proof(run.runId));
      told.runs++;
      for (const x of proof.effects) {
        const seen = `${x.stepId} ${x.key ?? ""} ${x.sentBy.join(" ")}`;
        if (!roots.has(seen)) {
          told.effects++;
          told.resent += Math.max(0, x.sends - 1);
          if (x.verdict === "in-doubt") told.inDoubt++;
        }
        roots.add(seen);
        const lie = lieOf(bank, order, x);
        if (lie !== null) told.lies.push(`${order}, asked about run ${run.runId}: ${lie}; acts: ${note.join(", ")}`);
      }
    }
  }
  await place.until(e.end().catch(() => {}));
  return told;
}

/** Everything is allowed to end; what does not is stuck. */
async function settle(
  place: TellerPlace,
  e: () => MortalEngine,
  orders: readonly string[],
  answer: () => Promise<void>,
): Promise<string[]> {
  let open: string[] = [];
  for (let n = 0; n < 200; n++) {
    open = [];
    for (const order of orders) {
      const row = await place.until(e().client.get(order));
      if (row === undefined || ["COMPLETED", "FAILED", "CANCELLED"].includes(row.status)) continue;
      open.push(`${order} ${row.status} ${row.waiting ?? ""}`);
      if (row.status === "PAUSED") await place.until(e().client.control(row.runId, "resume")).catch(() => {});
    }
    if (open.length === 0) return [];
    await answer();
    await place.pass(500);
  }
  return open;
}

/** null: the bank's ledger bears the verdict out. */
function lieOf(bank: Bank, order: string, x: EffectProof): string | null {
  if (!effects.includes(x.stepId as Effect)) return null;
  const times = x.key === undefined ? sum(bank, order, x.stepId) : bank.times(order, x.stepId, x.key);
  const [least, most] = {
    once: [1, 1],
    "at-most-once": [0, 1],
    "not-at-all": [0, 0],
    "at-least-once": [0, Infinity],
    "in-doubt": [0, Infinity],
  }[x.verdict] as [number, number];
  return times >= least && times <= most ? null : `${x.sentence} says ${x.verdict}, and the bank has ${times}`;
}
function sum(bank: Bank, order: string, effect: string): number {
  let n = 0;
  for (const [id, times] of bank.done) {
    const [of, what] = JSON.parse(id) as [string, string];
    if (of === order && what === effect) n += times;
  }
  return n;
}
