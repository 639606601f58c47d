// A producer outside an engine, in a process of its own: emits the events of one run, says each answer, and ends. Started
// again it emits all of them again, from the beginning, as a producer without a memory of its own does.
import { connect } from "../../../src/client.ts";

const { store, runId, steps } = JSON.parse(process.argv[2] ?? "{}") as { store: string; runId: string; steps: string[] };
const client = await connect({ store });
const producer = client.producer({ runId, planId: "plan", planVersion: "1" });
const events = [
  { eventType: "RunStarted" } as const,
  ...steps.flatMap((stepId) => [
    { eventType: "StepStarted", stepId } as const,
    { eventType: "StepCompleted", stepId, payload: { result: stepId } } as const,
  ]),
  { eventType: "RunCompleted" } as const,
];
for (const e of events) console.log(`emitted ${JSON.stringify(await producer.emit(e, { validate: true }))}`);
await client.close();
