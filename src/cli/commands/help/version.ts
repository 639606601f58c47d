// `pawl version`: the version, and nothing else loaded.
// It must never open a store: scripts call it to see whether Pawl is there.
import { writeOut } from "../../../platform/terminal.ts";
import type { JsonOption } from "../../shared-options.ts";
import { exitCodes } from "../../output/report-error.ts";
import { ownVersion } from "../../package-files.ts";

export type VersionOptions = JsonOption;

export async function versionCommand(_args: readonly string[], o: VersionOptions): Promise<number> {
  writeOut(o.json === true ? `${JSON.stringify({ version: ownVersion() })}\n` : `${ownVersion()}\n`);
  return exitCodes.ok;
}
