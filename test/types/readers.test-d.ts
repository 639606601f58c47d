// The shapes of those who read the log: what a handler gets, what a projector answers, and that neither takes less than it needs.
// Compiled, never run.
import { expectTypeOf, it } from "vitest";
import {
  projector,
  type Alert,
  type Engine,
  type InvalidTransitionAlert,
  type ProjectorPolicy,
  type RunEventRecord,
  type RunEventWrite,
} from "../../src/index.ts";
import type { Client, ConsumerView, ProjectionView, Rebuilt, Subscription } from "../../src/client.ts";

declare const client: Client;
declare const engine: Engine;
declare const record: RunEventRecord;
declare const write: RunEventWrite;

it("a handler gets persisted records, of any type", () => {
  const reading = client.subscribe({
    consumer: "billing",
    handler: (event, delivery) => {
      expectTypeOf(event).toEqualTypeOf<RunEventRecord>();
      expectTypeOf(event.runSeq).toEqualTypeOf<number>();
      expectTypeOf(delivery.watermark).toEqualTypeOf<number>();
      expectTypeOf(delivery.signal).toEqualTypeOf<AbortSignal>();
    },
  });
  expectTypeOf(reading).resolves.toEqualTypeOf<Subscription>();
  expectTypeOf(engine.subscribe).toEqualTypeOf<Client["subscribe"]>();
  // @ts-expect-error a consumer has a name
  void client.subscribe({ handler: () => {} });
  // @ts-expect-error it begins at the start or now
  void client.subscribe({ consumer: "x", from: "yesterday", handler: () => {} });
});

it("the projector takes records with a place in the log, and no others", () => {
  const p = projector({ policy: "freeze" });
  expectTypeOf(p.policy).toEqualTypeOf<ProjectorPolicy>();
  const { alerts } = p.reduce(p.empty("r"), record);
  expectTypeOf(alerts).toEqualTypeOf<readonly InvalidTransitionAlert[]>();
  // @ts-expect-error an event on its way to the log has no runSeq
  p.reduce(p.empty("r"), write);
  // @ts-expect-error there are two policies
  projector({ policy: "A" });
});

it("the client shows projections, alerts and consumers", () => {
  expectTypeOf(client.projection("r")).resolves.toEqualTypeOf<ProjectionView | undefined>();
  expectTypeOf(client.rebuild()).resolves.toEqualTypeOf<Rebuilt>();
  expectTypeOf(client.consumers()).resolves.toEqualTypeOf<readonly ConsumerView[]>();
  expectTypeOf(client.project({ onAlert: (a) => expectTypeOf(a).toEqualTypeOf<Alert>() })).resolves.toEqualTypeOf<Subscription>();
});
