// `pawl inspect`: one run as a tree, once or with --watch until it has ended. On a terminal the picture is drawn over the
// last one; in a pipe each new picture follows the last.
import type { Client, RunView, Standpoint } from "../../../client/types.ts";
import { isSettled } from "../../../core/model.ts";
import { isPawlError } from "../../../errors/error.ts";
import { conversationOf, type Conversation } from "../../../events/conversation.ts";
import { pawlEvents } from "../../../events/payload.ts";
import type { Finding } from "../../../client/audit/finding.ts";
import { colourAllowed, columns, isTty, writeOut } from "../../../platform/terminal.ts";
import type { JsonOption, StoreOptions } from "../../shared-options.ts";
import { runDetails } from "../../../client/run-details.ts";
import { runOrNotFound } from "../../runs/for-each-run.ts";
import { allEvents } from "../../runs/wait-for-end.ts";
import { exitCodes } from "../../output/report-error.ts";
import { listenForInterrupt } from "../../runs/interrupt.ts";
import { paint } from "../../output/colors.ts";
import { printJson, printJsonLine } from "../../output/print.ts";
import { conversationText } from "../../output/conversation-text.ts";
import { printTimeline, printVerification } from "../../output/timeline.ts";
import { withSession, type CliSession } from "../../session.ts";
import { runTreeText, type RunTreeInput } from "../../output/run-tree.ts";

export interface InspectOptions extends JsonOption, StoreOptions {
  readonly watch?: boolean;
  readonly full?: boolean;
  readonly timeline?: boolean;
  readonly check?: boolean;
}

export async function inspectCommand(args: readonly string[], o: InspectOptions): Promise<number> {
  return withSession(o, async (s) => {
    const run = await runOrNotFound(s, args[0] ?? "");
    if (o.timeline === true) return printTimeline(await s.client.timeline(run.runId), o);
    if (o.check === true) return printVerification(await s.client.verifyRun(run.runId), o);
    if (o.watch === true) return watch(s, run.runId, o);
    const { conversation, ...read } = await readRun(s.client, run, s.platform.wallMs(), o);
    const shown = { ...read, ...(await damageOf(s.client, run)) };
    if (o.json === true)
      printJson({
        ...document(shown),
        ...(conversation === undefined ? {} : { models: conversation.totals, conversation: conversation.said }),
      });
    else
      writeOut(
        `${runTreeText(shown, paint(colourAllowed("out")))}${conversation === undefined ? "" : conversationText(conversation, o.full === true)}`,
      );
    return exitCodes.ok;
  });
}

type ReadRun = RunTreeInput & { readonly conversation?: Conversation };

async function readRun(client: Client, run: RunView, nowMs: number, o: InspectOptions): Promise<ReadRun> {
  if (run.purgedAt !== undefined) return { run, steps: [], detail: runDetails([]), nowMs };
  const events = await allEvents(client, run.runId);
  const detail = runDetails(events);
  const conversation = conversationOf(events);
  const graph = events.some((e) => e.eventType === pawlEvents.superstep) ? await standpointOf(client, run.runId) : undefined;
  const projection = await client.projection(run.runId);
  const { engines } = await client.info();
  return {
    run,
    steps: await client.steps(run.runId),
    detail,
    nowMs,
    full: o.full === true,
    ...(conversation === undefined ? {} : { conversation }),
    served: engines.some((e) => e.alive && e.serves.some((s) => s.workflow === run.workflow)),
    ...(run.owner === undefined ? {} : { ownerAlive: engines.some((e) => e.alive && e.engineId === run.owner) }),
    ...(projection === undefined ? {} : { projection }),
    ...(graph === undefined ? {} : { graph }),
  };
}

/** A caller of a server who may not see payloads gets the picture without it. */
async function standpointOf(client: Client, runId: string): Promise<Standpoint | undefined> {
  return client.state(runId).catch((e: unknown) => {
    if (isPawlError(e, "PAWL4081")) return undefined;
    throw e;
  });
}

/** The log's chain is checked before anybody believes the picture. */
async function damageOf(client: Client, { runId, purgedAt, moved }: RunView): Promise<{ readonly damaged?: string }> {
  if (purgedAt !== undefined || moved === true) return {};
  let findings: readonly Finding[];
  try {
    ({ findings } = await client.verifyStore({ run: runId }));
  } catch (e) {
    if (!isPawlError(e, "PAWL4086")) throw e;
    // A server says whether, not where.
    return (await client.verifyRun(runId)).ok ? {} : { damaged: "events" };
  }
  const [first] = findings.filter((f) => f.table === "events" || f.field === "headSeq");
  return first === undefined ? {} : { damaged: `${first.table}${first.seq === undefined ? "" : ` ${first.seq}`}, ${first.field}` };
}

function document({ run, steps, detail, projection, served, ownerAlive, damaged, graph }: RunTreeInput): Record<string, unknown> {
  return {
    ...run,
    ...(isSettled(run.status) || served === undefined ? {} : { served }),
    ...(ownerAlive === undefined ? {} : { ownerAlive }),
    ...(detail.startedBy === undefined ? {} : { startedBy: detail.startedBy }),
    ...(detail.pausedBy === undefined ? {} : { pausedBy: detail.pausedBy }),
    ...(detail.endedBy === undefined ? {} : { endedBy: detail.endedBy }),
    ...(detail.input === undefined ? {} : { input: detail.input }),
    ...(detail.views === undefined ? {} : { views: detail.views }),
    steps: steps.map((s) => {
      const { result, failure } = detail.steps.get(s.stepId) ?? {};
      return { ...s, ...(result === undefined ? {} : { result }), ...(failure === undefined ? {} : { error: failure }) };
    }),
    ...(detail.result === undefined ? {} : { result: detail.result }),
    ...(detail.error === undefined ? {} : { error: detail.error }),
    ...(detail.refused.length === 0 ? {} : { refused: detail.refused }),
    ...(projection === undefined ? {} : { projection }),
    ...(graph === undefined ? {} : { superstep: graph.superstep, lastItems: graph.items, frontier: graph.next }),
    ...(damaged === undefined ? {} : { damaged }),
  };
}

async function watch(s: CliSession, runId: string, o: InspectOptions): Promise<number> {
  const interrupt = listenForInterrupt();
  const p = paint(colourAllowed("out"));
  const bare = paint(false);
  let drawn = "";
  let head = -1;
  try {
    for (;;) {
      const changed = s.client.waitForChange(runId, { timeoutMs: 500 });
      const run = await runOrNotFound(s, runId);
      // In a pipe only changes are printed; on a terminal the times change as well.
      if (isTty("out") || run.headSeq !== head) {
        head = run.headSeq;
        const shown = await readRun(s.client, run, s.platform.wallMs(), o);
        if (o.json === true) printJsonLine(document(shown));
        else {
          const text = runTreeText(shown, p);
          if (isTty("out")) writeOut(`${clearScreen(drawn)}${text}`);
          else writeOut(`${drawn === "" ? "" : "\n"}${text}`);
          drawn = runTreeText(shown, bare);
        }
      }
      if (isSettled(run.status)) return exitCodes.ok;
      await Promise.race([changed, interrupt.requested]);
      if (interrupt.happened()) return exitCodes.interrupted;
    }
  } finally {
    interrupt.stopListening();
  }
}

/** Moves to the first line of the last picture and clears it; lines wider than the terminal take several rows. */
function clearScreen(bare: string): string {
  if (bare === "") return "";
  const rows = bare
    .split("\n")
    .slice(0, -1)
    .reduce((n, line) => n + Math.max(1, Math.ceil(line.length / columns())), 0);
  return `\u001B[${rows}A\u001B[0J`;
}
