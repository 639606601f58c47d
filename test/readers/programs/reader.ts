// A process that reads the log once through, as a subscriber or as a projector, and writes down outside the store what its handler
// was called with. It dies where PAWL_CRASH names a point, or in its handler, before or after it wrote that down.
import { appendFileSync } from "node:fs";
import { connect } from "../../../src/client.ts";

interface Given {
  readonly store: string;
  /** The file of what was done. */
  readonly done: string;
  readonly as: "subscriber" | "projector";
  /** "before one 3": dies in the handler of this event. */
  readonly die?: string;
}

const { store, done, as, die } = JSON.parse(process.argv[2] ?? "{}") as Given;
const client = await connect({ store });

function told(what: string): void {
  if (die === `before ${what}`) process.kill(process.pid, "SIGKILL");
  appendFileSync(done, `${what}\n`);
  if (die === `after ${what}`) process.kill(process.pid, "SIGKILL");
}

const reading =
  as === "subscriber"
    ? await client.subscribe({
        consumer: "billing",
        once: true,
        batch: 2,
        leaseMs: 500,
        handler: (e, { watermark }) => {
          if (e.runSeq <= watermark) throw new RangeError("acknowledged before");
          told(`${e.runId} ${e.runSeq}`);
        },
      })
    : await client.project({ once: true, leaseMs: 500, onAlert: (a) => told(`alert ${a.runId} ${a.runSeq}`) });
await reading.done;
await client.close();
process.stdout.write("through\n");
