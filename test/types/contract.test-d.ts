// The types that are made from the contract's files: what they let through and what they refuse to compile. A
// step's event without its step is refused at run time only: its type may as well be any other text.
import { expectTypeOf } from "vitest";
import type { EvidenceManifest, InvalidTransitionAlert, RunEventRecord, RunEventWrite } from "../../src/index.ts";

declare const common: Omit<RunEventWrite, "eventType" | "stepId">;

const step: RunEventWrite = { ...common, eventType: "StepStarted", stepId: "charge" };
const run: RunEventWrite = { ...common, eventType: "RunStarted" };
const other: RunEventWrite = { ...common, eventType: "shop.Visited" };
// @ts-expect-error a run's event names no step
const both: RunEventWrite = { ...common, eventType: "RunStarted", stepId: "charge" };
// @ts-expect-error a record has its place
const placeless: RunEventRecord = { ...step, persistedAt: "2026-11-16T12:00:00.000Z" };
void [run, other, both, placeless];

expectTypeOf<RunEventRecord["runSeq"]>().toEqualTypeOf<number>();
expectTypeOf<RunEventWrite["payload"]>().toEqualTypeOf<Readonly<Record<string, unknown>> | undefined>();
// @ts-expect-error a payload is an object
void ({ ...common, eventType: "RunStarted", payload: "text" } satisfies RunEventWrite);
expectTypeOf<InvalidTransitionAlert["code"]>().toEqualTypeOf<"INVALID_TRANSITION">();
expectTypeOf<EvidenceManifest["run"]["status"]>().toEqualTypeOf<"PENDING" | "RUNNING" | "PAUSED" | "COMPLETED" | "FAILED" | "CANCELLED">();
expectTypeOf<EvidenceManifest["signer"]>().toEqualTypeOf<{ readonly algorithm: "Ed25519"; readonly publicKey: string } | undefined>();
