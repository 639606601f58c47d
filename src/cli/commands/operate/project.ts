// `pawl project`: the projector as a service, until interrupted, or once through what waits. With --rebuild it makes projections again
// from the log first, completely or from the last state. Alerts are printed as they are found, and kept until `pawl alerts` shows them.
import type { Rebuilt, Alert } from "../../../client/reader-types.ts";
import { readVersion1 } from "../../../compat.ts";
import { PawlError } from "../../../errors/error.ts";
import { checkPolicy } from "../../../readers/projector.ts";
import type { JsonOption, StoreOptions } from "../../shared-options.ts";
import { transitionText } from "../../output/event-line.ts";
import { exitCodes } from "../../output/report-error.ts";
import { listenForInterrupt, type Interrupt } from "../../runs/interrupt.ts";
import { printNote, printJsonLine } from "../../output/print.ts";
import { ProgressLine } from "../../output/progress-line.ts";
import { withSession, type CliSession } from "../../session.ts";

export interface ProjectCommandOptions extends JsonOption, StoreOptions {
  readonly policy?: string;
  readonly name?: string;
  readonly once?: boolean;
  readonly rebuild?: boolean;
  readonly fromSnapshot?: boolean;
  readonly v1Until?: string;
}

export async function projectCommand(_args: readonly string[], o: ProjectCommandOptions): Promise<number> {
  if (o.policy !== undefined && o.policy !== "mark" && o.policy !== "freeze")
    throw new PawlError("PAWL4011", `--policy takes mark or freeze, not ${JSON.stringify(o.policy)}`);
  const settings = {
    ...(o.policy === undefined ? {} : { policy: checkPolicy(o.policy) }),
    ...(o.name === undefined ? {} : { name: o.name }),
    ...(o.v1Until === undefined ? {} : { normalise: readVersion1({ until: o.v1Until }) }),
  };
  return withSession(o, async (s) => {
    const interrupt = listenForInterrupt();
    try {
      if (o.rebuild === true || o.fromSnapshot === true) {
        const done = await rebuildProjections(s, interrupt, { ...settings, mode: o.fromSnapshot === true ? "FROM_SNAPSHOT" : "FULL" }, o);
        if (interrupt.happened()) return exitCodes.interrupted;
        if (!done.complete) return exitCodes.checkFailed;
      }
      const projecting = await s.client.project({ ...settings, once: o.once === true, onAlert: (a) => printAlert(a, o) });
      if (o.once !== true) printNote(`projecting ${s.storeLabel}`);
      if ((await Promise.race([projecting.done, interrupt.requested])) !== "interrupted") return await outcome(s, o);
      await projecting.stop();
      return o.once === true ? exitCodes.interrupted : exitCodes.ok;
    } finally {
      interrupt.stopListening();
    }
  });
}

async function rebuildProjections(
  s: CliSession,
  interrupt: Interrupt,
  settings: Parameters<CliSession["client"]["rebuild"]>[0],
  o: ProjectCommandOptions,
): Promise<Rebuilt> {
  const line = new ProgressLine(s.platform);
  const stop = new AbortController();
  void interrupt.requested.then(() => stop.abort());
  const done = await s.client
    .rebuild({ ...settings, signal: stop.signal, onProgress: (p) => line.update(p.events, p.eventsTotal, "events") })
    .finally(() => line.clear());
  if (o.json === true) printJsonLine({ rebuilt: done });
  else printNote(`${done.complete ? "rebuilt" : "rebuilt only a part:"} ${done.runs} of ${done.runsTotal} runs, ${done.events} events`);
  return done;
}

/** After a single pass: what is held back is said, since nobody else will. */
async function outcome(s: CliSession, o: ProjectCommandOptions): Promise<number> {
  const name = o.name ?? "projector";
  const held = (await s.client.consumers()).find((c) => c.consumer === name)?.held ?? [];
  for (const h of held) printNote(`run ${h.runId} is held back after event ${h.watermark}: ${h.error}`);
  return held.length === 0 ? exitCodes.ok : exitCodes.checkFailed;
}

function printAlert(a: Alert, o: ProjectCommandOptions): void {
  if (o.json === true) return printJsonLine(a);
  const what = a.stepId === undefined ? a.eventType : `${a.eventType} ${a.stepId} (attempt ${a.logicalAttemptId})`;
  printNote(`${a.code} run ${a.runId}, event ${a.runSeq}: ${what} from ${transitionText(a, " to ")}`);
}
