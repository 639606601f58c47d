// What operators are answered, and what DAGs are made of, has names that a user can import. Types only: it is enough that this compiles.
// It must never import from a place that users cannot reach.
import { expectTypeOf } from "vitest";
import type {
  Client,
  InvestigationView,
  QueueView,
  Readiness,
  RunStanding,
  ScheduleView,
  StepAct,
  StepWhy,
  TemplateView,
  WorkerView,
} from "../../src/client.ts";
import type { DagNode, DoOpts, KeyText, Needs, TemplatePointer, Yielded } from "../../src/index.ts";

declare const client: Client;

expectTypeOf(client.why).returns.resolves.toExtend<readonly StepWhy[]>();
expectTypeOf(client.evaluate).returns.resolves.toExtend<RunStanding>();
expectTypeOf(client.schedules.list).returns.resolves.toExtend<readonly ScheduleView[]>();
expectTypeOf<StepWhy["readiness"]>().toEqualTypeOf<Readiness>();
expectTypeOf<{ do: "skip" }>().toExtend<StepAct>();
expectTypeOf<QueueView["health"]>().toEqualTypeOf<"healthy" | "warning" | "stale">();
expectTypeOf<WorkerView["alive"]>().toEqualTypeOf<boolean>();
expectTypeOf<InvestigationView["n"]>().toEqualTypeOf<number>();
expectTypeOf<TemplateView["digest"]>().toEqualTypeOf<string>();
expectTypeOf<{ a: DagNode<number> }>().toExtend<Needs>();
expectTypeOf<{ trigger: "all-done" }>().toExtend<DoOpts<undefined, {}, "all-done">>();
expectTypeOf<"/input/id">().toExtend<TemplatePointer>();
expectTypeOf<string>().toEqualTypeOf<KeyText>();
expectTypeOf<Yielded<number>>().not.toBeAny();
// Over HTTP the server knows who asks: nobody has to name themselves.
expectTypeOf<{ reason: string }>().toExtend<Parameters<Client["templates"]["retire"]>[3]>();
expectTypeOf<{ reason: string }>().toExtend<Parameters<Client["queues"]["pause"]>[1]>();
expectTypeOf<{ reason: string }>().toExtend<Parameters<Client["act"]>[3]>();
expectTypeOf<{ reason: string }>().toExtend<Parameters<Client["investigations"]["open"]>[1]>();
