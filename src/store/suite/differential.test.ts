// One random stream of verbs against the memory store and each other store, every answer compared: the specification
// against the implementations. Both see the same clock and the same ids, so that an answer may differ only where a store is wrong.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mysqlBundle } from "../../../test/mysql/bundle.ts";
import { postgresBundle } from "../../../test/postgres/bundle.ts";
import { sqliteBundle } from "../../../test/store/bundles.ts";
import { compare, verbStep } from "../../../test/store/differential.ts";
import { skipsWithoutMariadb } from "../../../test/support/mariadb.ts";
import type { VirtualPlatform } from "../../platform/virtual.ts";
import type { OpenBundle } from "./bundle.ts";
import { proves } from "../../../test/support/proves.ts";

interface Subject {
  readonly name: string;
  readonly bundle: (platform: VirtualPlatform) => Promise<OpenBundle>;
  /** A server answers more slowly than a file. */
  readonly numRuns: number;
  readonly skip: boolean;
}
const subjects: readonly Subject[] = [
  { name: "SQLite", bundle: sqliteBundle, numRuns: 60, skip: false },
  { name: "Postgres", bundle: (platform) => postgresBundle(platform), numRuns: 20, skip: false },
  { name: "MySQL", bundle: mysqlBundle, numRuns: 20, skip: skipsWithoutMariadb() },
];

describe.each(subjects)("memory and $name", ({ bundle, numRuns, skip }) => {
  it.skipIf(skip)("answer every verb alike, whatever came before", { ...proves("L-22", "L-25"), timeout: 120_000 }, async () => {
    const kindsSeen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(verbStep, { minLength: 10, maxLength: 40 }), async (steps) => {
        const onAnswer = (expected: unknown): void => {
          for (const k of JSON.stringify(expected).matchAll(/"kind":"(\w+)"/g)) kindsSeen.add(k[1] ?? "");
        };
        const difference = await compare(bundle, steps, { lookEvery: 1, onAnswer });
        expect(difference?.got).toEqual(difference?.expected);
        expect(difference).toBeUndefined();
      }),
      { numRuns, seed: 20_275 },
    );
    // The stream is worth something only if it reaches every answer.
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
});
