// A run of external origin whose log a test writes as it likes, valid or not, one Commit per call: what a projector must bear.
// Keys, links and ids are made as a producer makes them; the run's row is whatever the test says, since readers trust none of it.
import { defaultScope } from "../../src/client/environment.ts";
import type { EventType, RunStatus, Scope } from "../../src/core/model.ts";
import { EventMaker } from "../../src/events/event-maker.ts";
import type { Platform } from "../../src/platform/platform.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { Commit, EventWrite } from "../../src/store/port.ts";

/** Type, step, attempt, payload. */
export type EventSpec = readonly [EventType, (string | null)?, (number | undefined)?, string?];

export interface Forged {
  readonly runId: string;
  /** One Commit with these events; answers what was written. */
  add(...events: readonly EventSpec[]): Promise<readonly EventWrite[]>;
}

export interface ForgeOptions {
  readonly scope?: Scope;
  readonly status?: RunStatus;
  /** The producer's clock is wrong by this much. */
  readonly skewMs?: number;
}

export function forge(store: FullStore, platform: Platform, runId: string, o: ForgeOptions = {}): Forged {
  const scope = o.scope ?? defaultScope;
  const maker = new EventMaker({ runId, scope, planId: "plan", planVersion: "1" }, platform, { seq: 0, link: "", sealedAt: null });
  const fence = { epoch: 0, token: "" };
  const ordinals = new Map<string, number>();
  let stateVersion = 0;
  return {
    runId,
    add: async (...events) => {
      const writes = events.map(([eventType, stepId = null, attempt, payload = null]) => {
        const kind = `${eventType} ${stepId ?? ""}`;
        ordinals.set(kind, (ordinals.get(kind) ?? 0) + 1);
        // Run-level types are numbered, so that one of them may come again; a step's attempt is what the test says.
        const logicalAttemptId = attempt ?? (stepId === null ? ordinals.get(kind)! : 1);
        const emittedAt = platform.wallMs() + (o.skewMs ?? 0);
        return maker.make({ eventType, stepId, logicalAttemptId, engineAttemptId: 1, emittedAt, payload }, stateVersion + 1);
      });
      const commit: Commit = {
        commitId: platform.uuidV4(),
        runId,
        expect: stateVersion === 0 ? { create: newRun(runId, scope) } : { fence, stateVersion },
        events: writes,
        status: o.status ?? "RUNNING",
        waiting: null,
        due: { at: null, inMs: null },
        release: false,
        notBefore: null,
        taken: [],
        consumed: [],
        replies: [],
        views: [],
        children: [],
        notices: [],
        moveInboxTo: null,
      };
      const [answer] = (await store.commit([commit])).answers;
      if (answer?.kind !== "committed") throw new RangeError(`the forged Commit was answered ${JSON.stringify(answer)}`);
      maker.onCommitted(answer.persistedAt);
      stateVersion++;
      return writes;
    },
  };

  function newRun(id: string, of: Scope) {
    return {
      scope: of,
      workflowId: id,
      workflow: "plan",
      version: "1",
      tags: {},
      inputDigest: "",
      idempotencyKey: null,
      deadlineInMs: null,
      originalRunId: null,
      rootRunId: id,
      parentRunId: null,
      parentStepId: null,
      supersedes: null,
      owner: null,
      fence,
      origin: "external" as const,
    };
  }
}
