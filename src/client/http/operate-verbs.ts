// Verbs for operators over HTTP: counts, timelines, checks, batches, workflows, engines, tokens and the audit log. Each is
// one operation, answered as the server answers it; lists without a cursor are read to their end.
import type { AuditPage, AuditQuery, TokenVerbs } from "../../access/types.ts";
import type { OperationInput, OperationOutput } from "../../api/operation-types.ts";
import type { Operation } from "../../api/operations.ts";
import type { ScheduleVerbs } from "../../schedule/types.ts";
import type { TemplateVerbs } from "../../api/types/plan.ts";
import { isPawlError } from "../../errors/error.ts";
import type { BatchVerbs } from "../batches/types.ts";
import { httpBatches } from "./batches.ts";
import { httpSchedules } from "./schedules.ts";
import { cursorOf, type HttpCaller, readAll } from "./call.ts";

type In<O extends Operation> = OperationInput<O>;
type Out<O extends Operation> = Promise<OperationOutput<O>>;
type ItemsOf<O extends Operation> = OperationOutput<O> extends { readonly items: infer I } ? Promise<I> : never;
interface Why {
  readonly reason?: string;
}

export interface OperateVerbs {
  count(q?: In<"runs.count">): Out<"runs.count">;
  guarantees(runs: readonly string[]): ItemsOf<"runs.guarantees">;
  timeline(id: string): Out<"runs.timeline">;
  event(id: string, seq: number): Out<"runs.event">;
  verifyRun(id: string): Out<"runs.verify">;
  readonly batches: BatchVerbs;
  readonly schedules: ScheduleVerbs;
  readonly templates: TemplateVerbs;
  evaluate(id: string): Out<"runs.evaluate">;
  why(id: string, step?: string): ItemsOf<"runs.why">;
  workflows(): ItemsOf<"workflows.list">;
  pauseWorkflow(name: string, o?: Why): Out<"workflows.pause">;
  resumeWorkflow(name: string, o?: Why): Out<"workflows.resume">;
  engines(): ItemsOf<"engines.list">;
  drainEngine(engineId: string, o?: Why): Out<"engines.drain">;
  readonly tokens: TokenVerbs;
  audit(q?: AuditQuery): Promise<AuditPage>;
}

export function operateVerbs(caller: HttpCaller): OperateVerbs {
  const { call } = caller;
  return {
    count: (q = {}) => call("runs.count", q),
    guarantees: async (runs) => (runs.length === 0 ? [] : (await call("runs.guarantees", { runs })).items),
    timeline: (id) => call("runs.timeline", { id }),
    event: (id, seq) => call("runs.event", { id, seq }),
    verifyRun: (id) => call("runs.verify", { id }),
    batches: httpBatches(caller),
    schedules: httpSchedules(caller),
    templates: {
      put: (template) => call("templates.put", { template }),
      get: (namespace, name, version) =>
        call("templates.get", { namespace, name, ...(version === undefined ? {} : { version }) }).catch((e: unknown) => {
          if (isPawlError(e, "PAWL4132")) return undefined;
          throw e;
        }),
      list: (o = {}) => call("templates.list", o),
      retire: (namespace, name, version, who) => call("templates.retire", { namespace, name, version, ...who }),
    },
    evaluate: (id) => call("runs.evaluate", { id }),
    why: (id, step) => readAll((cursor) => call("runs.why", { id, ...(step === undefined ? {} : { step }), ...cursor })),
    workflows: () => readAll((cursor) => call("workflows.list", cursor)),
    pauseWorkflow: (name, o = {}) => call("workflows.pause", { name, ...o }),
    resumeWorkflow: (name, o = {}) => call("workflows.resume", { name, ...o }),
    engines: () => readAll((cursor) => call("engines.list", cursor)),
    drainEngine: (engineId, o = {}) => call("engines.drain", { engineId, ...o }),
    tokens: {
      create: (n) => call("tokens.create", n),
      list: async (q = {}) => {
        const { items, nextCursor } = await call("tokens.list", q);
        return { tokens: items, ...cursorOf(nextCursor) };
      },
      revoke: (tokenId, o = {}) => call("tokens.revoke", { tokenId, reason: o.reason ?? "" }),
      share: (id, s) => call("tokens.share", { id, ...s }),
    },
    audit: async (q = {}) => {
      const { items, nextCursor } = await call("audit.list", q);
      return { records: items, ...cursorOf(nextCursor) };
    },
  };
}
