// What the clients of one store and one tenant in this process share: the subscription to its hints, what engines published, and the engine that
// applies controls. A server has a client for each principal and one of these, so a client costs next to nothing. It must be closed before the
// store is.
import type { WorkflowDescription } from "../engine/definition.ts";
import { ControlApplier, type ApplierDeps } from "./control/control-applier.ts";
import { LogFolds } from "./lists/log-folds.ts";
import { type StoreWatcher, watcherOf } from "./store-watcher.ts";

export class SharedParts {
  readonly watcher: StoreWatcher;
  readonly applier: ControlApplier;
  /** What follows from the logs that were looked at last. */
  readonly folds: LogFolds;
  /** What versions of workflows take, as it was read last; by workflow and version. */
  readonly messages: Map<string, WorkflowDescription> = new Map();

  constructor(o: ApplierDeps) {
    this.watcher = watcherOf(o.store, o.platform);
    this.applier = new ControlApplier(o);
    this.folds = new LogFolds(o.store);
  }

  async close(): Promise<void> {
    await this.applier.close();
  }
}
