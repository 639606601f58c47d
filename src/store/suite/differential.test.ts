// One random stream of verbs against the memory store and each other store, every answer compared: the specification
// against the implementations. Both see the same clock and the same ids, so that an answer may differ only where a store is wrong.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mysqlBundle } from "../../../test/mysql/bundle.ts";
import { postgresBundle } from "../../../test/postgres/bundle.ts";
import { sqliteBundle } from "../../../test/store/bundles.ts";
import { compare, queuedStep, type Step, verbStep } from "../../../test/store/differential.ts";
import { skipsWithoutMariadb } from "../../../test/support/mariadb.ts";
import type { VirtualPlatform } from "../../platform/virtual.ts";
import type { OpenBundle } from "./bundle.ts";
import { proves } from "../../../test/support/proves.ts";
import { wholeDose } from "../../../test/support/whole-dose.ts";

interface Subject {
  readonly name: string;
  readonly bundle: (platform: VirtualPlatform) => Promise<OpenBundle>;
  /** A server answers more slowly than a file. */
  readonly numRuns: number;
  readonly skip: boolean;
}
const runsForEveryKind = 20;
const subjects: readonly Subject[] = [
  { name: "SQLite", bundle: sqliteBundle, numRuns: wholeDose ? 60 : runsForEveryKind, skip: false },
  { name: "Postgres", bundle: (platform) => postgresBundle(platform), numRuns: wholeDose ? 20 : 8, skip: false },
  { name: "MySQL", bundle: mysqlBundle, numRuns: wholeDose ? 20 : 8, skip: skipsWithoutMariadb() },
];

/** The kinds of all answers. The stream is worth something only if it reaches every one of them; the small dose of a server is the same stream, cut short. */
async function kindsOf(s: Subject, step: fc.Arbitrary<Step>, queues: boolean): Promise<ReadonlySet<string>> {
  const kinds = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: queues ? 25 : 10, maxLength: queues ? 60 : 40 }), async (steps) => {
      const onAnswer = (expected: unknown): void => {
        for (const k of JSON.stringify(expected).matchAll(/"kind":"(\w+)"/g)) kinds.add(k[1] ?? "");
      };
      const difference = await compare(s.bundle, steps, { lookEvery: queues ? 3 : 1, onAnswer, queues });
      expect(difference?.got).toEqual(difference?.expected);
      expect(difference).toBeUndefined();
    }),
    { numRuns: queues && wholeDose ? 20 : s.numRuns, seed: 20_275 },
  );
  return kinds;
}

describe.each(subjects)("memory and $name", (s) => {
  it.skipIf(s.skip)("answer every verb alike, whatever came before", { ...proves("L-22", "L-25"), timeout: 120_000 }, async () => {
    const kindsSeen = await kindsOf(s, verbStep, false);
    if (s.numRuns < runsForEveryKind) return;
    for (const k of [
      "committed",
      "duplicate",
      "fenced",
      "stale",
      "early",
      "conflict",
      "refused",
      "created",
      "accepted",
      "settled",
      "external",
      "put",
      "unknown",
    ]) {
      expect([...kindsSeen]).toContain(k);
    }
  });

  it.skipIf(s.skip)(
    "dispatch, claim and end queued steps alike, whatever came before",
    { ...proves("T-24", "T-46"), timeout: 240_000 },
    async () => {
      const kindsSeen = await kindsOf(s, queuedStep, true);
      if (s.numRuns < runsForEveryKind) return;
      const commits = ["committed", "duplicate", "fenced", "stale", "refused", "unmet"];
      for (const k of [
        ...commits,
        "claimed",
        "moved",
        "paused",
        "dead",
        "result",
        "yield",
        "verdict",
        "lapsed",
        "expired",
        "withdrawn",
        "late",
      ]) {
        expect([...kindsSeen]).toContain(k);
      }
    },
  );
});
