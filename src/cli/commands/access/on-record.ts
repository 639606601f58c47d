// What is done to access on a store itself is recorded in its audit log, like what is done through a server: before it begins, and how it ended.
// Whose hands were on the store, the log cannot know. Over a server, the server records it.
import { AuditLog } from "../../../access/audit-log.ts";
import type { AuditedAct } from "../../../access/audit-types.ts";
import { statusOf } from "../../../api/statuses.ts";
import { toPawlError } from "../../output/report-error.ts";
import type { CliSession } from "../../session.ts";

export async function onRecord<T>(s: CliSession, act: AuditedAct, body: () => Promise<T>): Promise<T> {
  if (/^https?:/.test(s.url)) return body();
  const { store, platform, scope } = s;
  const log = new AuditLog({ store, platform, scope, log: () => {} });
  try {
    const begun = await log.begin({ ...act, principal: { kind: "person", subject: "store" } });
    try {
      const done = await body();
      begun.end(200);
      return done;
    } catch (e) {
      const failed = toPawlError(e);
      begun.end(statusOf(failed).http, failed.page);
      throw e;
    }
  } finally {
    await log.close();
  }
}
