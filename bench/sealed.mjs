// What sealing costs: 1,000 runs of one step, as W1 starts them, on two engines on SQLite, one with a key and one without, in turns.
// `node bench/sealed.mjs [rounds]`, after `npm run build`. Prints the median of the ratios of CPU
// time, which other load on the machine disturbs less than the clock.
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engine, workflow } from "../dist/index.js";

const rounds = Number(process.argv[2] ?? 15);
const runs = 1_000;
const dir = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "pawl-sealed-"));
const keyFile = join(dir, "seal.pem");
writeFileSync(keyFile, generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }), { mode: 0o600 });
const one = workflow({ name: "one" }, async (ctx) => ctx.step("s", () => 1));
/** @param {string} name @param {import("../dist/index.js").SealOpts | false} seal */
const open = (name, seal) => engine({ store: `sqlite:${join(dir, name)}`, workflows: [one], seal });
const [plain, sealed] = [await open("plain.db", false), await open("sealed.db", { keyFile })];

/** @param {import("../dist/index.js").Engine} app @param {number} n */
async function round(app, n) {
  const used = process.cpuUsage();
  const handles = await Promise.all(Array.from({ length: n }, () => app.start(one)));
  await Promise.all(handles.map((h) => h.result()));
  const { user, system } = process.cpuUsage(used);
  return (user + system) / n;
}

/** @param {number[]} xs */
const median = (xs) => xs.toSorted((a, b) => a - b)[xs.length >> 1] ?? 0;
for (const app of [plain, sealed, plain, sealed]) await round(app, 3_000);
/** @type {[number[], number[], number[]]} */
const [a, b, ratios] = [[], [], []];
for (let i = 0; i < rounds; i++) {
  for (const turn of i % 2 === 0 ? ["plain", "sealed"] : ["sealed", "plain"])
    (turn === "plain" ? a : b).push(await round(turn === "plain" ? plain : sealed, runs));
  ratios.push((b.at(-1) ?? 0) / (a.at(-1) ?? 1));
}
/** @param {number[]} x */
const us = (x) => Math.round(median(x));
console.log(`sealed over unsealed: ${median(ratios).toFixed(2)} (${rounds} rounds); ${us(a)} and ${us(b)} µs of CPU per run`);
for (const app of [plain, sealed]) await app.stop();
rmSync(dir, { recursive: true, force: true });
