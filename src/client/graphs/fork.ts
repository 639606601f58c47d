// `fork`: a new run of a graph that begins where another one stood after a superstep, with or without an update of its state. The other run's log stays
// as it is, and what that run did is never undone by the new one. What becomes of recorded effects is the table's to say (core/send-again.ts); the dry
// run reads the same table. Nothing here runs the author's code: the engine that claims the run merges the update.
import { encode } from "../../codec/value.ts";
import { updateProblem } from "../../core/graph/channels.ts";
import type { GraphState } from "../../core/fold/graph.ts";
import { checkOptions, mayRepeat } from "../../core/guarantee.ts";
import { isSettled } from "../../core/model.ts";
import { checkId } from "../../core/names.ts";
import { principalText } from "../../core/principal.ts";
import { actsOutside } from "../../core/step-kind-facts.ts";
import type { ForkOptions, Forked, ForkPlan, ForkQuestion } from "../../api/types/fork.ts";
import type { PlannedStep } from "../../api/types/retry.ts";
import { stateAfter } from "../../engine/chain/fork-point.ts";
import { earlierRuns } from "../../engine/chain/read-run-chain.ts";
import { RunChain, sameAfterFork, type ChainStep } from "../../engine/chain/run-chain.ts";
import { createCommit } from "../../engine/create-run.ts";
import { readEvents } from "../../engine/run/load-run.ts";
import { forkRow } from "../../engine/upkeep/fork-sources.ts";
import { PawlError } from "../../errors/error.ts";
import { readPayload, type ForkOrder, type RunStartPayload } from "../../events/payload.ts";
import type { RunRow } from "../../store/port.ts";
import { assertLocal, requirePayloads } from "../archive/availability.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { retryUnknown } from "../messages/retry-unknown.ts";
import { planStep, recordedStepFacts } from "../start/planned-steps.ts";
import { checkStatedText } from "../start/retry.ts";
import { statedBy } from "../stated-by.ts";
import { lookUp } from "./look-back.ts";

const forkOptions: ReadonlySet<string> = new Set(["id", "at", "update", "effects", "by", "reason", "dryRun"]);

export async function forkRun(c: LocalClientDeps, row: RunRow, o: ForkOptions | ForkQuestion): Promise<ForkPlan | Forked> {
  // A misspelt dryRun would really fork.
  if (typeof o !== "object" || o === null) throw new PawlError("PAWL5001", "fork takes an object of options");
  checkOptions(o, forkOptions, "fork");
  const source = requirePayloads(assertLocal(row));
  const events = await readEvents(c.store, source.runId);
  const { found: at, first, last } = lookUp(source, events, o.at);
  if (at === undefined)
    throw new PawlError("PAWL4011", `run ${source.runId} has no superstep ${o.at}: it has ${first.superstep} to ${last.superstep}`, {
      data: { runId: source.runId },
    });
  const { superstep, key } = at;
  const update = checkedUpdate(c, stateAfter(events, superstep)!, o.update);
  const effects = checkedEffects(source, o.effects ?? "adopt");
  const order = { runId: source.runId, superstep, key, effects, ...(update === undefined ? {} : { update }) };
  if ("dryRun" in o && o.dryRun === true) {
    const next = at.next.map(({ node, item }) => ({ node, item }));
    return {
      dryRun: true,
      runId: source.runId,
      workflowId: source.workflowId,
      superstep,
      key,
      effects,
      next,
      steps: await planned(c, order),
    };
  }
  const by = checkStatedText(statedBy(c.by, o.by, "/by"), "by: who asks for it", "fork");
  return create(c, source, checkId(o.id ?? "", "the new run's id"), {
    ...order,
    by,
    reason: checkStatedText(o.reason, "reason: why", "fork"),
  });
}

/** Only of a run that has ended is everything known that it did. */
function checkedEffects(source: RunRow, effects: unknown): ForkOrder["effects"] {
  if (effects !== "adopt" && effects !== "new") throw new PawlError("PAWL4011", 'effects is "adopt" or "new"');
  if (effects === "adopt" && !isSettled(source.status))
    throw new PawlError(
      "PAWL4010",
      `run ${source.runId} is ${source.status}: what it did can be taken over once it has ended; until then fork it with effects: "new"`,
    );
  return effects;
}

/** By the channels that the log names; a reducer is asked when the run begins. */
function checkedUpdate(c: LocalClientDeps, { channels }: GraphState, update: unknown): ForkOrder["update"] {
  if (update === undefined) return undefined;
  if (typeof update !== "object" || update === null || Array.isArray(update))
    throw new PawlError("PAWL1051", "update must be an object of channels");
  const tree = JSON.parse(encode(update, c.limits, "update")) as Record<string, never>;
  for (const [name, value] of Object.entries(tree)) {
    const kind = Object.hasOwn(channels, name) ? channels[name] : undefined;
    if (kind === undefined)
      throw new PawlError("PAWL1051", `update has a value for ${name}, and no channel is called that`, { data: { channel: name } });
    const problem = updateProblem(kind, value);
    if (problem !== undefined) throw new PawlError("PAWL1051", `update: channel ${name} ${problem}`, { data: { channel: name } });
  }
  return Object.keys(tree).length === 0 ? undefined : tree;
}

async function create(c: LocalClientDeps, source: RunRow, workflowId: string, fork: ForkOrder): Promise<Forked> {
  const { start } = (await earlierRuns(c.store, source.runId)).earlier.at(-1)!.history;
  const runId = c.platform.uuidV7();
  const { superstep } = fork;
  const commit = createCommit(c, {
    runId,
    workflowId,
    // New code may take over at a fork: the version that is served here, if any is.
    definition: { name: source.workflow, version: c.engine?.definition(source.workflow)?.version ?? source.version },
    input: start.input === undefined ? null : JSON.stringify(start.input),
    parsed: start.parsed === true,
    tags: source.tags,
    priority: start.priority,
    deadlineMs: source.deadlineAt === null ? null : source.deadlineAt - source.createdAt, // as long again
    originalRunId: source.runId,
    traceparent: c.telemetry?.current(),
    by: principalText(c.by),
    fork,
    ...(c.store.lacks?.includes("reader") === true ? {} : { puts: [forkRow(source.runId, runId)] }), // retention keeps the source for it
  });
  const [answer] = (await retryUnknown(c.platform, () => c.store.commit([commit]))).answers;
  if (answer?.kind === "committed" || answer?.kind === "duplicate") {
    c.engine?.wake();
    return { runId, workflowId, superstep, replayed: false };
  }
  if (answer?.kind !== "conflict") throw new PawlError("PAWL3002", `the new run was answered ${answer?.kind ?? "not at all"}`);
  const { existing } = answer;
  if (existing.runId === runId) return { runId, workflowId, superstep, replayed: false }; // asked again, it met its own run
  if (await isSameFork(c, existing, fork)) return { runId: existing.runId, workflowId, superstep, replayed: true };
  throw new PawlError("PAWL4002", `${workflowId} is the id of another run: ${existing.runId}`, {
    data: { workflowId, runId: existing.runId },
  });
}

async function isSameFork(c: LocalClientDeps, existing: RunRow, asked: ForkOrder): Promise<boolean> {
  const [first] = existing.purgedAt === null ? await c.store.events({ runId: existing.runId, after: 0, limit: 1 }) : [];
  const { fork } = readPayload<RunStartPayload>(first?.payload ?? null);
  const what = ({ runId, superstep, effects, update }: ForkOrder): string => JSON.stringify([runId, superstep, effects, update ?? null]);
  return fork !== undefined && what(fork) === what(asked);
}

async function planned(c: LocalClientDeps, order: Omit<ForkOrder, "by" | "reason">): Promise<readonly PlannedStep[]> {
  const { earlier } = await earlierRuns(c.store, order.runId);
  const { runInput } = earlier.at(-1)!;
  const line = new RunChain(earlier, { start: { fork: { ...order, by: "", reason: "" } }, runInput });
  if (order.effects === "new") return line.steps.map(plannedAnew);
  const { nowMs } = await c.store.info();
  return Promise.all(line.steps.map((e) => planStep(c, line, e, nowMs, sameAgain(e))));
}

/** The call as it was recorded, made again. */
function sameAgain(e: ChainStep): boolean | "other" {
  const { started } = e.past;
  const { input } = started as { readonly input?: unknown };
  const call = started.attemptOf === undefined ? started : { ...started, key: started.attemptOf };
  return sameAfterFork(e, call, input === undefined ? null : JSON.stringify(input));
}

function plannedAnew(e: ChainStep): PlannedStep {
  const { kind, class: cls } = e.past.started;
  const happened = actsOutside(kind) && e.recorded !== "nothing" && !mayRepeat(cls ?? "UNDECLARED");
  return { ...recordedStepFacts(e), outlook: happened ? "may repeat" : "runs again", why: "nothing is taken over" };
}
