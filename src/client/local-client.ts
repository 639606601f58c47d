// The client in process: every verb on the store's port, with the engine's help when there is one. It never touches a
// run's row (K8): signals, updates and control are inbox rows, a start is a create. What the store answers is turned
// into public shapes or into an error with a code.
import { decode } from "../codec/value.ts";
import { readEvents } from "../engine/run/load-run.ts";
import { retentionPass } from "../engine/upkeep/retention.ts";
import type { Definition } from "../engine/definition.ts";
import { readKeyFile } from "../log/seal-key-file.ts";
import { PawlError } from "../errors/error.ts";
import { appendAuthority } from "../log/append-authority.ts";
import { producer } from "../log/producer.ts";
import { httpPost } from "../platform/net/post.ts";
import type { RunRow } from "../store/port.ts";
import { webhookVerbs } from "../webhooks/verbs.ts";
import { readAudit } from "../access/audit-read.ts";
import { tokenVerbs } from "../access/tokens.ts";
import { repairStore } from "./audit/repair.ts";
import { verifyStore } from "./audit/verify-store.ts";
import { messageState } from "./messages/message-state.ts";
import { MessageCheck, type MessageToCheck } from "./messages/message-check.ts";
import { readEvidence } from "./ledger/read-evidence.ts";
import { importRuns } from "./archive/import.ts";
import { holdRun, listHolds, releaseRun } from "./archive/holds.ts";
import { exportRuns, exportIdOf, undoExport } from "./archive/export.ts";
import { requireLog } from "./archive/availability.ts";
import type { ClientContext, LocalClientDeps } from "./client-deps.ts";
import { controlRun } from "./control/control-run.ts";
import { findRun, requireRun } from "./find-run.ts";
import { listRunPage } from "./lists/list-runs.ts";
import { answerQuestion } from "./questions/answer.ts";
import { listQuestions } from "./questions/list.ts";
import { resolveDecision } from "./ledger/resolve-decision.ts";
import { listDecisions, readDecisionPage } from "./ledger/decisions.ts";
import { readEffectPage, proveId } from "./ledger/effects.ts";
import { forkRun } from "./graphs/fork.ts";
import { nextTurn } from "./graphs/next.ts";
import { historyPage, ioOf, stateAt } from "./graphs/look-back.ts";
import { streamGraph } from "./graphs/stream.ts";
import { usageOf } from "../events/usage.ts";
import { requirePayloads } from "./archive/availability.ts";
import { readCauses } from "./ledger/read-causes.ts";
import { postMessage } from "./messages/post-message.ts";
import { OpenReaders, readerVerbs } from "./reader-verbs.ts";
import { waitForEnd } from "./run-end.ts";
import { sendSignal, sendUpdate } from "./messages/send-message.ts";
import { SharedParts } from "./shared-parts.ts";
import { retryRun } from "./start/retry.ts";
import type { ForkOptions, ForkQuestion } from "../api/types/fork.ts";
import type { RetryOptions } from "../api/types/retry.ts";
import { investigationVerbs } from "./investigations/investigation-verbs.ts";
import { decisionOfAct } from "./operate/act.ts";
import { whyOfRun } from "./operate/why.ts";
import { askedBy, queueVerbs } from "./queues/queue-verbs.ts";
import { scheduleVerbs } from "./schedules/schedule-verbs.ts";
import { batchVerbs } from "./batches/batch-verbs.ts";
import { readEventPage, readOneEvent } from "./operate/event-pages.ts";
import { guaranteesOfRuns } from "./ledger/run-guarantees.ts";
import { countRuns } from "./operate/run-counts.ts";
import { timelineOf } from "./operate/timeline.ts";
import { evaluateRun } from "./operate/evaluate.ts";
import { templateVerbs } from "./operate/templates.ts";
import { verifyOneRun } from "./operate/verify-run.ts";
import { explainRun } from "./operate/explain-run.ts";
import { drainEngine, listEngines, pauseWorkflow, resumeWorkflow } from "./operate/workflow-control.ts";
import { listWorkflows } from "./operate/workflow-views.ts";
import { startByName } from "./start/client-start.ts";
import { readStepPage } from "./lists/step-page.ts";
import type { Client } from "./types.ts";
import { runView, stepView, storeView } from "./views.ts";
import { follow, watch } from "./streams/follow.ts";

export function localClient(deps: LocalClientDeps): Client {
  const parts = deps.parts ?? new SharedParts(deps);
  const c: ClientContext = { ...deps, parts };
  const { watcher } = parts;
  const codeOf = (run: Pick<RunRow, "workflow" | "version">): Definition | undefined => codeHere(c, run);
  const messages = new MessageCheck(c.store, c.scope, codeOf, parts.messages);
  const authority = appendAuthority(c.store, c.platform, { scope: c.scope, limits: c.limits });

  const find = (id: string): Promise<RunRow> => requireRun(c, id);
  const tokens = tokenVerbs(c, null);
  const sending = { c, watcher, messages };
  const turn = (): Promise<void> => new Promise((resolve) => c.platform.turn(resolve));
  /** With the run's own id, whichever was given. */
  const named = async <O extends { readonly run?: string }>(o: O): Promise<O> =>
    o.run === undefined ? o : { ...o, run: (await find(o.run)).runId };

  const resolve: Client["resolve"] = (id, answer, o) =>
    resolveDecision(c, watcher, (to, name, messageId, payload) => postMessage(c, to, "control", name, messageId, payload), id, answer, o);

  const answering = {
    c,
    watcher,
    post: (to: string, messageId: string, payload: string) => postMessage(c, to, "control", "resolve", messageId, payload),
    resolve,
  };

  return {
    start: (r, o) => startByName(c, r, o),
    get: async (id) => {
      const row = await findRun(c, id);
      if (row === undefined) return undefined;
      const exportId = await exportIdOf(c, row);
      return { ...runView(row), ...(exportId === undefined ? {} : { exportId }), because: await explainRun(c, row) };
    },
    list: (q) => listRunPage(c, q),
    steps: async (id) => (await parts.folds.steps(requireLog(await find(id)))).map(stepView),
    stepPage: async (id, o) => readStepPage(parts.folds, c.scope, requireLog(await find(id)), o),
    events: async (id, o) => readEventPage(c, requireLog(await find(id)), o),
    event: async (id, seq) => readOneEvent(c, requireLog(await find(id)), seq),
    timeline: async (id) => {
      const row = requireLog(await find(id));
      return timelineOf(row, await readEvents(c.store, row.runId));
    },
    count: (q) => countRuns(c, q),
    guarantees: (runs) => guaranteesOfRuns(c, runs),
    verifyRun: async (id) => verifyOneRun(c, requireLog(await find(id))),
    waitForEnd: (id, o) => waitForEnd(c, watcher, id, o),
    signal: (id, name, payload, o) => sendSignal(sending, id, name, payload, o),
    update: (id, name, payload, o) => sendUpdate(sending, id, name, payload, o),
    signalState: (id, name, signalId) => messageState(c, "signal", id, name, signalId),
    updateState: (id, name, updateId) => messageState(c, "update", id, name, updateId),
    view: async (id, name) => {
      const row = await find(id);
      const code = codeOf(row);
      if (code !== undefined && !code.views.has(name)) throw undeclaredView(row, name, code);
      const value = (await c.store.views(row.runId))[name];
      return value === undefined ? undefined : decode(value);
    },
    control: (id, what, o) => controlRun(c, id, what, o),
    retry: (async (id: string, o?: RetryOptions) => retryRun(c, await find(id), o ?? {})) as Client["retry"],
    next: async (id, input, o) => nextTurn(c, await find(id), input, o ?? {}),
    fork: (async (id: string, o: ForkOptions | ForkQuestion) => forkRun(c, requireLog(await find(id)), o)) as Client["fork"],
    evidence: (id, o = {}) => readEvidence(c.store, async () => requireLog(await find(id)), o),
    effects: (q) => readEffectPage(c, q),
    decisions: (o) => listDecisions(c, parts.folds, o),
    decisionPage: async (o) => readDecisionPage(c, parts.folds, o, o?.run === undefined ? undefined : await find(o.run)),
    resolve,
    questions: async (id) => listQuestions(c, parts.folds, requireLog(await find(id))),
    answer: (questionId, value, o) => answerQuestion(answering, questionId, value, o),
    state: async (id, o) => stateAt(c, requireLog(await find(id)), o),
    history: async (id, o) => historyPage(c, requireLog(await find(id)), o),
    streamGraph: (id, o) => streamGraph(c, id, o),
    io: async (id, superstep) => ioOf(c, requireLog(await find(id)), superstep),
    usage: async (id) => {
      const row = await find(id);
      requirePayloads(row);
      return usageOf(row.runId, await readEvents(c.store, row.runId));
    },
    causes: async (id) => readCauses(c, id, await findRun(c, id)),
    proof: async (id) => proveId(c, id, await findRun(c, id)),
    ...readerVerbs({ ...c, readers: c.readers ?? new OpenReaders(), find }),
    // A run that retention removed is still known to the audit log, by its own id.
    audit: async (q = {}) =>
      readAudit(c.store, c.scope, q.run === undefined ? q : { ...q, run: (await findRun(c, q.run))?.runId ?? q.run }),
    tokens: { ...tokens, share: async (id, s) => tokens.share((await find(id)).runId, s) },
    webhooks: webhookVerbs({ ...c, post: c.postHttp ?? httpPost, find }),
    verifyStore: async (o = {}) => verifyStore(c.store, c.scope, await named(o), turn),
    repairStore: async (o = {}) => repairStore(c.store, c.scope, await named(o), turn),
    hold: async (id, who) => holdRun(c, await find(id), who),
    release: async (id, who) => releaseRun(c, await find(id), who),
    holds: (o) => listHolds(c, o),
    applyRetention: async (policy, { keyFile, ...o } = {}) => {
      const sealKey = keyFile === undefined ? null : readKeyFile(keyFile);
      return retentionPass({ store: c.store, scope: c.scope, platform: c.platform, policy, sealKey, ...o });
    },
    exportRuns: (o) => exportRuns(c, find, o),
    undoExport: (exportId) => undoExport(c, exportId),
    importRuns: (lines, o) => importRuns(c, lines, o),
    batches: batchVerbs(c),
    schedules: scheduleVerbs(c),
    templates: templateVerbs(c),
    evaluate: (id) => evaluateRun(c, () => find(id)),
    queues: queueVerbs(c),
    why: async (id, step) => whyOfRun(c, requireLog(await find(id)), step),
    act: async (id, step, act, o) => {
      const row = requireLog(await find(id));
      const { requestId, timeoutMs, signal } = o;
      const { decisionId, answer } = await decisionOfAct(c, { row, step, act, who: askedBy(c, o), requestId, timeoutMs, signal });
      return resolve(decisionId, answer as never, {
        ...(requestId === undefined ? {} : { requestId }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(signal === undefined ? {} : { signal }),
      });
    },
    investigations: investigationVerbs(c, async (id) => requireLog(await find(id))),
    workflows: () => listWorkflows(c),
    pauseWorkflow: (workflow, o) => pauseWorkflow(c, workflow, o),
    resumeWorkflow: (workflow) => resumeWorkflow(c, workflow),
    engines: () => listEngines(c),
    drainEngine: (engineId, o) => drainEngine(c, engineId, o),
    info: async () => storeView(c.store, await c.store.info(), c.scope),
    append: authority.append,
    clearRejection: authority.clearRejection,
    producer: (run) => producer(c.store, c.platform, c.scope, authority, run),
    follow: (id, o) => follow(c, id, o),
    watch: (filter, o) => watch(c, filter, o),
    waitForChange: (id, o) => watcher.waitForChange(id, o.timeoutMs, o.signal),
  };
}

/** The code of this very version, where this process has it. */
function codeHere(c: LocalClientDeps, { workflow, version }: Pick<RunRow, "workflow" | "version">): Definition | undefined {
  return [c.engine?.definition(workflow), c.known?.get(workflow)].find((d) => d?.version === version);
}

/** Checks a message as the client does before it accepts one, and accepts nothing. */
export function messageCheckOf(c: LocalClientDeps, parts: SharedParts): (id: string, m: MessageToCheck) => Promise<void> {
  const messages = new MessageCheck(c.store, c.scope, (run) => codeHere(c, run), parts.messages);
  return async (id, m) => void (await messages.check(await findRun(c, id), m));
}

function undeclaredView({ workflow, version }: RunRow, name: string, code: Definition): PawlError {
  const known = [...code.views.keys()].sort();
  const declares = known.length === 0 ? "it declares no views" : `it declares ${known.slice(0, 20).join(", ")}`;
  return new PawlError("PAWL1016", `view ${name} is not declared by workflow ${workflow} (version ${version}): ${declares}`, {
    data: { workflow, version, view: name },
  });
}
