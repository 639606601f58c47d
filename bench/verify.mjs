// L4's own process, as `pawl verify` is one: verifies the archive named on the command line so many times, and prints events per
// second, by the clock and of CPU, for each. Nothing of what made the archive is in its memory.
import { readFileSync } from "node:fs";
import { verify } from "../dist/verify.js";

const [file = "", rounds = "1"] = process.argv.slice(2);
const zip = readFileSync(file);
for (let i = 0; i < Number(rounds); i++) {
  const [from, used] = [performance.now(), process.cpuUsage()];
  const { ok, events } = verify(zip);
  const ms = performance.now() - from;
  const { user, system } = process.cpuUsage(used);
  if (!ok) throw new Error("the evidence of the made log does not verify");
  process.stdout.write(`${JSON.stringify({ wall: (events / ms) * 1_000, cpu: (events / (user + system)) * 1_000_000 })}\n`);
}
