// Operators at work on live runs: random starts, pauses, cancels, terminations, retries, reruns, restarts, answers and deaths of engines,
// against a bank outside that loses requests and replies (teller.ts). No verdict may promise more than the bank's ledger shows, and
// every run must come to an end. The planted bug is a bank that does not keep its word about keys.
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { mortalEngine, type MortalEngine } from "../../src/testing/mortal.ts";
import type { Violation } from "./check.ts";
import { seeded, type Part, type Report, type Task } from "./crew.ts";
import { openField } from "./fields.ts";
import { operate, type TellerPlace } from "./teller.ts";

/** So many acts on one store of its own. */
const perField = 40;

async function inOneField(task: Task, n: number, acts: number): Promise<Omit<Report, "faults"> & { readonly acts: number }> {
  const field = await openField(task.store);
  const born: MortalEngine[] = [];
  const platform = systemPlatform();
  const place: TellerPlace = {
    async engine(workflows) {
      const e = await mortalEngine(
        { platform, connect: (p) => openStore(field.url, p), closes: true },
        { workflows, lease: "1s", log: () => {} },
      );
      born.push(e);
      return e;
    },
    pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    until: (p) => p,
    timer: (ms, f) => void setTimeout(f, ms),
  };
  try {
    const random = seeded(task.seed * 7_919 + n);
    const told = await operate({ place, random, acts, forgets: task.bug !== undefined, name: `${task.seed}-${n}` });
    const violations: Violation[] = [
      ...told.lies.map((what) => ({ kind: "differs", what }) as const),
      ...told.stuck.map((what) => ({ kind: "lost", what: `stuck: ${what}` }) as const),
    ];
    return { acts: told.acts, runs: told.runs, effects: told.effects, resent: told.resent, inDoubt: told.inDoubt, violations };
  } finally {
    for (const e of born) e.die();
    await field.leave();
  }
}

export const operators: Part = {
  name: "operators",
  stores: ["sqlite", "postgres", "mysql"],
  canary: { bug: "forgets its keys", shows: ["differs"], faults: 80 },
  async run(task) {
    const all = { faults: 0, runs: 0, effects: 0, resent: 0, inDoubt: 0, violations: [] as Violation[] };
    for (let n = 0; all.faults < task.faults; n++) {
      const r = await inOneField(task, n, Math.min(perField, task.faults - all.faults));
      all.faults += r.acts;
      for (const field of ["runs", "effects", "resent", "inDoubt"] as const) all[field] += r[field];
      all.violations.push(...r.violations);
      task.say(`${all.faults} acts, ${all.runs} runs, ${all.effects} effects, ${all.violations.length} violations`);
      if (task.bug !== undefined && all.violations.length > 0) break;
    }
    return all;
  },
};
