// `pawl project`: the projector as a service, until interrupted, or once through what waits. With --rebuild it makes projections again
// from the log first, from zero or from where they stand. Alerts are told as they are found, and kept until `pawl alerts` shows them.
import type { Rebuilt, StoredAlert } from "../../client/reader-types.ts";
import { PawlError } from "../../errors/error.ts";
import { checkPolicy } from "../../readers/projector.ts";
import type { Options } from "../command.ts";
import { transitionText } from "../event-text.ts";
import { exitCodes } from "../failure.ts";
import { interruptible, type Interrupt } from "../interrupt.ts";
import { note, printLine } from "../print.ts";
import { ProgressLine } from "../progress.ts";
import { withSession, type Session } from "../session.ts";

export async function project(_args: readonly string[], o: Options): Promise<number> {
  if (o.policy !== undefined && o.policy !== "A" && o.policy !== "B")
    throw new PawlError("PAWL4011", `--policy takes A or B, not ${JSON.stringify(o.policy)}`);
  const settings = {
    ...(o.policy === undefined ? {} : { policy: checkPolicy(o.policy) }),
    ...(o.name === undefined ? {} : { name: o.name }),
    ...(o.v1Until === undefined ? {} : { v1Until: o.v1Until }),
  };
  return withSession(o, async (s) => {
    const interrupt = interruptible();
    try {
      if (o.rebuild === true || o.fromSnapshot === true) {
        const done = await again(s, interrupt, { ...settings, mode: o.fromSnapshot === true ? "FROM_SNAPSHOT" : "FULL" }, o);
        if (interrupt.happened()) return exitCodes.interrupted;
        if (!done.complete) return exitCodes.checkFailed;
      }
      const projecting = await s.client.project({ ...settings, once: o.once === true, onAlert: (a) => tell(a, o) });
      if (o.once !== true) note(`projecting ${s.place}`);
      if ((await Promise.race([projecting.done, interrupt.asked])) !== "interrupted") return await outcome(s, o);
      await projecting.stop();
      return o.once === true ? exitCodes.interrupted : exitCodes.ok;
    } finally {
      interrupt.end();
    }
  });
}

async function again(
  s: Session,
  interrupt: Interrupt,
  settings: Parameters<Session["client"]["rebuild"]>[0],
  o: Options,
): Promise<Rebuilt> {
  const line = new ProgressLine(s.platform);
  const stop = new AbortController();
  void interrupt.asked.then(() => stop.abort());
  const done = await s.client
    .rebuild({ ...settings, signal: stop.signal, onProgress: (p) => line.tell(p.events, p.eventsTotal, "events") })
    .finally(() => line.clear());
  if (o.json === true) printLine({ rebuilt: done });
  else note(`${done.complete ? "rebuilt" : "rebuilt only a part:"} ${done.runs} of ${done.runsTotal} runs, ${done.events} events`);
  return done;
}

/** After a single pass: what is held back is said, since nobody else will. */
async function outcome(s: Session, o: Options): Promise<number> {
  const name = o.name ?? "projector";
  const held = (await s.client.consumers()).find((c) => c.consumer === name)?.held ?? [];
  for (const h of held) note(`run ${h.runId} is held back after event ${h.watermark}: ${h.error}`);
  return held.length === 0 ? exitCodes.ok : exitCodes.checkFailed;
}

function tell(a: StoredAlert, o: Options): void {
  if (o.json === true) return printLine(a);
  const what = a.stepId === undefined ? a.eventType : `${a.eventType} ${a.stepId} (attempt ${a.logicalAttemptId})`;
  note(`${a.code} run ${a.runId}, event ${a.runSeq}: ${what} from ${transitionText(a, " to ")}`);
}
