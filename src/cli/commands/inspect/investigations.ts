// `pawl investigations`: runs that somebody should look at, with the history of who looked. Opening, noting and closing a record changes nothing of
// its run.
import type { InvestigationCause, InvestigationView } from "../../../client/types.ts";
import { PawlError } from "../../../errors/error.ts";
import { writeOut } from "../../../platform/terminal.ts";
import { clip, formatTable, formatTime, withoutControlChars } from "../../output/format.ts";
import { printJson, printNote } from "../../output/print.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseCount } from "../../parse-values.ts";
import { withSession } from "../../session.ts";
import type { JsonOption, LimitOption, StoreOptions, WhoOptions } from "../../shared-options.ts";

export interface InvestigationsOptions extends WhoOptions, LimitOption, JsonOption, StoreOptions {
  readonly all?: boolean;
  readonly why?: string;
  readonly as?: string;
}

export async function investigationsCommand(args: readonly string[], o: InvestigationsOptions): Promise<number> {
  const [verb = "list", run] = args;
  if (verb !== "list" && verb !== "open" && verb !== "note" && verb !== "close")
    throw new PawlError("PAWL4011", `investigations takes list, open, note or close, not ${JSON.stringify(verb)}`);
  if (verb !== "list" && run === undefined) throw new PawlError("PAWL4011", `investigations ${verb} needs a run`);
  const who = { ...(o.by === undefined ? {} : { by: o.by }), reason: o.reason ?? "" };
  return withSession(o, async ({ client: { investigations }, platform }) => {
    if (verb === "list") {
      const limit = parseCount(o.limit, "--limit", 1);
      const found = await investigations.list({
        ...(o.all === true ? {} : { open: true }),
        ...(run === undefined ? {} : { run }),
        ...(o.why === undefined ? {} : { why: o.why as InvestigationCause }),
        ...(limit === undefined ? {} : { limit }),
      });
      if (o.json === true) printJson({ investigations: found });
      else if (found.length === 0) printNote("nothing to look at");
      else writeOut(formatTable(found.map((i) => rowOf(i, platform.wallMs()))));
      return exitCodes.ok;
    }
    const id = run ?? "";
    const view = verb === "close" ? await investigations.close(id, (o.as ?? "") as "resolved", who) : await investigations[verb](id, who);
    if (o.json === true) printJson(view);
    else writeOut(formatTable([rowOf(view, platform.wallMs())]));
    return exitCodes.ok;
  });
}

function rowOf(i: InvestigationView, nowMs: number): string[] {
  const last = i.notes.at(-1);
  const state = i.closed === undefined ? "open" : `${i.closed.as} by ${withoutControlChars(i.closed.by)}`;
  return [
    `${i.runId} #${i.n}`,
    i.why,
    formatTime(i.openedAt, nowMs),
    state,
    last === undefined ? "" : clip(withoutControlChars(`${last.by}: ${last.reason}`), 100),
  ];
}
