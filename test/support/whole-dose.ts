// How much a run of tests does. `npm test` takes a small dose (vitest's mode "small"): the longest tests do less of the same or are left out
// (long-tests.ts), and what engines do is tried on memory, much of it on SQLite. What stores do is tried on all of them in any dose. `npm run test:whole`, .ci/run, the planted bugs and a
// test file that is run by itself take the whole dose. It must never decide what is expected, only how often and where it is looked at.
import { beforeEach } from "vitest";
import { isLong } from "./long-tests.ts";

export const smallMode = "small";
/** Set by vitest.config.ts for every test process. */
export const doseVariable = "PAWL_TEST_DOSE";
export const wholeDose: boolean = process.env[doseVariable] !== smallMode;

/** Folders of tests that are about databases. */
const ofStores = /\/(src\/store|test\/(store|postgres|mysql|rights|campaign))\//;
const onServer = /postgres|mysql|mariadb/i;
/** The crash table of GUARANTEES.md holds on servers too: its test stays. */
const kept = /\/windows-servers\.test\.ts$/;

/** For the set-up of a test file: leaves out what the small dose does not look at. */
export function leaveOutOfSmallDose(): void {
  if (wholeDose) return;
  beforeEach((test) => {
    const { file, fullTestName } = test.task;
    const title = fullTestName ?? test.task.name;
    if (isLong(file.filepath, title)) test.skip("long: npm run test:whole");
    const server = onServer.test(title) && !ofStores.test(file.filepath) && !kept.test(file.filepath);
    if (server) test.skip("on a server: npm run test:whole");
  });
}
