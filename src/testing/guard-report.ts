// What is said when workflow code reaches for the machine (src/platform/determinism-guard.ts): the line, the lines around it, and what to
// write instead. Refused in tests, so that a test turns red; a warning in development, once for each place.
import type { Calls } from "../engine/calls.ts";
import type { Logger } from "../engine/run-host.ts";
import { PawlError } from "../errors/error.ts";
import type { MachineUse } from "../platform/run-context.ts";
import { callerLocation, codeFrame, locationText } from "../platform/source-location.ts";

/** "refuse": the call throws PAWL1017. "warn": it is reported and continues. */
export type GuardMode = "refuse" | "warn" | "off";

export function guardReport(mode: GuardMode, log: Logger): ((use: MachineUse, run: Calls["run"]) => void) | undefined {
  if (mode === "off") return undefined;
  const seen = new Set<string>();
  return (use, run) => {
    const place = callerLocation();
    const where = place === undefined ? run.workflow : locationText(place);
    const message =
      `${use.what} in the code of workflow ${run.workflow} is not the same on every replay: use ${use.instead}` +
      (place === undefined ? "" : `\n${codeFrame(place)}`);
    if (!seen.has(`${use.what} ${where}`)) log(mode === "refuse" ? "error" : "warn", message, { code: "PAWL1017" });
    seen.add(`${use.what} ${where}`);
    if (mode === "refuse") throw new PawlError("PAWL1017", message, { data: { use: use.what, place: where } });
  };
}
