// pawl/client: talk to runs without running any: start, look, signal, update, control, on a store that engines share.
// It claims nothing and runs no code; what it asks for is done by whichever engine owns the run.
import { defaultScope } from "./client/engine.ts";
import { localClient } from "./client/local.ts";
import type { Client } from "./client/types.ts";
import { limits } from "./core/limits.ts";
import type { Scope } from "./core/model.ts";
import { openStore } from "./open.ts";
import { systemPlatform } from "./platform/system.ts";
import type { Store } from "./store/port.ts";

export interface ConnectOpts {
  /** "sqlite:<path>" or an open Store; by default the nearest .pawl. */
  store?: string | Store;
  tenant?: Scope;
}

/** The client, and how to let go of the store it opened. */
export async function connect(o: ConnectOpts = {}): Promise<Client & { close(): Promise<void> }> {
  const platform = systemPlatform();
  const store = typeof o.store === "object" ? o.store : await openStore(o.store, platform);
  const client = localClient({ store, platform, scope: o.tenant ?? defaultScope, limits: limits(), engine: null, retainMs: null });
  return { ...client, close: async () => (typeof o.store === "object" ? undefined : store.close()) };
}

export type {
  AcceptedSignalResult,
  Client,
  Control,
  ExportOptions,
  HoldView,
  ImportOptions,
  ImportReport,
  RetentionPolicy,
  RetentionReport,
  Who,
  DecisionAnswer,
  DecisionView,
  EffectFilter,
  EffectView,
  EngineView,
  Finding,
  RepairOptions,
  RepairReport,
  RunEnd,
  RunFilter,
  LegalAnswer,
  Resolved,
  RunView,
  StartRequest,
  StepView,
  StoreVerification,
  StoreView,
  VerifyProgress,
  VerifyStoreOptions,
} from "./client/types.ts";
export { handleAppend, type AppendRequest, type AppendResponse } from "./client/append-port.ts";
export type { Appended, AppendedBatch, AppendOptions, AppendRejection } from "./log/append-types.ts";
export type { RunEventRecord, RunEventWrite } from "./log/envelope.ts";
export type { EventIdRegistry, EventToEmit, ProducedRun, Producer } from "./log/registry.ts";
export type { EvidenceOptions } from "./log/evidence.ts";
export type { OwnTransaction } from "./store/own.ts";
export type { DeliverOpts, Delivering, DeliveryView, EndpointSecret, EndpointView, NewEndpoint, Webhooks } from "./webhooks/types.ts";
export { PawlError } from "./errors/error.ts";
