// `pawl hold` and `pawl release`: keep runs from retention, and let them go again; each says who and why. Without a run, hold
// lists what is held.
import type { HoldView, Who } from "../../client/types.ts";
import { PawlError } from "../../errors/error.ts";
import { writeOut } from "../../platform/terminal.ts";
import type { Options } from "../command.ts";
import { forEachRun } from "../each.ts";
import { exitCodes } from "../failure.ts";
import { givenCount, givenIds } from "../given.ts";
import { printJson } from "../print.ts";
import { withSession } from "../session.ts";
import { plain, table } from "../text.ts";

export async function hold(args: readonly string[], o: Options): Promise<number> {
  if (args.length === 0) return list(o);
  const [ids, who] = [await givenIds(args), whoOf(o)];
  return withSession(o, (s) =>
    forEachRun(s, ids, o, async (run) => {
      const held = await s.client.hold(run.runId, who);
      return { data: { ...held }, text: `held by ${held.by} since ${held.since}: ${held.reason}` };
    }),
  );
}

export async function release(args: readonly string[], o: Options): Promise<number> {
  const [ids, who] = [await givenIds(args), whoOf(o)];
  return withSession(o, (s) =>
    forEachRun(s, ids, o, async (run) => {
      const was = await s.client.release(run.runId, who);
      return { data: { released: true, was }, text: `released; ${was.by} held it since ${was.since}` };
    }),
  );
}

async function list(o: Options): Promise<number> {
  const limit = givenCount(o.limit, "--limit", 1);
  return withSession(o, async ({ client }) => {
    const page = await client.holds(limit === undefined ? {} : { limit });
    if (o.json === true) printJson(page);
    else writeOut(table(page.holds.map((h: HoldView) => [plain(h.workflowId), h.runId, h.since, plain(h.by), plain(h.reason)])));
    return exitCodes.ok;
  });
}

function whoOf(o: Options): Who {
  if (o.by === undefined || o.reason === undefined) throw new PawlError("PAWL4011", "say who and why: --by and --reason");
  return { by: o.by, reason: o.reason };
}
