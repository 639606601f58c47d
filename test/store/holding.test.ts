// A connection keeps its process alive while anybody awaits an answer of it, and no longer: seen from outside, with a process
// that has nothing else to wait for.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dropDatabase, freshDatabase } from "../mysql/bundle.ts";
import { sharedMariadb, skipsWithoutMariadb } from "../support/mariadb.ts";
import { sharedPostgres } from "../support/postgres.ts";
import { compiledTree } from "../support/compiled-tree.ts";

const program = join(compiledTree(), "test/store/programs/holding.js");
const ends = (url: string): readonly [string, number | null] => {
  const { stdout, status } = spawnSync(process.execPath, [program, url], { encoding: "utf8" });
  return [stdout.trim(), status];
};

it("two answers are awaited on one connection of Postgres, and the process is there for both", { timeout: 60_000 }, async () => {
  expect(ends(await sharedPostgres())).toEqual(["both", 0]);
});

it.skipIf(skipsWithoutMariadb())("the same on MySQL", { timeout: 60_000 }, async () => {
  const url = await freshDatabase(await sharedMariadb());
  expect(ends(url)).toEqual(["both", 0]);
  await dropDatabase(url);
});
