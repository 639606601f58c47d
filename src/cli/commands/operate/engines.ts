// `pawl engines`: the engines of this tenant, and draining one: it takes on nothing more and releases its runs, and stays alive. It must never
// stop a process.
import type { ExplainedEngine } from "../../../client/types.ts";
import { PawlError } from "../../../errors/error.ts";
import { writeOut } from "../../../platform/terminal.ts";
import { clip, formatTable, withoutControlChars } from "../../output/format.ts";
import { printJson, printNote } from "../../output/print.ts";
import { exitCodes } from "../../output/report-error.ts";
import { withSession } from "../../session.ts";
import type { JsonOption, ReasonOption, StoreOptions } from "../../shared-options.ts";

export interface EnginesOptions extends ReasonOption, JsonOption, StoreOptions {}

export async function enginesCommand(args: readonly string[], o: EnginesOptions): Promise<number> {
  const [verb = "list", engineId] = args;
  if (verb !== "list" && verb !== "drain") throw new PawlError("PAWL4011", `engines takes list or drain, not ${JSON.stringify(verb)}`);
  if (verb === "drain" && engineId === undefined) throw new PawlError("PAWL4011", "engines drain needs an engine's id");
  return withSession(o, async ({ client }) => {
    if (verb === "drain") {
      const engine = await client.drainEngine(engineId ?? "", o.reason === undefined ? {} : { reason: o.reason });
      if (o.json === true) printJson(engine);
      else writeOut(`${engine.engineId} drains: it releases each run when its steps at work have ended\n`);
      return exitCodes.ok;
    }
    const engines = await client.engines();
    if (o.json === true) printJson({ engines });
    else if (engines.length === 0) printNote("no engine is registered here");
    else writeOut(formatTable(engines.map(row)));
    return exitCodes.ok;
  });
}

function row(e: ExplainedEngine): string[] {
  const state = !e.alive ? "dead" : e.draining === undefined ? "alive" : "draining";
  const serves = e.serves.map((s) => `${s.workflow}@${s.version}`).join(", ");
  return [e.engineId, state, clip(withoutControlChars(serves), 80)];
}
