// The client in process: every verb on the store's port, with the engine's help when there is one. It never touches a
// run's row (K8): signals, updates and control are inbox rows, a start is a create. What the store answers is turned
// into public shapes or into an error with a code.
import { retryUnknown } from "./retry-unknown.ts";
import { decode, encode, revive } from "../codec/value.ts";
import { errorFromFailure } from "../codec/failure.ts";
import { isSettled, runStatuses, type Scope } from "../core/model.ts";
import type { Limits } from "../core/limits.ts";
import { checkId, checkName } from "../core/names.ts";
import type { EngineCore, RunOutcome } from "../engine/engine.ts";
import { readEvents } from "../engine/run/load-run.ts";
import { retentionPass } from "../engine/upkeep/retention.ts";
import type { Definition } from "../engine/definition.ts";
import type { Code } from "../errors/catalogue.ts";
import { readKeyFile } from "../log/seal-key-file.ts";
import { isPawlError, PawlError } from "../errors/error.ts";
import { appendAuthority } from "../log/append-authority.ts";
import { openDecisions } from "../events/open-decisions.ts";
import { toRecord } from "../events/envelope.ts";
import { settlingEvent } from "../log/external-run.ts";
import { foldLog } from "../events/fold.ts";
import { jsonObject, jsonValue, readPayload, type RunEndPayload } from "../events/payload.ts";
import { producer } from "../log/producer.ts";
import type { Platform } from "../platform/platform.ts";
import { httpPost as postHttp, type HttpPoster } from "../platform/net/post.ts";
import type { UserTransaction } from "../store/user-transaction.ts";
import type { FullStore } from "../store/full-store.ts";
import type { AcceptedRecord, InboxKind, RunRow } from "../store/port.ts";
import { webhookVerbs } from "../webhooks/verbs.ts";
import { repairStore } from "./audit/repair.ts";
import { verifyStore } from "./audit/verify-store.ts";
import { MessageCheck } from "./message-check.ts";
import { readEvidence } from "./ledger/read-evidence.ts";
import { importRuns } from "./archive/import.ts";
import { holdRun, listHolds, releaseRun } from "./archive/holds.ts";
import { exportRuns, exportIdOf, undoExport } from "./archive/export.ts";
import { assertLocal, requireLog, requirePayloads } from "./archive/availability.ts";
import { resolveDecision } from "./ledger/resolve-decision.ts";
import { listDecisions } from "./ledger/decisions.ts";
import { listEffects, proveId } from "./ledger/effects.ts";
import { OpenReaders, readerVerbs } from "./reader-verbs.ts";
import { retryRun } from "./start/retry.ts";
import type { RetryOptions } from "./start/retry-types.ts";
import { checkSignalId } from "./signal-id.ts";
import { joinUserTransaction, resolveStart } from "./start/start.ts";
import type { Client, RunEnd, WhenDiverged } from "./types.ts";
import { acceptedResult, runView, stepView, storeView } from "./views.ts";
import type { FreshIds } from "./start/fresh-ids.ts";
import { StoreWatcher } from "./store-watcher.ts";

export interface LocalClientDeps {
  readonly store: FullStore;
  readonly platform: Platform;
  readonly scope: Scope;
  readonly limits: Limits;
  readonly engine: EngineCore | null;
  /** Code that this process has beside the engine's own, for checking what is sent to its runs. */
  readonly known?: ReadonlyMap<string, Definition>;
  /** How long accepted records are kept at least; null = as long as the workflow. */
  readonly retainMs: number | null;
  /** The way out for webhooks; a test puts another in its place. */
  readonly postHttp?: HttpPoster;
  /** What reads the log through this client, to be stopped before the store is closed. */
  readonly readers?: OpenReaders;
  /** Where runs are started often: whether the next one is likely to be new. */
  readonly freshIds?: FreshIds;
}

export function localClient(c: LocalClientDeps): Client {
  const watcher = new StoreWatcher(c.store, c.platform);
  const messages = new MessageCheck(c.store, c.scope, ({ workflow, version }) =>
    [c.engine?.definition(workflow), c.known?.get(workflow)].find((d) => d?.version === version),
  );
  const authority = appendAuthority(c.store, c.platform, { scope: c.scope, limits: c.limits });

  const find = async (id: string): Promise<RunRow> => {
    const row = await findRun(c, id);
    if (row === undefined) throw new PawlError("PAWL4001", `there is no run ${id}`, { data: { id } });
    return row;
  };

  const turn = (): Promise<void> => new Promise((resolve) => c.platform.turn(resolve));
  /** With the run's own id, whichever was given. */
  const named = async <O extends { readonly run?: string }>(o: O): Promise<O> =>
    o.run === undefined ? o : { ...o, run: (await find(o.run)).runId };

  const post = async (
    id: string,
    kind: InboxKind,
    name: string,
    messageId: string,
    payload: string | null,
    o: { readonly tx?: UserTransaction | undefined; readonly check?: (run: RunRow | undefined) => Promise<void> } = {},
  ): Promise<{ record: AcceptedRecord; replayed: boolean }> => {
    const at = o.tx === undefined ? c.store : await joinUserTransaction(c.store, o.tx);
    const found = await at.run({ runId: id });
    const byRun = found !== undefined && sameScope(found.scope, c.scope) ? found : undefined;
    // A run without an id of its own has its runId for a workflowId: what is sent to that goes to the latest run.
    const toLatest = byRun === undefined || (byRun.workflowId === id && kind !== "control");
    const to = toLatest ? await at.run({ scope: c.scope, workflowId: id }) : byRun;
    let refusal: { readonly error: unknown } | undefined;
    await o.check?.(to).catch((error: unknown) => (refusal = { error }));
    const target = toLatest ? { workflowId: id } : { runId: id };
    // What was accepted before is answered with that, even if the workflow would not take it today. Nothing new is accepted then.
    const checkOnly = refusal !== undefined;
    const message = { scope: c.scope, target, kind, name, id: messageId, payload, retainMs: c.retainMs, checkOnly };
    const answer = o.tx === undefined ? await retryUnknown(c.platform, () => at.post(message)) : await at.post(message);
    if (refusal !== undefined && answer.kind !== "accepted" && answer.kind !== "indeterminate") throw refusal.error;
    switch (answer.kind) {
      case "accepted":
        return answer;
      case "absent": // only where the check refused it, above
      case "unknown":
        throw new PawlError("PAWL4001", `there is no run ${id}`, { data: { id } });
      case "settled":
        throw new PawlError("PAWL4003", `run ${answer.run.runId} has ended (${answer.run.status})`, {
          data: { runId: answer.run.runId, status: answer.run.status },
        });
      case "external":
        assertLocal(answer.run);
        throw new PawlError("PAWL3016", `run ${answer.run.runId} is written by its producers: no engine reads what is sent to it`, {
          data: { runId: answer.run.runId },
        });
      case "indeterminate":
        // W-082, W-086, W-087: ids for the operator, never the payload.
        throw new PawlError("PAWL4004", `a payload of ${kind} ${name} is stored without its acceptance`, {
          outcome: "unknown",
          data: {
            workflowId: byRun?.workflowId ?? id,
            signalName: name,
            signalId: messageId,
            correlationId: c.platform.uuidV4(),
            retryable: false,
          },
        });
    }
  };

  return {
    start: (r) => resolveStart(c, r),
    get: async (id) => {
      const row = await findRun(c, id);
      if (row === undefined) return undefined;
      const exportId = await exportIdOf(c, row);
      return { ...runView(row), ...(exportId === undefined ? {} : { exportId }) };
    },
    list: async (q = {}) => {
      const { limit = 50, ...rest } = q;
      if (!Number.isSafeInteger(limit) || limit < 1 || limit > 1_000)
        throw new PawlError("PAWL4011", "limit must be a whole number from 1 to 1000");
      for (const x of q.status ?? [])
        if (!runStatuses.includes(x)) throw new PawlError("PAWL4011", `status: ${JSON.stringify(x)} is none of ${runStatuses.join(", ")}`);
      const page = await c.store.runs({ scope: c.scope, limit, ...rest });
      return { runs: page.runs.map(runView), ...(page.cursor === undefined ? {} : { cursor: page.cursor }) };
    },
    steps: async (id) => foldLog(await readEvents(c.store, requireLog(await find(id)).runId)).steps.map(stepView),
    events: async (id, o = {}) => {
      const row = requireLog(await find(id));
      const events = await c.store.events({ runId: row.runId, after: o.after ?? 0, limit: o.limit ?? 1_000 });
      return events.map((e) => toRecord(row, e));
    },
    waitForEnd: async (id, o = {}) => {
      let runId = c.engine?.isLive(id) === true ? id : (await find(id)).runId;
      for (;;) {
        const live = c.engine?.isLive(runId) === true ? await watcher.withTimeout(c.engine.whenEnded(runId), o.timeoutMs, runId) : null;
        const ended = live ?? (await waitForOwnEnd(c, watcher, runId, o));
        if ("external" in ended && ended.external) return { runId, status: ended.status, ...externalOutcome(ended.payload) };
        const end = publicEnd(runId, ended);
        if (!("continuedAs" in end)) return end;
        runId = end.continuedAs;
      }
    },
    signal: async (id, name, payload, o = {}) => {
      const text = payload === undefined ? null : encode(payload, c.limits, `signal ${name}`);
      const signalId = checkSignalId(o.signalId, c.platform);
      const [to, called] = [checkId(id, "the run's id"), checkName(name, "the signal's name")];
      let unchecked: string | undefined;
      const check = async (run: RunRow | undefined): Promise<void> => {
        unchecked = await messages.check(run, { kind: "signal", name: called, payload });
      };
      const { record, replayed } = await post(to, "signal", called, signalId, text, { tx: o.tx, check });
      return { result: acceptedResult(record), replayed, ...(unchecked === undefined || replayed ? {} : { unchecked }) };
    },
    update: async (id, name, payload, o = {}) => {
      const text = payload === undefined ? null : encode(payload, c.limits, `update ${name}`);
      const updateId = checkSignalId(o.updateId, c.platform);
      const ask = (check?: (run: RunRow | undefined) => Promise<void>): Promise<{ record: AcceptedRecord }> =>
        post(
          checkId(id, "the run's id"),
          "update",
          checkName(name, "the update's name"),
          updateId,
          text,
          check === undefined ? {} : { check },
        );
      let { record } = await ask(async (run) => {
        await messages.check(run, { kind: "update", name, payload }).catch((cause: unknown) => {
          if (!isPawlError(cause, "PAWL1008")) throw cause;
          throw new PawlError("PAWL4007", `update ${name}: ${cause.message}`, { cause, data: { updateId, refused: true } });
        });
      });
      const { runId } = record;
      await watcher.until(runId, o.timeoutMs, async () => {
        record = await askForAnswer(c, record, ask);
        if (record.reply !== null) return true;
        const row = await c.store.run({ runId: record.runId });
        if (row === undefined || !isSettled(row.status)) return false;
        requirePayloads(row);
        record = await askForAnswer(c, record, ask); // the answer may have come with the end, or the update moved on
        if (record.reply !== null) return true;
        if (record.runId !== row.runId) return false;
        throw new PawlError("PAWL4003", `run ${runId} ended before it answered`, { data: { runId } });
      });
      const reply = JSON.parse(record.reply!) as {
        ok: boolean;
        refused?: boolean;
        result?: unknown;
        error?: Parameters<typeof errorFromFailure>[0];
      };
      if (reply.ok) return revive(reply.result);
      const cause = reply.error === undefined ? undefined : errorFromFailure(reply.error);
      throw new PawlError("PAWL4007", `update ${name}: ${cause?.message ?? "refused"}`, {
        cause,
        data: { updateId, refused: reply.refused === true },
      });
    },
    view: async (id, name) => {
      const value = (await c.store.views((await find(id)).runId))[name];
      return value === undefined ? undefined : decode(value);
    },
    control: async (id, what, o = {}) => {
      const requestId = o.requestId ?? c.platform.uuidV4();
      await post(
        checkId(id, "the run's id"),
        "control",
        what,
        requestId,
        jsonObject({ reason: jsonValue(o.reason), requestId: jsonValue(requestId) }),
      );
    },
    retry: (async (id: string, o?: RetryOptions) => retryRun(c, await find(id), o ?? {})) as Client["retry"],
    evidence: (id, o = {}) => readEvidence(c.store, async () => requireLog(await find(id)), o),
    effects: (q) => listEffects(c, q),
    decisions: (o) => listDecisions(c, o),
    resolve: (id, answer, o) =>
      resolveDecision(c, watcher, (to, name, messageId, payload) => post(to, "control", name, messageId, payload), id, answer, o),
    proof: async (id) => proveId(c, id, await findRun(c, id)),
    ...readerVerbs({ ...c, readers: c.readers ?? new OpenReaders(), find }),
    webhooks: webhookVerbs({ ...c, post: c.postHttp ?? postHttp, find }),
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
    info: async () => storeView(c.store, await c.store.info()),
    append: authority.append,
    clearRejection: authority.clearRejection,
    producer: (run) => producer(c.store, c.platform, c.scope, authority, run),
    waitForChange: (id, o) => watcher.waitForChange(id, o.timeoutMs),
  };
}

/** The record as it is now. One that may expire is not asked for again, which would enqueue it anew: its row is read (W-081). */
async function askForAnswer(
  c: LocalClientDeps,
  known: AcceptedRecord,
  ask: () => Promise<{ record: AcceptedRecord }>,
): Promise<AcceptedRecord> {
  if (known.reply !== null) return known;
  if (known.expiresAt === null) return (await ask()).record;
  const latest = await c.store.run({ scope: c.scope, workflowId: known.workflowId });
  for (const runId of new Set([known.runId, latest?.runId ?? known.runId])) {
    const row = (await c.store.inbox({ runId, all: true })).find((r) => r.inboxId === known.inboxId);
    if (row !== undefined) return { ...known, runId, reply: row.reply };
  }
  return known;
}

/** A runId, or a workflowId, which means its latest run. */
async function findRun(c: LocalClientDeps, id: string): Promise<RunRow | undefined> {
  const byRun = await c.store.run({ runId: checkId(id, "the run's id") });
  // I11: another tenant's run is not found.
  if (byRun !== undefined && sameScope(byRun.scope, c.scope)) return byRun;
  return c.store.run({ scope: c.scope, workflowId: id });
}
function sameScope(a: Scope, b: Scope): boolean {
  return a.tenantId === b.tenantId && a.projectId === b.projectId && a.environmentId === b.environmentId;
}

/** The end of a run that is not live here, from the store. */
async function waitForOwnEnd(
  c: LocalClientDeps,
  watcher: StoreWatcher,
  runId: string,
  o: { readonly timeoutMs?: number; readonly whenDiverged?: WhenDiverged },
): Promise<RunOutcome & { external: boolean }> {
  let row: RunRow | undefined;
  let looked = 0;
  await watcher.until(runId, o.timeoutMs, async () => {
    row = await c.store.run({ runId });
    if (row?.status === "PAUSED" && o.whenDiverged === "reject" && row.headSeq > looked) {
      looked = row.headSeq;
      await rejectIfDiverged(c, row);
    }
    return row !== undefined && (isSettled(row.status) || assertLocal(row) !== row);
  });
  requirePayloads(row!);
  const external = row!.origin === "external";
  const last = external ? await settlingEvent(c.store, runId) : (await c.store.events({ runId, after: row!.headSeq - 1, limit: 1 }))[0];
  return { status: row!.status, payload: last?.payload ?? null, external };
}

/** A run whose code and log disagree does not go on by itself: its reason is what there is to say (K20). */
async function rejectIfDiverged(c: LocalClientDeps, { runId, workflowId }: RunRow): Promise<void> {
  const d = openDecisions(runId, await readEvents(c.store, runId)).find((x) => x.kind === "diverged");
  if (d === undefined) return;
  const data = { runId, workflowId, status: "PAUSED", category: "DIVERGED", decisionId: d.decisionId };
  throw new PawlError(d.code as Code, `run ${runId} is paused: ${d.reason}`, { data });
}

/** What a producer outside says of its run's end, as far as a reader of any producer can understand it. */
function externalOutcome(payload: string | null): { result?: unknown; reason?: string } {
  const said: unknown = payload === null ? null : JSON.parse(payload);
  if (typeof said !== "object" || said === null) return {};
  const { result, reason } = said as { result?: unknown; reason?: unknown };
  return { ...(result === undefined ? {} : { result }), ...(typeof reason === "string" ? { reason } : {}) };
}

/** The end of a run as its last event says it, or the run that it goes on as. */
export function publicEnd(runId: string, ended: RunOutcome): RunEnd | { readonly continuedAs: string } {
  const p = readPayload<RunEndPayload>(ended.payload);
  if (p.continuedAs !== undefined) return { continuedAs: p.continuedAs };
  const end: { -readonly [K in keyof RunEnd]: RunEnd[K] } = { runId, status: ended.status };
  if (p.result !== undefined) end.result = revive(p.result);
  if (p.error !== undefined) end.error = p.error;
  if (p.category !== undefined) end.category = p.category;
  if (p.reason !== undefined) end.reason = p.reason;
  if (p.abandoned !== undefined) end.abandoned = p.abandoned;
  return end;
}
