// Pause, resume and terminate need no code, so they need no engine of the user's: an engine without workflows is opened
// for the moment, claims the run if nobody alive owns it, commits, and leaves (K5). A run that a live engine owns is left
// to that one. Nothing here decides what a control does: the engine's rules do.
import { openEngine, type OpenEngine } from "../../client/engine.ts";
import type { RunView } from "../../client/types.ts";
import { isSettled } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";
import { env } from "../../platform/terminal.ts";
import type { CliSession } from "../session.ts";

export type AppliedControl = "pause" | "resume" | "terminate";

/** The events that show that a control was taken. */
const eventsOfControl: Readonly<Record<AppliedControl, readonly string[]>> = {
  pause: ["RunPaused"],
  resume: ["RunResumed", "pawl.DecisionAnswered"],
  terminate: [],
};

export class ControlApplier {
  readonly #session: CliSession;
  #engine: OpenEngine | null = null;

  constructor(session: CliSession) {
    this.#session = session;
  }

  /** Asks for it and waits until the log shows it. `run` is as it was before. */
  async apply(run: RunView, verb: AppliedControl, reason: string | undefined, timeoutMs: number): Promise<RunView> {
    const { client, platform, store, scope } = this.#session;
    await client.control(run.runId, verb, reason === undefined ? {} : { reason });
    const around = { platform, log: () => {}, sealKey: env("PAWL_SEAL_KEY"), open: async () => store };
    this.#engine ??= await openEngine(around, { store, tenant: scope });
    this.#engine.core.wake();
    const deadline = platform.monotonicMs() + timeoutMs;
    for (;;) {
      const changed = client.waitForChange(run.runId, { timeoutMs: 50 });
      const now = (await client.get(run.runId)) ?? run;
      const news = await client.events(run.runId, { after: run.headSeq });
      if (news.some((e) => eventsOfControl[verb].includes(e.eventType))) return now;
      if (isSettled(now.status)) {
        if (verb === "terminate") return now;
        throw new PawlError("PAWL4003", `run ${run.runId} has ended in the meantime (${now.status})`, {
          data: { runId: run.runId, status: now.status },
        });
      }
      if (platform.monotonicMs() >= deadline)
        throw new PawlError("PAWL4006", `${verb} is recorded; the engine that owns run ${run.runId} has not applied it yet`, {
          data: { runId: run.runId },
        });
      await changed;
    }
  }

  async close(): Promise<void> {
    await this.#engine?.engine.stop({ grace: 1_000 });
  }
}
