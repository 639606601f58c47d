// What a session of ctx.tx does that does not answer, as its server sees it, asked on another one. One that has nothing to do is
// ended, so that what it holds is free: its client has given it up, and it may not have noticed. Behind a pooler nobody can say.
import type { SessionState } from "../../sql/tx-limit.ts";
import type { Connection } from "../wire/driver.ts";

const text =
  "select state, wait_event_type as waits from pg_stat_activity where pid = $1 and pid <> pg_backend_pid() and backend_type = 'client backend'";

export async function sessionState(c: Connection, pid: number, pooled: boolean): Promise<SessionState> {
  if (pooled) return "unknown";
  const [row] = (await c.query({ text, values: [pid] })).rows;
  if (row === undefined) return "idle"; // it is gone, and rolled back
  if (row["state"] === "active" && row["waits"] === "Lock") return "blocked";
  if (row["state"] === "active" && row["waits"] !== "Client") return "executing";
  await c.query({ text: "select pg_terminate_backend($1)", values: [pid] });
  return "idle";
}
