// A process of W5: the one that is killed, or the one that goes on. Says "ready" when all its runs are in the body of the
// fatal step, or when it is up. Each body leaves a line in a file before it does anything else, so that a body that was run
// twice is seen twice whatever happened to its process.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { fatalStep } from "./workloads.mjs";

/** @typedef {import("./contender.mjs").Order} Order */
/**
 * @typedef {object} Part
 * @property {Order} order
 * @property {"victim" | "heir"} as the victim starts the runs
 * @property {(run: number, step: number) => Promise<number>} body
 */

/** @type {Order} */
const order = JSON.parse(process.argv[2] ?? "{}");
const as = process.argv[3] === "victim" ? "victim" : "heir";
const file = join(order.dir, "bodies");
let waiting = 0;
let full = () => {};
const allIn = new Promise((/** @type {(v: void) => void} */ resolve) => (full = resolve));

/** @type {Part["body"]} */
async function body(run, step) {
  appendFileSync(file, `${run} ${step}\n`);
  if (as === "victim" && step === fatalStep) {
    if (++waiting === order.runs) full();
    await new Promise(() => {});
  }
  return step;
}

const { part } = /** @type {{ part: (p: Part) => Promise<Record<string, string | number>> }} */ (await import(`./${order.role}.mjs`));
const about = await part({ order, as, body });
if (as === "victim") await allIn;
process.stdout.write(`ready ${JSON.stringify({ node: process.versions.node, ...about })}\n`);
setInterval(() => {}, 60_000); // until it is killed
