// How the tests run: real processes of their own (forks), because they kill children and watch what keeps a process
// alive; a generous time limit, because no test may depend on being fast. A test that fails is tried once more, and only a
// second failure is red: a machine that gives a process no time for longer than its lease makes it lose what it owns, as it
// should. Mutants are looked for without that grace. Files share a process and what it has imported: half of the time of a unit
// test was loading the same modules again.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "tools/**/*.test.ts"],
    globalSetup: ["test/support/memory.ts", "test/support/postgres.ts", "test/support/mariadb.ts"],
    pool: "forks",
    isolate: false,
    maxWorkers: "100%",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    retry: 1,
  },
});
