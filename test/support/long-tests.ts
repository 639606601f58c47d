// What the small dose leaves out because it takes long: whole files, or some tests of a file by their titles. Each has shorter ones beside it on the
// same ground; long-tests.test.ts holds every area to that. It must never name what only one test shows of the crash table in GUARANTEES.md.

interface LongTests {
  /** The end of the file's path. */
  readonly file: RegExp;
  /** Suites and titles are joined by " > ". */
  readonly titles: RegExp;
}

/** Many processes, browsers, installed packages: not even loaded, so that nothing is set up for tests that are not run. */
export const longFiles: readonly string[] = [
  // The same suite as postgres.test.ts, without what a newer server or driver can do.
  "src/store/suite/postgres-plain.test.ts",
  "test/agents/{given-up-killed,stream,windows}.test.ts",
  "test/adapters/{guard,mcp-killed}.test.ts",
  "test/cli/{crashtest,project,replay,seal,webhooks}.test.ts",
  "test/cluster/cluster.test.ts",
  "test/crash/{engine-hits,turns}.test.ts",
  "test/dashboard/{acts,elements,evidence-page,hostile,hostile-operations,keyboard,many-runs,plans}.test.ts",
  "test/dev/{crash-lab,lab-page,reload}.test.ts",
  "test/docs/{effects,first-service,hover,quick-start,testing}.test.ts",
  "test/examples/{matrices,mounted,recipes,saga}.test.ts",
  "test/graph/{determinism,fork}.test.ts",
  "test/mysql/faults.test.ts",
  "test/operate/batches.test.ts",
  "test/postgres/{faults,report-power-cut}.test.ts",
  "test/props/run-chain-verdicts.test.ts",
  "test/queues/kills.test.ts",
  "test/readers/crash.test.ts",
  "test/schedules/{processes,year}.test.ts",
  "test/server/{browser,crowded,killed,mcp-stdio,operating-processes,start}.test.ts",
  "test/webhooks/crash.test.ts",
];

/** Tests of files that stay, by suite and title. */
export const longTests: readonly LongTests[] = [
  // On memory it is the same engine, and the crash windows are on SQLite with real processes.
  { file: /\/src\/engine\/(scenarios|effects|decisions)\/.*\.test\.ts$/, titles: /sqlite/ },
  { file: /\/src\/engine\/run\/slow-pause\.test\.ts$/, titles: /sqlite/ },
  { file: /\/src\/engine\/steps\/transaction\.test\.ts$/, titles: /killed at add:[BDE]/ },
  { file: /\/test\/archive\/killed\.test\.ts$/, titles: /a move killed after each|gc killed/ },
  { file: /\/test\/campaign\/campaign\.test\.ts$/, titles: /'(clocks|database|operators|schedules|unknown|worker-zombies)'/ },
  {
    file: /\/test\/cli\/control\.test\.ts$/,
    titles: /reads ids from standard input|a run that has ended never changes|a resumed run goes on/,
  },
  {
    file: /\/test\/cli\/inspect\.test\.ts$/,
    titles: /--tenant|tail prints|input, views, result|makes no store on a server|ls lists runs|colours/,
  },
  {
    file: /\/test\/cli\/run\.test\.ts$/,
    titles: /a name is recorded|in doubt ends the wait|cannot be run is refused|calls run\(\) itself|the input comes|an interrupt/,
  },
  { file: /\/test\/crash\/windows\.test\.ts$/, titles: /compensation killed/ },
  { file: /\/test\/dag\/operate\.test\.ts$/, titles: /sqlite.*two finalisers/ },
  { file: /\/test\/dashboard\/actions\.test\.ts$/, titles: /a process that dies|all runs that match/ },
  { file: /\/test\/dashboard\/screens\.test\.ts$/, titles: /dark theme/ },
  { file: /\/test\/dev\/end\.test\.ts$/, titles: /opens one session|replaces a child/ },
  {
    file: /\/test\/examples\/examples\.test\.ts$/,
    titles: /(retrying|operating|etl-dag|webhooks|cron-invoicing|telemetry|retries|chat\/main) shows|the saga runs/,
  },
  { file: /\/test\/graph\/operate\.test\.ts$/, titles: /1,000 graphs at once|sqlite.*(100 graphs|10,000 items)/ },
  { file: /\/test\/graph\/undo\.test\.ts$/, titles: /on memory/ },
  { file: /\/test\/ownership\/schedule\.test\.ts$/, titles: /on sqlite/ },
  { file: /\/test\/queues\/conform\.test\.ts$/, titles: /begins a step too late|does not stop when it is cancelled/ },
  { file: /\/test\/questions\/ask\.test\.ts$/, titles: /sqlite.*for two days/ },
  { file: /\/test\/server\/access-processes\.test\.ts$/, titles: /refused by every process|reachable from elsewhere/ },
  { file: /\/test\/server\/streams\.test\.ts$/, titles: /cut again and again/ },
  {
    file: /\/test\/zero\/run\.test\.ts$/,
    titles: /PAWL_STORE before|recorded failure|recovers other runs|waits for a person|attaches to the run|nearest \.pawl/,
  },
];

export const isLong = (path: string, title: string): boolean => longTests.some(({ file, titles }) => file.test(path) && titles.test(title));
