// How crowded a database is when its plans are looked at: PAWL_TEST_PLAN_RUNS ended runs, made by the server itself, and a tenth
// as many that sleep. None unless it is set: a million take a while. For tests; nothing in the package imports it.
const columns =
  "run_id, scope, workflow_id, generation, workflow, version, status, waiting, owner, epoch, token, state_version, commit_id, head_seq, " +
  "head_link, persisted_at, due_at, created_at, tags, input_digest, root_run_id, idle_claims, exact_version";
const farAway = "9000000000000";

export const extraRuns = Number(process.env["PAWL_TEST_PLAN_RUNS"] ?? 0);
/** For tests that make one: the server is waited for. */
export const extraRunsTimeoutMs = extraRuns === 0 ? 60_000 : 900_000;

/** What fills `table`: `numbers` gives so many rows with a column `seq`, and `no` is the server's word for false. */
export function insertExtraRuns(table: string, scope: string, numbers: (n: number) => string, no: string): string[] {
  if (extraRuns === 0) return [];
  const made = (prefix: string, n: number, status: string, due: string): string => {
    const id = `concat('${prefix}', seq)`;
    return (
      `insert into ${table} (${columns}) select ${id}, '${scope}', ${id}, 1, 'order', '1', '${status}', null, null, 1, 't', 1, 'c', 2, 'l', ` +
      `seq, ${due}, seq, '{}', 'd', ${id}, 0, ${no} from ${numbers(n)}`
    );
  };
  return [made("ended-", extraRuns, "COMPLETED", "null"), made("asleep-", Math.ceil(extraRuns / 10), "RUNNING", farAway)];
}
