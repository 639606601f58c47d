// What both sides of the graph suite do alike: the messages that a list is made of, and how code is warmed before it is measured. Nothing here may know
// which side it serves.
import { randomBytes } from "node:crypto";

/** 200 characters that no database makes shorter. */
export const message = () => randomBytes(150).toString("base64");

/**
 * As in the other suites: the same work as is measured, until the compiler has seen 6,000 supersteps or three seconds are over.
 * @param {number} each supersteps of one round
 * @param {(name: string) => Promise<void>} round
 */
export async function warmUp(each, round) {
  const from = performance.now();
  for (let n = 0; n * each < 6_000 && performance.now() - from < 3_000; n++) await round(`warm${n}-`);
}
