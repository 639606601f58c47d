// The order in which test files begin: those that are long because they wait, for leases, killed servers and real time, come
// first, so that the rest runs beside them and nobody waits for a last one at the end. After them as vitest has it: the slow ones
// of the last run, or where there was none the large ones. Order must never decide whether a test passes.
import { BaseSequencer, type TestSpecification } from "vitest/node";

const first = [
  "test/dev/crash-lab.test.ts",
  "test/campaign/campaign.test.ts",
  "test/cluster/cluster.test.ts",
  "test/crash/graph.test.ts",
  "test/ownership/schedule.test.ts",
  "test/upgrade/upgrade.test.ts",
  "test/crash/windows-servers.test.ts",
  "test/ownership/recovery.test.ts",
  "src/store/suite/postgres.test.ts",
  "src/store/suite/differential.test.ts",
  "src/store/suite/mysql.test.ts",
  "src/store/suite/mysql-statements.test.ts",
];

const place = (f: TestSpecification): number => {
  const at = first.findIndex((name) => f.moduleId.endsWith(`/${name}`));
  return at === -1 ? first.length : at;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}
