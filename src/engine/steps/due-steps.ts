// What is due now: steps whose time has come, and the run's deadline. Nothing is due while the run is paused. What fires here is
// checked again by the store in the Commit that records it (I10).
import type { LiveRun } from "../run/live-run.ts";

export function fireDueSteps(r: LiveRun): void {
  if (r.state.isUnloaded || r.state.isPaused || r.replay.isActive) return;
  const now = r.host.storeNowMs();
  for (const s of r.steps.all()) {
    if (s.dueAt === null || s.dueAt > now) continue;
    const notBefore = s.dueAt;
    s.dueAt = null;
    s.kind.fire(r, s, notBefore);
  }
  r.mailbox.match(); // a delayed message may be due
  const deadline = r.state.fireDeadline(now);
  if (deadline !== null) r.arrive({ type: "deadline", notBefore: deadline });
}
