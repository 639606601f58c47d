// `npm run demo`: an order is charged, its process is killed before the charge is recorded, and the order is started again. What is
// printed is read from the bank's file and from the run's log; nothing is assumed. With --json it prints one line.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "pawl/client";
import { bank } from "./bank.ts";

const json = process.argv.includes("--json");
const say = (text = ""): void => void (json || process.stdout.write(`${text}\n`));
const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;

function runOrder(dir: string): Promise<{ killed: boolean; errors: string }> {
  const launcher = fileURLToPath(new URL("../run.mjs", import.meta.url));
  const child = spawn(process.execPath, [launcher, "demo/worker"], {
    stdio: ["ignore", "inherit", "pipe"],
    env: { ...process.env, DEMO_DIR: dir, PAWL_CRASH: "charge:D" },
  });
  let errors = "";
  child.stderr.on("data", (d: Buffer) => (errors += String(d)));
  return new Promise((done) => child.on("close", (_, signal) => done({ killed: signal === "SIGKILL", errors })));
}

async function look(dir: string) {
  const client = await connect({ store: `sqlite:${join(dir, "orders.db")}` });
  try {
    const status = (await client.get("order-1001"))?.status ?? "NOT FOUND";
    return { status, steps: await client.steps("order-1001"), events: await client.events("order-1001") };
  } finally {
    await client.close();
  }
}

const dir = mkdtempSync(join(tmpdir(), "pawl-demo-"));
try {
  const theBank = bank(join(dir, "bank.jsonl"));
  say("An order is charged and its process dies at the worst moment.\n");

  const first = await runOrder(dir);
  const before = await look(dir);
  say(
    `1. The order runs: reserve, charge, ship. ${first.killed ? "Its process is killed (SIGKILL) inside charge." : "It was not killed."}`,
  );
  say(`     the bank's file   ${count(theBank.charges().length, "charge")}`);
  say(
    `     Pawl's log        charge is ${before.steps.find((s) => s.stepId === "charge")?.status ?? "unknown"}: it began, and nobody recorded how it ended\n`,
  );

  const second = await runOrder(dir);
  const after = await look(dir);
  const via = after.events.find((e) => e.eventType === "StepCompleted" && e.stepId === "charge")?.payload as { via?: string } | undefined;
  say("2. The same program is started again, with the same id.");
  say(`     Pawl does not send the charge on a guess: it asks the bank first (verify: ${count(theBank.asked("lookup"), "question")}).`);
  say(
    `     ${via?.via === "verify" ? "The bank knows the key, so its answer is recorded as the step's result." : "The charge was sent again under its key."}\n`,
  );

  const charges = theBank.charges().length;
  say(`3. The order is ${after.status}.`);
  for (const s of after.steps) say(`     ${s.stepId.padEnd(9)} ${s.status.padEnd(8)} ${s.class ?? ""}`);
  say(`     the bank's file   ${count(charges, "charge")}, ${count(theBank.asked("charge"), "request")} to charge\n`);
  say("Could it have been charged twice? Not while the bank keeps its word: the step is KEYED (the bank remembers its key for");
  say("24 hours) and has a verify. What holds for a step that supplies less is written in GUARANTEES.md.");

  const crashes = Number(first.killed) + Number(second.killed);
  if (json) process.stdout.write(`${JSON.stringify({ charges, crashes, status: after.status })}\n`);
  if (charges !== 1 || crashes !== 1 || after.status !== "COMPLETED") {
    process.stderr.write(first.errors + second.errors);
    process.exitCode = 1;
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}
