// `pawl audit`: who did what through servers, and who was refused, newest first; with --verify, whether the log is whole. Exit code 9 when a
// record was changed or removed, or the end cut off. It changes nothing, unless --remove-older-than says so.
import { removeOldAudit } from "../../../access/audit-retention.ts";
import { loggedHeads, verifyAudit, type AuditVerification } from "../../../access/audit-verify.ts";
import type { AuditRecord } from "../../../access/types.ts";
import { PawlError } from "../../../errors/error.ts";
import { readText } from "../../../platform/files.ts";
import { colourAllowed, writeOut } from "../../../platform/terminal.ts";
import { paint } from "../../output/colors.ts";
import { clip, countOf, formatTable, formatTime, withoutControlChars } from "../../output/format.ts";
import { printJson, printNote } from "../../output/print.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseCount, parseDurationMs } from "../../parse-values.ts";
import { withSession } from "../../session.ts";
import type { CursorOption, JsonOption, LimitOption, StoreOptions } from "../../shared-options.ts";

export interface AuditOptions extends LimitOption, CursorOption, JsonOption, StoreOptions {
  readonly run?: string;
  readonly since?: string;
  readonly until?: string;
  readonly subject?: string;
  readonly id?: string;
  readonly verify?: boolean;
  readonly heads?: string;
  readonly removeOlderThan?: string;
}

export async function auditCommand(_args: readonly string[], o: AuditOptions): Promise<number> {
  if (o.heads !== undefined && o.verify !== true)
    throw new PawlError("PAWL4011", "--heads goes with --verify: pawl audit --verify --heads pawl.log");
  const keepMs = parseDurationMs(o.removeOlderThan, "--remove-older-than");
  if (keepMs !== undefined)
    return withSession(o, async (s) => {
      const removed = await removeOldAudit(s.store, s.scope, keepMs);
      if (o.json === true) printJson({ removed });
      else printNote(`${countOf(removed, "record")} removed`);
      return exitCodes.ok;
    });
  if (o.verify === true) {
    const heads = o.heads === undefined ? "" : readText(o.heads);
    if (heads === undefined) throw new PawlError("PAWL4011", `--heads: there is no file ${o.heads ?? ""}`);
    return withSession(o, async (s) => printVerification(await verifyAudit(s.store, s.scope, loggedHeads(heads)), o));
  }
  const limit = parseCount(o.limit, "--limit", 1);
  return withSession(o, async (s) => {
    const page = await s.client.audit({
      ...(o.run === undefined ? {} : { run: o.run }),
      ...(o.since === undefined ? {} : { since: timeOf(o.since, s.platform.wallMs()) }),
      ...(o.until === undefined ? {} : { until: timeOf(o.until, s.platform.wallMs()) }),
      ...(o.subject === undefined ? {} : { subject: o.subject }),
      ...(o.id === undefined ? {} : { id: o.id }),
      ...(limit === undefined ? {} : { limit }),
      ...(o.cursor === undefined ? {} : { cursor: o.cursor }),
    });
    if (o.json === true) printJson(page);
    else if (page.records.length === 0) printNote(page.cursor === undefined ? "no records" : "no records so far");
    else writeOut(recordTable(page.records, s.platform.wallMs()));
    if (o.json !== true && page.cursor !== undefined) printNote(`more: --cursor ${page.cursor}`);
    return exitCodes.ok;
  });
}

/** A time, or how long ago. */
function timeOf(text: string, nowMs: number): string {
  if (!/^\d+(\.\d+)?(ms|s|m|h|d|w)$/.test(text)) return text;
  return new Date(nowMs - (parseDurationMs(text, "--since") ?? 0)).toISOString();
}

function printVerification(v: AuditVerification, o: AuditOptions): number {
  if (o.json === true) printJson(v);
  else {
    for (const f of v.findings)
      writeOut(`${f.kind}  chain ${f.chain}${f.seq === 0 ? "" : ` record ${f.seq}`}: ${withoutControlChars(f.text)}\n`);
    const looked = `${countOf(v.records, "record")} in ${countOf(v.chains, "chain")}`;
    printNote(v.ok ? `${looked}: nothing was changed, removed or cut off` : `${looked}: ${countOf(v.findings.length, "finding")}`);
  }
  return v.ok ? exitCodes.ok : exitCodes.checkFailed;
}

function recordTable(records: readonly AuditRecord[], nowMs: number): string {
  const p = paint(colourAllowed("out"));
  const rows = records.map((r) => [
    formatTime(r.at, nowMs),
    r.decision,
    `${withoutControlChars(r.operation)}${r.times === undefined ? "" : ` ×${r.times}`}`,
    r.principal === undefined ? "nobody" : clip(`${r.principal.kind} ${r.principal.subject}`, 50),
    clip(r.runId ?? r.target ?? "", 40),
    r.outcome === undefined ? "" : `${r.outcome.status}${r.outcome.code === undefined ? "" : ` ${r.outcome.code}`}`,
    clip(r.reason ?? "", 50),
  ]);
  return formatTable([["AT", "DECISION", "OPERATION", "BY", "WHAT", "OUTCOME", "REASON"], ...rows], (cell, row) =>
    row === 0 ? p.dim(cell) : cell,
  );
}
