// `pawl hold` and `pawl release`: keep runs from retention, and let them go again; each says who and why. Without a run, hold
// lists what is held.
import type { HoldView } from "../../../client/types.ts";
import { writeOut } from "../../../platform/terminal.ts";
import type { JsonOption, LimitOption, StoreOptions, WhoOptions } from "../../shared-options.ts";
import { forEachRun } from "../../runs/for-each-run.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseCount, readRunIds } from "../../parse-values.ts";
import { printJson } from "../../output/print.ts";
import { withSession } from "../../session.ts";
import { readWho } from "../../who.ts";
import { withoutControlChars, formatTable } from "../../output/format.ts";

export interface HoldOptions extends WhoOptions, LimitOption, JsonOption, StoreOptions {}
export interface ReleaseOptions extends WhoOptions, JsonOption, StoreOptions {}

export async function holdCommand(args: readonly string[], o: HoldOptions): Promise<number> {
  if (args.length === 0) return list(o);
  const [ids, who] = [await readRunIds(args), readWho(o, "a hold")];
  return withSession(o, (s) =>
    forEachRun(s, ids, o, async (run) => {
      const held = await s.client.hold(run.runId, who);
      return { data: { ...held }, text: `held by ${held.by} since ${held.since}: ${held.reason}` };
    }),
  );
}

export async function releaseCommand(args: readonly string[], o: ReleaseOptions): Promise<number> {
  const [ids, who] = [await readRunIds(args), readWho(o, "a release")];
  return withSession(o, (s) =>
    forEachRun(s, ids, o, async (run) => {
      const was = await s.client.release(run.runId, who);
      return { data: { released: true, was }, text: `released; ${was.by} held it since ${was.since}` };
    }),
  );
}

async function list(o: HoldOptions): Promise<number> {
  const limit = parseCount(o.limit, "--limit", 1);
  return withSession(o, async ({ client }) => {
    const page = await client.holds(limit === undefined ? {} : { limit });
    if (o.json === true) printJson(page);
    else
      writeOut(
        formatTable(
          page.holds.map((h: HoldView) => [
            withoutControlChars(h.workflowId),
            h.runId,
            h.since,
            withoutControlChars(h.by),
            withoutControlChars(h.reason),
          ]),
        ),
      );
    return exitCodes.ok;
  });
}
