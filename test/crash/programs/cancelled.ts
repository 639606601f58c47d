// A run whose charge arrives and whose answer never does, cancelled in a process that is killed while it finds out what became of
// it. The bank is a file that the engine never reads: one line for each charge, question and refund. Started again it is the same program.
import { appendFileSync, readFileSync } from "node:fs";
import { connect } from "../../../src/client.ts";
import { engine, workflow } from "../../../src/index.ts";

const [store = "", bank = "", life = ""] = process.argv.slice(2);
const note = (line: string): void => appendFileSync(bank, `${line}\n`);
const never = (): Promise<never> => new Promise(() => {});
const order = workflow({ name: "order" }, async (ctx) =>
  ctx.step<string>(
    "charge",
    async (s) => {
      note(`charge ${s.key}`);
      console.log("charged");
      await new Promise((_, reject) => s.signal.addEventListener("abort", () => reject(s.signal.reason as Error)));
      return never();
    },
    {
      key: "order-1",
      dedup: "1d",
      verify: async () => {
        note("asked");
        console.log("asked");
        if (life === "first") return never();
        const found = readFileSync(bank, "utf8").includes("charge order-1");
        return found ? { state: "completed-with-result", result: "c-1" } : { state: "not-completed" };
      },
      compensate: {
        undo: (id, s) => {
          note(`refund ${id} ${s.key}`);
          if (life === "second") return (console.log("refunding"), never());
          return undefined;
        },
        key: (id) => `refund-${id}`,
        dedup: "1d",
      },
    },
  ),
);
const e = await engine({ store, workflows: [order], lease: "2s" });
const handle = await e.start(order, undefined, { id: "order-1" });
console.log("ready");
if (life === "first") process.stdin.once("data", () => void handle.cancel("changed my mind"));
await handle.result().catch(() => {});
const client = await connect({ store });
const end = await client.waitForEnd(handle.runId);
const proof = await client.proof(handle.runId);
await client.close();
console.log(`end ${end.status} ${proof.effects.map((x) => `${x.stepId}=${x.verdict}`).join(" ")}`);
await e.stop();
