// The part of the client for who operates engines and a store: workflows and whether they are served, engines, the store as a whole.
// Shapes only: what they mean is written in docs/operating.
import type { ExplainedEngine, WorkflowView } from "../../api/types/operate.ts";
import type { StoreView } from "../../api/types/run.ts";
import type { RepairOptions, RepairReport } from "../audit/repair.ts";
import type { StoreVerification, VerifyStoreOptions } from "../audit/verify-store.ts";

export interface OperatorVerbs {
  /**
   * Workflows that engines have published: versions, schemas, and whether an engine that serves them is alive.
   *
   * @example
   * const idle = (await client.workflows()).filter((w) => !w.served);
   */
  workflows(): Promise<readonly WorkflowView[]>;
  /**
   * Engines of this tenant stop beginning runs of this workflow and taking on waiting ones, within about a second. Starts are queued; runs that are
   * at work continue.
   *
   * @example
   * await client.pauseWorkflow("order", { reason: "the bank is down" });
   */
  pauseWorkflow(workflow: string, o?: { readonly reason?: string }): Promise<WorkflowView>;
  /**
   * Engines take on runs of this workflow again.
   *
   * @example
   * await client.resumeWorkflow("order");
   */
  resumeWorkflow(workflow: string): Promise<WorkflowView>;
  /**
   * The engines of this tenant, those that are alive first.
   *
   * @example
   * const draining = (await client.engines()).filter((e) => e.draining);
   */
  engines(): Promise<readonly ExplainedEngine[]>;
  /**
   * An engine takes on no more runs and releases those that it owns, each when its steps that are at work have ended. It stays alive until its
   * process is stopped.
   *
   * @example
   * await client.drainEngine("01a1ea64-e49e-75b6-94c1-7920918a7ab4", { reason: "this machine is replaced" });
   */
  drainEngine(engineId: string, o?: { readonly reason?: string }): Promise<ExplainedEngine>;
  /**
   * The store as an operator sees it: format, clock, settings, engines.
   *
   * @example
   * const alive = (await client.info()).engines.filter((e) => e.alive);
   */
  info(): Promise<StoreView>;
  /**
   * Folds every log again and compares every derived table with it. Engines may be writing meanwhile.
   *
   * @example
   * const { ok, findings } = await client.verifyStore();
   */
  verifyStore(o?: VerifyStoreOptions): Promise<StoreVerification>;
  /**
   * Makes derived tables again from the logs. It writes only with `write: true`, and only while no engine is alive.
   *
   * @example
   * const { left } = await client.repairStore({ write: true });
   */
  repairStore(o?: RepairOptions): Promise<RepairReport>;
}
