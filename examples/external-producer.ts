// A program that does not use Pawl's engine, such as a nightly load, writes its run into Pawl's log: each event once, however
// often the program is killed and started again. Here it is started twice in sequence, and once while another process writes.
import { connect } from "pawl/client";

const client = await connect({ store: "sqlite:./loads.db" });
const night = { runId: "load-2026-01-31", planId: "nightly-load", planVersion: "7" };

/** The whole load, from the beginning: a producer needs no memory of how far it came. Says how many events were new. */
async function load(): Promise<number> {
  const run = client.producer(night);
  const answers = [await run.emit({ eventType: "RunStarted", payload: { tables: 2 } })]; // its id is on disk before it is sent
  for (const table of ["orders", "customers"]) {
    answers.push(await run.emit({ eventType: "StepStarted", stepId: table }));
    answers.push(await run.emit({ eventType: "StepCompleted", stepId: table, payload: { table } }));
  }
  answers.push(await run.emit({ eventType: "RunCompleted" }));
  return answers.filter((a) => a.persisted).length;
}

await load();
console.log(`events added by a second start: ${await load()}`);
await Promise.all([load(), load()]); // two at once: who comes second is answered with what is there
console.log((await client.events(night.runId)).map((e) => `${e.runSeq} ${e.eventType} ${e.stepId ?? ""}`.trim()).join("\n"));

// With validation, an invalid event is rejected, and rejected again, whatever has happened since.
const late = client.producer(night).emit({ eventType: "StepStarted", stepId: "returns" }, { validate: true });
await late.catch((e: { code: string; message: string }) => console.log(`${e.code}: ${e.message}`));
await client.close();
