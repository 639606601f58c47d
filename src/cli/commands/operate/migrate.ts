// `pawl migrate`: the schema brought to what this version writes, or, with --dry-run and --sql, what that would take.
// Opening a store does the same by itself; this makes it a step of a deployment. Forward only.
import { PawlError } from "../../../errors/error.ts";
import { migrationPlanOf } from "../../../operate.ts";
import { systemPlatform } from "../../../platform/system.ts";
import { env, writeOut } from "../../../platform/terminal.ts";
import type { DryRunOption, JsonOption, StoreOptions } from "../../shared-options.ts";
import { exitCodes, withLocation } from "../../output/report-error.ts";
import { printJson } from "../../output/print.ts";
import { resolveStoreUrl, withSession } from "../../session.ts";

export interface MigrateOptions extends DryRunOption, JsonOption, StoreOptions {
  readonly sql?: boolean;
}

export async function migrateCommand(_args: readonly string[], o: MigrateOptions): Promise<number> {
  // A store that was named is made; without a name, one that is not there is a mistake.
  const url = resolveStoreUrl(o, o.store !== undefined || env("PAWL_STORE") !== undefined);
  try {
    const plan = await migrationPlanOf(url, systemPlatform());
    if (plan.from > plan.to)
      throw new PawlError("PAWL3004", `the store has format ${plan.from}; this version writes ${plan.to}`, { data: { format: plan.from } });
    if (o.sql === true) {
      writeOut(plan.statements.map((s) => `${s};\n`).join(""));
      return exitCodes.ok;
    }
    const dry = o.dryRun === true;
    if (!dry) await withSession(o, async (s) => s.client.info(), true);
    const { from, to, statements } = plan;
    if (o.json === true) printJson({ from, to, statements: statements.length, applied: !dry && from !== to });
    else if (from === to) writeOut(`the schema is up to date (format ${to})\n`);
    else writeOut(`${dry ? "would migrate" : "migrated"} from format ${from} to ${to} (${statements.length} statements)\n`);
    return exitCodes.ok;
  } catch (e) {
    throw withLocation(e, url);
  }
}
