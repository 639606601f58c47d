// `pawl doctor`: is this store well, and is anything stuck? Exit code 9 when a check of the store failed, 8 when something
// waits for a person, else 0: warnings do not fail a script. It changes nothing, unless
// --restored or --repair says so.
import { PawlError } from "../../../errors/error.ts";
import { colourAllowed, writeOut } from "../../../platform/terminal.ts";
import { diagnose, type DoctorCheck, type Diagnosis } from "../../doctor/diagnose.ts";
import type { RestoredOptions } from "../../doctor/mark-restored.ts";
import type { DoctorRepairOptions, DoctorVerifyOptions } from "../../doctor/verify-store.ts";
import { exitCodes } from "../../output/report-error.ts";
import { paint, type Paint } from "../../output/colors.ts";
import { printJson } from "../../output/print.ts";
import { withSession } from "../../session.ts";
import { countOf, formatTable, withoutControlChars } from "../../output/format.ts";

export interface DoctorOptions extends DoctorVerifyOptions, DoctorRepairOptions, RestoredOptions {
  readonly verify?: boolean;
  readonly repair?: boolean;
  readonly restored?: boolean;
}

export async function doctorCommand(_args: readonly string[], o: DoctorOptions): Promise<number> {
  if (o.verify !== true && (o.key ?? o.witness) !== undefined)
    throw new PawlError("PAWL4011", "--key and --witness go with --verify: pawl doctor --verify --key seal.pem.pub");
  return withSession(o, async (s) => {
    if (o.restored === true) return (await import("../../doctor/mark-restored.ts")).pauseAfterRestore(s, o);
    if (o.repair === true) return (await import("../../doctor/verify-store.ts")).doctorRepair(s, o);
    if (o.verify === true) return (await import("../../doctor/verify-store.ts")).doctorVerify(s, o);
    const d = await diagnose(s.client, s.storeLabel);
    if (o.json === true) printJson(d);
    else print(d, paint(colourAllowed("out")));
    if (d.checks.some((c) => c.state === "failed" && c.check !== "decision")) return exitCodes.checkFailed;
    return d.decisions.length > 0 ? exitCodes.decision : exitCodes.ok;
  });
}

const marks: Readonly<Record<DoctorCheck["state"], string>> = { ok: "✔", warning: "!", failed: "✖" };

function print(d: Diagnosis, p: Paint): void {
  const waits = Object.entries(d.unsettled.byWaiting).map(([what, n]) => `${n} ${what === "paused" ? "paused" : `waiting for ${what}`}`);
  writeOut(`${d.store.store} store ${d.store.storeId}  ${withoutControlChars(d.url)}\n`);
  writeOut(
    `${d.unsettled.complete ? "" : "at least "}${countOf(d.unsettled.total, "unfinished run")}${waits.length === 0 ? "" : `: ${waits.join(", ")}`}\n`,
  );
  const rows = d.checks.map((c) => [marks[c.state], c.check, withoutControlChars(c.detail)]);
  writeOut(formatTable(rows, (cell, row, column) => (column === 0 ? painted(d.checks[row]?.state, cell, p) : cell)));
  for (const e of d.store.engines)
    writeOut(
      `  engine ${e.engineId}  ${e.alive ? "alive" : "dead"}  ${e.serves.map((s) => withoutControlChars(`${s.workflow}@${s.version}`)).join(", ") || "serves nothing"}\n`,
    );
  for (const c of d.checks) if (c.fix !== undefined) writeOut(`fix ${c.check}: ${withoutControlChars(c.fix)}\n`);
}

function painted(state: DoctorCheck["state"] | undefined, cell: string, p: Paint): string {
  if (state === "ok") return p.green(cell);
  return state === "failed" ? p.red(cell) : p.yellow(cell);
}
