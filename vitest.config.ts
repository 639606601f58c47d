// How the tests run: real processes of their own (forks), because they kill children and watch what keeps a process
// alive; a generous time limit, because no test may depend on being fast. A test that fails is red: it is not tried again, unless it is
// quarantined by name (test/quarantine.json says why). Files share a process and what it has imported: half of the time of a unit
// test was loading the same modules again. There are more processes than cores, because many a test waits: for a child, a
// server, a lease.
import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { longFiles } from "./test/support/long-tests.ts";
import { LongestFirst } from "./test/support/test-order.ts";

export default defineConfig(({ mode }) => ({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "tools/**/*.test.ts"],
    globalSetup: ["test/support/temp-in-memory.ts", "test/support/postgres.ts", "test/support/mariadb.ts"],
    // `--mode small`, as in npm test: test/support/whole-dose.ts.
    ...(mode === "small"
      ? { setupFiles: ["test/support/set-up-dose.ts"], env: { PAWL_TEST_DOSE: mode }, exclude: [...configDefaults.exclude, ...longFiles] }
      : {}),
    pool: "forks",
    isolate: false,
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    tags: [{ name: "quarantined", description: "fails now and then; test/quarantine.json says why", retry: 2 }],
  },
}));
