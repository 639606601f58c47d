// A follower of a run's stream that is cut, again and again, while its runs work, continue as new, fail and are retried. A fault is a cut. No event
// may be missing when it comes back, and none may come twice. The planted bug is a follower that comes back one place too late.
import { cutFollower } from "../server/cut-follower.ts";
import type { Violation } from "./check.ts";
import type { Part } from "./engine-processes.ts";

/** About twenty events for each cut. */
const stepsPerCut = 3.3;

export const cuts: Part = {
  name: "cuts",
  stores: ["sqlite"],
  canary: { bug: "resumes too late", shows: ["lost"], faults: 20 },
  async run({ faults, seed, bug, say }) {
    const report = await cutFollower({ cuts: faults, steps: Math.ceil(faults * stepsPerCut), seed, tooLate: bug === "resumes too late" });
    say(`${report.cuts} cuts, ${report.events} events of ${report.runs} runs`);
    const violations: Violation[] = [
      ...report.missing.map((id) => ({ kind: "lost", what: `event ${id} was never seen` }) as const),
      ...report.twice.map((id) => ({ kind: "duplicate", what: `event ${id} was seen twice` }) as const),
    ];
    return { faults: report.cuts, runs: report.runs, effects: report.events, resent: 0, inDoubt: 0, violations: violations.slice(0, 20) };
  },
};
