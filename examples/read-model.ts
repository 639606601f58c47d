// A read model: a table of parcels, kept by a consumer that gets every event, in order per run, at least once. Its watermark is in
// the store, so a second start gets only new events; the table ignores events that it has seen.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { engine, workflow } from "pawl";

const parcel = workflow({ name: "parcel" }, async (ctx) => {
  await ctx.step("pack", () => "paper");
  await ctx.step("ship", () => "by train");
});

interface Row {
  status: string;
  steps: number;
  seen: number;
}
const file = "parcels.json";
const table: Record<string, Row> = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
let handled = 0;

const e = await engine({ workflows: [parcel] });
for (const id of ["p-1", "p-2"]) await e.run(parcel, undefined, { id });

const reading = await e.subscribe({
  consumer: "parcels",
  once: true, // a service leaves this out, and calls stop() when it ends
  handler: (event) => {
    const row = (table[event.runId] ??= { status: "?", steps: 0, seen: 0 });
    if (event.runSeq <= row.seen) return; // again, after a crash before it was acknowledged
    if (event.eventType === "StepCompleted") row.steps++;
    if (event.eventType.startsWith("Run")) row.status = event.eventType;
    row.seen = event.runSeq;
    writeFileSync(file, JSON.stringify(table));
    handled++;
  },
});
await reading.done;

console.log(`${handled} events`);
for (const row of Object.values(table)) console.log(`${row.status} after ${row.steps} steps`);
await e.stop();
