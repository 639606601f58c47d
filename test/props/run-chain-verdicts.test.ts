// Method: operators act at random on live runs whose effects go to a bank outside that loses requests and replies; engines die and runs
// move between two stores meanwhile. Then every verdict of every run is compared with the bank's own ledger. Virtual clock: seeds are
// cheap, and a seed that fails is printed with the acts that led there. With real processes: `npm run campaign -- --only operators`.
import { describe, expect, it } from "vitest";
import { defaultScope } from "../../src/client/environment.ts";
import { localClient } from "../../src/client/local-client.ts";
import { checkLimits } from "../../src/core/limits.ts";
import { NotSent } from "../../src/index.ts";
import { seeded, type Random } from "../campaign/engine-processes.ts";
import { Book, settleMs, takes, tellerWorkflow, timeoutMs, type BankLine } from "../campaign/programs/teller.ts";
import { operate, type Side, type BankEntry } from "../campaign/random-operator.ts";
import { openTestCluster, type TestCluster, type StoreKind } from "../support/test-cluster.ts";
import { proves } from "../support/proves.ts";
import { wholeDose } from "../support/whole-dose.ts";

/** A bank beside the engines, with the faults of the one in a process of its own (programs/teller-bank.ts). */
function bankLine(l: TestCluster, book: Book, random: Random, forgets: boolean): BankLine {
  return {
    send(order, effect, s) {
      const arrives = (): void => {
        const e = { order, effect, key: s.key };
        if (takes(book, e, forgets)) book.add({ what: "done", ...e });
      };
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
          l.platform.timer(timeoutMs + random(settleMs / 4), arrives);
          return hang();
        case 4:
          return Promise.reject(new NotSent("the bank takes nothing now"));
        case 5: // slow
          return new Promise((resolve) => l.platform.timer(random(timeoutMs / 2), () => (arrives(), resolve(`done ${s.key}`))));
        default:
          arrives();
          return Promise.resolve(`done ${s.key}`);
      }
    },
    async verify(order, effect, s) {
      if (random(10) === 0) return { state: "indeterminate", reason: "busy" };
      return book.has(order, effect, s.key) ? { state: "completed-with-result", result: `done ${s.key}` } : { state: "not-completed" };
    },
    async undo(order, effect, key, s) {
      book.add({ what: "undone", order, effect, key, id: s.key });
    },
  };
}

interface Bugs {
  readonly forgets?: boolean;
  readonly keeps?: boolean;
}

async function play(kinds: readonly [StoreKind, StoreKind], seed: number, acts: number, bugs: Bugs = {}): Promise<BankEntry> {
  const first = await openTestCluster(kinds[0], seed);
  const labs = [first, await openTestCluster(kinds[1], seed, first.platform)] as const;
  const random = seeded(seed * 7_919);
  const book = new Book();
  const wf = tellerWorkflow(bankLine(first, book, random, bugs.forgets === true));
  const side = async (l: TestCluster): Promise<Side> => {
    const { store, platform } = l;
    let e = await l.engine([wf], { lease: "1s" });
    return {
      client: localClient({ store, platform, scope: defaultScope, limits: checkLimits(), engine: null, retainMs: null }),
      async kill() {
        e.kill();
        e = await l.engine([wf], { lease: "1s" });
      },
    };
  };
  try {
    const place = {
      sides: [await side(labs[0]), await side(labs[1])] as const,
      book: async () => book,
      nowMs: () => first.platform.monotonicMs(),
      pass: (ms: number) => first.platform.advance(ms),
      until: <T>(p: Promise<T>) => first.advanceUntil(p),
    };
    return await operate({ place, random, acts, name: `order-${seed}`, keeps: bugs.keeps === true });
  } finally {
    for (const l of labs) await l.close();
  }
}

describe("verdicts of lines of runs", () => {
  it.each([
    ["memory", "memory", wholeDose ? 60 : 20, 14],
    ["sqlite", "memory", wholeDose ? 6 : 3, 14],
  ] as const)(
    "%s and %s: no verdict promises more than the bank's ledger shows, and no run is stuck or lost",
    { ...proves("K19", "K4", "I6", "I7", "I12"), timeout: 300_000 },
    async (here, there, seeds, acts) => {
      const problems: string[] = [];
      let [effects, moves, certain] = [0, 0, 0];
      for (let seed = 1; seed <= seeds; seed++) {
        const told = await play([here, there], seed, acts);
        effects += told.effects;
        moves += told.moves;
        certain += told.certain;
        problems.push(...[...told.lies, ...told.lost].map((p) => `seed ${seed}: ${p}`));
      }
      expect(problems).toEqual([]);
      expect(moves).toBeGreaterThan(seeds / 4);
      expect(certain).toBeGreaterThan(effects / 4);
    },
  );

  it.each([
    ["a bank that forgets its keys", { forgets: true }, "the bank has 2"],
    ["an order that is moved and goes on where it was", { keeps: true }, "cannot come in"],
  ] as const)("%s is noticed", { timeout: 120_000 }, async (_, bugs, what) => {
    const problems: string[] = [];
    for (let seed = 1; seed <= 40 && !problems.join().includes(what); seed++) {
      const told = await play(["memory", "memory"], seed, 14, bugs);
      problems.push(...told.lies, ...told.lost);
    }
    expect(problems.join()).toContain(what);
  });
});
