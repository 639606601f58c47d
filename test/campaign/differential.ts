// One random stream of port verbs against the memory store and another, every answer compared. A fault here is a step: the
// stores are not disturbed, they are held to the specification. A difference is told with the seed that makes it again.
import fc from "fast-check";
import { mysqlBundle } from "../mysql/bundle.ts";
import { postgresBundle } from "../postgres/bundle.ts";
import { sqliteBundle } from "../store/bundles.ts";
import { compare, queuedStep, type Step, verbStep } from "../store/differential.ts";
import { limitConcurrency } from "../support/child-process.ts";
import type { Violation } from "./check.ts";
import type { Part } from "./engine-processes.ts";
import { withBug } from "./programs/bugs.ts";

const bundles = { sqlite: sqliteBundle, postgres: postgresBundle, mysql: mysqlBundle } as const;
/** Steps of one stream: long enough to fill a store, short enough that its four runs are not all settled. */
const perStream = 100;
/** Answers are compared at every step, all that a reader can see at every tenth. */
const lookEvery = 10;
/** Most of the time a stream waits for its server's answer. */
const atATime = 8;

export const differential: Part = {
  name: "differential",
  stores: ["sqlite", "postgres", "mysql"],
  canary: { bug: "alters an answer", shows: ["differs"], faults: 200 },
  async run({ store, faults, seed, bug, say }) {
    const violations: Violation[] = [];
    const wrap = bug === undefined ? {} : { wrap: (s: Parameters<typeof withBug>[0]) => withBug(s, bug) };
    const streamOf = (step: fc.Arbitrary<Step>): fc.Arbitrary<Step[]> => fc.array(step, { minLength: perStream, maxLength: perStream });
    let steps = 0;
    const one = async (n: number): Promise<void> => {
      // Every other stream is about queued steps.
      const queues = n % 2 === 1;
      const [verbs = []] = fc.sample(streamOf(queues ? queuedStep : verbStep), { numRuns: 1, seed: seed + n });
      const ask = (every: number): ReturnType<typeof compare> =>
        compare((platform) => bundles[store](platform), verbs, { lookEvery: every, queues, ...wrap });
      let difference = await ask(lookEvery);
      if (difference !== undefined) difference = (await ask(1)) ?? difference; // where it began
      if (difference !== undefined) {
        const what = `stream ${seed + n}, step ${difference.at} (${difference.what})`;
        violations.push({ kind: "differs", what });
        say(`differs: ${what}`);
      }
      steps += perStream;
      if (steps % (perStream * 50) === 0) say(`${steps} of ${faults} steps`);
    };
    const gate = limitConcurrency(atATime);
    await Promise.all(Array.from({ length: Math.ceil(faults / perStream) }, (_, n) => gate(() => one(n))));
    return { faults: steps, runs: 0, effects: 0, resent: 0, inDoubt: 0, violations };
  },
};
