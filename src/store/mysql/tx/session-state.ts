// What a session of ctx.tx does that does not answer, as its server sees it, asked on another one. One that has nothing to do is
// ended, so that what it holds is free: its client has given it up, and it may not have noticed.
import type { SessionState } from "../../sql/tx-limit.ts";
import type { Connection } from "../wire/driver.ts";

export async function sessionState(db: Connection, session: number): Promise<SessionState> {
  const { rows } = await db.query(`select command from information_schema.processlist where id = ${session}`);
  const command = rows[0]?.["command"];
  if (command === undefined) return "idle"; // it is gone, and rolled back
  if (command !== "Sleep") return "executing";
  await db.query(`kill ${session}`).catch(() => {}); // it may have ended by itself
  return "idle";
}
