// D1: a DAG of 5,000 nodes, 100 layers of 50, in one run, beside W2's many runs in the same process. It tells steps per second and
// memory.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { median, rounded } from "../stats.mjs";

const program = fileURLToPath(new URL("./dag-process.mjs", import.meta.url));

/** @param {import("../servers.mjs").Server} server @param {import("./suite.mjs").QueuePlan} plan @param {import("./suite.mjs").QueueJudge} judge */
export async function measureDag(server, plan, judge) {
  const place = await server.fresh();
  const child = spawn(process.execPath, [program, JSON.stringify({ url: place.url })], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error("the process of D1 ended by itself");
    return JSON.parse(value);
  };
  /** @param {Record<string, number>} what */
  const ask = (what) => {
    child.stdin.write(`${JSON.stringify(what)}\n`);
    return next();
  };
  try {
    await next();
    /** @type {number[]} */
    const dags = [];
    /** @type {number[]} */
    const plain = [];
    let peakMb = 0;
    await ask({}); // warm
    await ask({ runs: 100, steps: 10 });
    for (let round = 0; round < (plan.small ? 1 : Math.max(3, plan.rounds)); round++) {
      const d = await ask({});
      dags.push(d.done / (d.ms / 1_000));
      peakMb = d.peakMb;
      const w = await ask({ runs: 100, steps: 50 });
      plain.push(w.done / (w.ms / 1_000));
    }
    const ratio = median(dags) / median(plain);
    judge(
      {
        id: "D1",
        what: "a DAG of 5,000 nodes in one run",
        store: server.store,
        value: rounded(median(dags)),
        unit: "steps/s",
        figures: {
          "steps/s": rounded(median(dags)),
          "W2 steps/s": rounded(median(plain)),
          "of W2": rounded(ratio),
          "MB peak": rounded(peakMb),
        },
      },
      [
        { what: "of W2", wanted: 0.8, found: rounded(ratio), met: ratio >= 0.8 },
        { what: "MB peak", wanted: 300, found: rounded(peakMb), met: peakMb <= 300 },
      ],
    );
  } finally {
    child.stdin.end();
    const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
    await new Promise((resolve) => child.once("close", resolve));
    clearTimeout(late);
    await place.remove();
  }
}
