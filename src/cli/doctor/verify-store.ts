// `pawl doctor --verify` and `--repair`: every log is folded again and every derived table compared with it. Exit code 9 when
// something does not agree, with a line for each: table, run, place, field, what the log says, what is there. Verifying
// changes nothing, unless --resume asks it to keep its place; repairing writes only with --yes.
import type { Finding } from "../../client/audit/finding.ts";
import type { RepairReport } from "../../client/audit/repair.ts";
import type { StoreVerification, VerifyProgress } from "../../client/audit/verify-store.ts";
import { PawlError } from "../../errors/error.ts";
import { requirePublicKeys } from "../../log/seal-key-file.ts";
import { readText } from "../../platform/files.ts";
import { writeOut } from "../../platform/terminal.ts";
import type { DryRunOption, JsonOption, StoreOptions, YesOption } from "../shared-options.ts";
import { exitCodes } from "../output/report-error.ts";
import { parseMoment } from "../parse-values.ts";
import { listenForInterrupt } from "../runs/interrupt.ts";
import { printNote, printJson } from "../output/print.ts";
import { ProgressLine } from "../output/progress-line.ts";
import type { CliSession } from "../session.ts";
import { clip, countOf, formatTable } from "../output/format.ts";

export interface DoctorVerifyOptions extends JsonOption, StoreOptions {
  readonly run?: string;
  readonly since?: string;
  readonly key?: string;
  readonly witness?: string;
  readonly resume?: boolean;
}
export interface DoctorRepairOptions extends YesOption, DryRunOption, JsonOption {
  readonly run?: string;
  readonly resume?: boolean;
}

export async function doctorVerify(s: CliSession, o: DoctorVerifyOptions): Promise<number> {
  if (o.tenant !== undefined) printNote("--verify checks every tenant of the store: --tenant does not narrow it (--run and --since do)");
  const line = new ProgressLine(s.platform);
  const interrupt = listenForInterrupt();
  const stop = new AbortController();
  void interrupt.requested.then(() => stop.abort());
  const since = o.since === undefined ? undefined : parseMoment(o.since, "--since", Date.parse((await s.client.info()).now));
  const witness = o.witness === undefined ? undefined : readText(o.witness);
  if (o.witness !== undefined && witness === undefined) throw new PawlError("PAWL4065", `--witness: there is no file ${o.witness}`);
  const report = await s.client
    .verifyStore({
      everyTenant: true,
      ...(o.run === undefined ? {} : { run: o.run }),
      ...(since === undefined ? {} : { since }),
      ...(o.resume === true ? { resume: true } : {}),
      ...(o.key === undefined ? {} : { key: requirePublicKeys(o.key) }),
      ...(witness === undefined ? {} : { witness }),
      progress: (p) => showProgress(line, p),
      signal: stop.signal,
    })
    .finally(() => interrupt.stopListening());
  line.clear();
  if (o.json === true) printJson(report);
  else print(report);
  if (!report.complete) return exitCodes.interrupted;
  return report.ok ? exitCodes.ok : exitCodes.checkFailed;
}

export async function doctorRepair(s: CliSession, o: DoctorRepairOptions): Promise<number> {
  if (o.resume === true) throw new PawlError("PAWL4011", "--resume goes with --verify, not with --repair");
  const line = new ProgressLine(s.platform);
  const write = o.yes === true && o.dryRun !== true;
  const report = await s.client.repairStore({
    everyTenant: true,
    ...(o.run === undefined ? {} : { run: o.run }),
    write,
    progress: (p) => showProgress(line, p),
  });
  line.clear();
  if (o.json === true) printJson(report);
  else printRepair(report);
  return report.left.length > 0 || (!write && report.repaired.length > 0) ? exitCodes.checkFailed : exitCodes.ok;
}

/** A time, or how long ago, as 24h. */
function showProgress(line: ProgressLine, p: VerifyProgress): void {
  line.update(p.events, p.eventsTotal, "events");
}

function print(r: StoreVerification): void {
  if (r.resumedAfter !== undefined) printNote(`continued after run ${r.resumedAfter}`);
  printFindings(r.findings);
  if (r.more > 0) writeOut(`and ${r.more} more\n`);
  for (const runId of r.busy) printNote(`run ${runId} kept changing: its log was checked, the tables beside it were not`);
  const what = `${countOf(r.runs, "run")}, ${countOf(r.events, "event")}`;
  if (!r.complete) printNote(`stopped after ${what}; with --resume the next check continues from there`);
  else if (r.ok) writeOut(`${what}: every table agrees with the log${sealSummary(r)}\n`);
  else
    writeOut(
      `${what}: ${countOf(r.findings.length + r.more, "finding")}${r.findings.some(isRepairable) ? "; see pawl doctor --repair" : ""}\n`,
    );
  const { unsealed = 0 } = r.seals ?? {};
  if (unsealed > 0) writeOut(`${unsealed === 1 ? "1 run" : `${unsealed} runs`} ended without a seal: ${withoutKey}\n`);
  for (const limit of r.limits) writeOut(`not checked: ${limit}\n`);
}

/** What a log should have that is sealed or witnessed, no repair can make. */
const isRepairable = (f: Finding): boolean => f.table !== "seals" && f.table !== "witness";
const withoutKey =
  "usually an engine or a command that ended it had no key. Set PAWL_SEAL_KEY, or seal: { keyFile }, for every one of them. " +
  "If all of them have it, somebody removed the seal. A run that has ended cannot be sealed any more";

function sealSummary({ seals }: StoreVerification): string {
  if (seals === undefined) return "";
  return `; ${seals.seals} seals of key ${seals.keys.join(", ")}: ${seals.ended} runs are sealed to their end${seals.complete ? ", none is missing" : ""}`;
}

function printFindings(findings: readonly Finding[]): void {
  if (findings.length === 0) return;
  const text = (v: Finding["found"]): string => clip(v === null ? "nothing" : String(v), 48);
  const rows = findings.map((f) => [f.table, f.runId, f.seq === undefined ? "" : String(f.seq), f.field, text(f.expected), text(f.found)]);
  writeOut(formatTable([["table", "run", "seq", "field", "in the log", "found"], ...rows]));
}

function printRepair(r: RepairReport): void {
  printFindings([...r.repaired, ...r.left]);
  writeOut(`${r.runs} runs, ${r.events} events: ${r.repaired.length} ${r.written ? "repaired" : "can be repaired, with --yes"}`);
  writeOut(r.left.length === 0 ? "\n" : `, ${r.left.length} cannot: the log does not have the data, or is itself damaged\n`);
}
