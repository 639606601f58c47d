// How the tests run: real processes of their own (forks), because they kill children and watch what keeps a process
// alive; a generous time limit, because no test may depend on being fast.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "tools/**/*.test.ts"],
    globalSetup: ["test/support/postgres.ts", "test/support/mariadb.ts"],
    pool: "forks",
    maxWorkers: "100%",
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
