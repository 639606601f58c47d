// What the operators part works on: a bank's book, and a workflow that asks the bank for one effect of every class. The same workflow
// runs on a virtual clock with the bank beside it, and in processes with the bank behind a network. It must never read what an engine
// writes: the book says what happened.
import { workflow, type StepError, type Verdict } from "../../../src/index.ts";
import type { AnyWorkflow, StepOpts, StepScope } from "../../../src/workflow/types.ts";

/** How long a request may take, and how long after that it may still arrive. */
export const timeoutMs = 400;
export const settleMs = 400;
/** A request that has not arrived by then is lost: well before an engine may believe that it cannot arrive any more. */
export const lostAfterMs: number = timeoutMs + settleMs / 2;

export const effects = ["keyed", "asked", "verified", "once", "plain"] as const;
export type Effect = (typeof effects)[number];
export const dedups = (effect: string): boolean => effect === "keyed" || effect === "asked";

/** One line of the bank's ledger: the charge of an effect, or its undoing under an id of its own. */
export type Entry =
  | { readonly what: "done"; readonly order: string; readonly effect: string; readonly key: string }
  | { readonly what: "undone"; readonly order: string; readonly effect: string; readonly key: string; readonly id: string };

/** What the ledger says. */
export class Book {
  readonly #done = new Map<string, number>();
  readonly #undone = new Map<string, Set<string>>();

  add(e: Entry): void {
    const id = idOf(e.order, e.effect, e.key);
    if (e.what === "done") this.#done.set(id, (this.#done.get(id) ?? 0) + 1);
    else this.#undone.set(id, (this.#undone.get(id) ?? new Set()).add(e.id));
  }
  /** How often it took place, whether or not it was undone. */
  times(order: string, effect: string, key: string): number {
    return this.#done.get(idOf(order, effect, key)) ?? 0;
  }
  /** The same under every key. */
  timesOfAll(order: string, effect: string): number {
    return this.#sum(order, effect, (id) => this.#done.get(id) ?? 0);
  }
  /** It took place and was not undone. */
  has(order: string, effect: string, key: string): boolean {
    return this.#left(idOf(order, effect, key)) > 0;
  }
  hasAny(order: string, effect: string): boolean {
    return this.#sum(order, effect, (id) => Math.max(0, this.#left(id))) > 0;
  }
  #left(id: string): number {
    return (this.#done.get(id) ?? 0) - (this.#undone.get(id)?.size ?? 0);
  }
  #sum(order: string, effect: string, of: (id: string) => number): number {
    let n = 0;
    for (const id of this.#done.keys()) {
      const [o, e] = JSON.parse(id) as [string, string];
      if (o === order && e === effect) n += of(id);
    }
    return n;
  }
}
const idOf = (order: string, effect: string, key: string): string => JSON.stringify([order, effect, key]);

/** The bank's rule: a receiver that deduplicates takes a key once. `forgets`: the planted bug, it does not. */
export function takes(book: Book, e: { order: string; effect: string; key: string }, forgets: boolean): boolean {
  return forgets || !dedups(e.effect) || book.times(e.order, e.effect, e.key) === 0;
}

/** How the workflow reaches the bank. */
export interface BankLine {
  send(order: string, effect: Effect, s: StepScope): Promise<string>;
  verify(order: string, effect: Effect, s: StepScope): Promise<Verdict<string>>;
  undo(order: string, effect: Effect, key: string, s: StepScope): Promise<void>;
}

export function tellerWorkflow(bank: BankLine): AnyWorkflow {
  const options = (order: string, effect: Effect): StepOpts<string> => {
    const undo = { compensate: (result: string, s: StepScope) => bank.undo(order, effect, result.replace("done ", ""), s) };
    const verify = (s: StepScope): Promise<Verdict<string>> => bank.verify(order, effect, s);
    const limits = { timeout: timeoutMs, settle: settleMs, retry: { attempts: 2, initial: 50 } } as const;
    switch (effect) {
      case "keyed":
        return { key: `${order}-keyed`, dedup: "1d", ...undo, ...limits };
      case "asked":
        return { key: `${order}-asked`, dedup: "1d", verify, ...undo, ...limits };
      case "verified":
        return { verify, ...undo, ...limits };
      case "once": // a person alone can find out
        return { once: true, ...undo, timeout: timeoutMs, retry: limits.retry };
      default:
        return { repeatable: true, timeout: timeoutMs, retry: limits.retry };
    }
  };
  return workflow({ name: "teller" }, async (ctx) => {
    const order = ctx.run.workflowId;
    const done: string[] = [];
    for (const effect of effects) {
      const step = ctx.step<string>(effect, (s) => bank.send(order, effect, s), options(order, effect));
      done.push(await step.catch((e: StepError) => e.category));
      if (effect === "asked") await ctx.sleep("nap", 100);
    }
    if (isBadDay(ctx.run.runId)) ctx.fail("a bad day");
    return done;
  });
}

/** One run in three fails at its end, and undoes what it did; the same one every time it is read back. */
function isBadDay(runId: string): boolean {
  let n = 0;
  for (const c of runId) n = (n * 31 + c.charCodeAt(0)) % 1_000_003;
  return n % 3 === 0;
}
