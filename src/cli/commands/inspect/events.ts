// `pawl events`: a run's log, in order, and with -f as it grows until the run has ended. What is printed with --jsonl is
// the record as the client gives it, unchanged.
import { PawlError } from "../../../errors/error.ts";
import type { RunEventRecord } from "../../../core/contract.ts";
import { colourAllowed, writeOut } from "../../../platform/terminal.ts";
import type { JsonOption, JsonlOption, LimitOption, StoreOptions } from "../../shared-options.ts";
import { eventLine } from "../../output/event-line.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseCount } from "../../parse-values.ts";
import { listenForInterrupt } from "../../runs/interrupt.ts";
import { paint } from "../../output/colors.ts";
import { printJson, printJsonLine } from "../../output/print.ts";
import { withSession, type CliSession } from "../../session.ts";

export interface EventsOptions extends LimitOption, JsonOption, JsonlOption, StoreOptions {
  readonly follow?: boolean;
  readonly after?: string;
}

const pageSize = 500;

export async function eventsCommand(args: readonly string[], o: EventsOptions): Promise<number> {
  if (o.json === true && o.follow === true) throw new PawlError("PAWL4011", "--json prints one document and cannot follow: use --jsonl");
  const after = parseCount(o.after, "--after", 0) ?? 0;
  const limit = parseCount(o.limit, "--limit", 1) ?? Number.POSITIVE_INFINITY;
  return withSession(o, async (s) => {
    const run = await s.client.get(args[0] ?? "");
    if (run === undefined) throw new PawlError("PAWL4001", `there is no run ${args[0]}`, { data: { id: args[0] ?? "" } });
    if (o.json === true) {
      const all: RunEventRecord[] = [];
      await readEvents(s, run.runId, after, limit, (e) => void all.push(e));
      printJson(all);
      return exitCodes.ok;
    }
    const p = paint(colourAllowed("out"));
    const show = (e: RunEventRecord): void => (o.jsonl === true ? printJsonLine(e) : writeOut(eventLine(e, p)));
    return (o.follow === true ? followEvents : readEvents)(s, run.runId, after, limit, show);
  });
}

async function readEvents(
  { client }: CliSession,
  runId: string,
  from: number,
  limit: number,
  tell: (e: RunEventRecord) => void,
): Promise<number> {
  const interrupt = listenForInterrupt();
  try {
    for (let [after, left] = [from, limit]; left > 0 && !interrupt.happened();) {
      const page = await client.events(runId, { after, limit: Math.min(left, pageSize) });
      for (const e of page) tell(e);
      if (page.length === 0) break;
      left -= page.length;
      after = page.at(-1)!.runSeq;
    }
    return interrupt.happened() ? exitCodes.interrupted : exitCodes.ok;
  } finally {
    interrupt.stopListening();
  }
}

/** Events as they come, until the run has ended. */
async function followEvents(
  { client }: CliSession,
  runId: string,
  after: number,
  limit: number,
  tell: (e: RunEventRecord) => void,
): Promise<number> {
  const interrupt = listenForInterrupt();
  const over = new AbortController();
  void interrupt.requested.then(() => over.abort());
  let left = limit;
  try {
    for await (const item of client.follow(runId, { after, signal: over.signal })) {
      if (item.kind !== "event") continue;
      tell(item.event);
      if (--left <= 0) break;
    }
    return interrupt.happened() ? exitCodes.interrupted : exitCodes.ok;
  } finally {
    interrupt.stopListening();
  }
}
