// The agent's process is killed after the bank has refunded and before that is recorded. Another process continues, the model asks for the refund
// again, and the bank has one. Then: what caused the refund, and how often it may have happened.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { engine } from "pawl";
import { refunds, support } from "./agent.ts";

const store = "sqlite:./support.db";
const id = "ticket-17";

if (process.env["TICKET"] === "work") {
  const app = await engine({ store, workflows: [support] });
  await app.start(support, { prompt: "I was charged twice.", context: { customerId: "c7" } }, { id });
  const run = (await app.get(support, id))!;
  await approve(app, async () => (await run.status()).status === "RUNNING");
  await run.result();
  await app.stop();
} else {
  const killed = await work();
  console.log(`killed: ${killed}; refunds at the bank: ${refunds().length}`);
  const app = await engine({ store, workflows: [support], lease: "2s" });
  const run = await app.start(support, { prompt: "I was charged twice.", context: { customerId: "c7" } }, { id });
  const { text, turns } = await run.result();
  console.log(`${text} (${turns} turns); refunds at the bank: ${refunds().length}`);
  for (const { effect, by, approvedBy } of await run.causes({ key: "refund:ch_7" }))
    console.log(
      `${effect.stepId}: asked for by ${by.stepId}, approved by ${approvedBy}${effect.repeatOf === undefined ? "" : `, a repeat of ${effect.repeatOf}`}`,
    );
  const { effects } = await run.proof();
  for (const e of effects.filter((x) => x.name === "refund")) console.log(e.sentence);
  await app.stop();
}

/** The same program in a process of its own, which dies right after the refund was made. */
async function work(): Promise<boolean> {
  const launcher = process.argv[1] ?? fileURLToPath(new URL("../run.mjs", import.meta.url));
  const env = { ...process.env, TICKET: "work", PAWL_CRASH: "5/tools/refund:D" };
  const child = spawn(process.execPath, [launcher, "agent-refunds/main"], { env, stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((done) => child.on("close", (_, signal) => done(signal === "SIGKILL")));
}

async function approve(app: Awaited<ReturnType<typeof engine>>, goesOn: () => Promise<boolean>): Promise<void> {
  while (await goesOn()) {
    const [question] = await app.decisions();
    if (question !== undefined) {
      console.log(question.reason);
      await app.resolve(question.decisionId, { approve: true, by: "ann", reason: "it was charged twice" });
      return;
    }
    await new Promise((again) => setTimeout(again, 50));
  }
}
