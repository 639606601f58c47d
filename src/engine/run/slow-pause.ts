// A pause lets running steps finish (P-39). When that takes long, one warning is logged: the run is paused, and not yet idle. It must
// never end, abort or fail anything: an outcome that comes late is accepted and recorded like any other.
import type { Cancel } from "../../platform/platform.ts";
import type { LiveRun } from "./live-run.ts";
import { waitingFor } from "./next-wake.ts";

export class SlowPauseWarning {
  #since: number | null = null;
  #warned = false;

  /** The run was resumed: its next pause counts from zero. */
  reset(): void {
    this.#since = null;
    this.#warned = false;
  }

  /** Called whenever a paused run comes to rest. */
  arm(r: LiveRun): Cancel | null {
    if (this.#warned || waitingFor(r, false) !== "drain") return null;
    const { host } = r;
    const { drainMsMax } = host.limits;
    const now = host.storeNowMs();
    this.#since ??= now;
    return host.platform.timer(Math.max(0, this.#since + drainMsMax - now), () => {
      if (r.state.isUnloaded || !r.state.isPaused || waitingFor(r, false) !== "drain") return;
      this.#warned = true;
      const steps = [...r.steps.all()].filter((s) => s.state === "running").map((s) => s.stepId);
      host.metrics.add("pawl_drain_timeouts_total");
      r.log("warn", `run ${r.row.runId} was paused ${drainMsMax / 1_000} s ago, and steps are still running: ${steps.join(", ")}`, {
        steps,
      });
    });
  }
}
