// Type tests of appending: a step's event names its step and a run-level one cannot (P-18), one event has one answer and many
// have a batch. `npm run types` compiles this file and nothing ever runs it.
import { connect, handleAppend, type AppendResponse } from "../../src/client.ts";
import { engine, type Appended, type AppendedBatch, type AppendRejection, type Producer, type RunEventWrite } from "../../src/index.ts";

declare const event: RunEventWrite;
declare const events: readonly RunEventWrite[];

export async function all(): Promise<void> {
  const client = await connect();
  const app = await engine();
  for (const at of [client, app]) {
    const one: Appended = await at.append(event);
    const many: AppendedBatch = await at.append(events, { validate: true, workflowId: "w", first: true });
    const results: readonly (Appended | AppendRejection)[] = many.results;
    const same: boolean | null = one.samePayload;
    void [results, same];
    const run: Producer = at.producer({ runId: "r", planId: "p", planVersion: "1" });
    await run.emit({ eventType: "StepStarted", stepId: "a", payload: { any: "thing" } });
    await run.emit({ eventType: "RunStarted", emittedAt: new Date(0) }, { first: true });
    await run.emit({ eventType: "Something.Of.Ours", logicalAttemptId: 2 });
    await run.accept({ idempotencyKey: "k", eventId: await run.idFor("k") });

    // @ts-expect-error a step's event names its step
    await run.emit({ eventType: "StepStarted" });
    // @ts-expect-error a run-level event names none
    await run.emit({ eventType: "RunStarted", stepId: "a" });
    // @ts-expect-error times are dates: their text is made here
    await run.emit({ eventType: "RunStarted", emittedAt: "2026-01-01T00:00:00.000Z" });
    // @ts-expect-error there is no such option
    await at.append(event, { force: true });
  }
  const forgotten: boolean = await client.clearRejection("r", "k");
  const answer: AppendResponse = await handleAppend(client, { event });
  void forgotten;
  if (answer.ok) void answer.result;
  else void answer.error.retryable;
}
