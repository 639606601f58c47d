// `next`: the next turn of a graph. A new run of the same id that begins with the state which the run before left, and applies its input to that. What an
// earlier turn did stays done: nothing of it is taken over, sent again or undone. Of two requests at once one wins. Nothing here runs the author's
// code but the schema of the input.
import { inputDigest } from "../../codec/canonical.ts";
import { encode } from "../../codec/value.ts";
import { checkOptions } from "../../core/guarantee.ts";
import { isSettled } from "../../core/model.ts";
import { principalText } from "../../core/principal.ts";
import type { NextOptions, NextTurn } from "../../api/types/next.ts";
import { retryPoint } from "../../engine/chain/fork-point.ts";
import { createCommit, noInputDigest, type Creation } from "../../engine/create-run.ts";
import { readEvents } from "../../engine/run/read-events.ts";
import { PawlError } from "../../errors/error.ts";
import { readPayload, type BeginOrder, type RunStartPayload } from "../../events/payload.ts";
import type { RunRow } from "../../store/port.ts";
import { assertLocal, requirePayloads } from "../archive/availability.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { retryUnknown } from "../messages/retry-unknown.ts";
import { requestKey } from "../start/retry.ts";
import { checkStart } from "../start/start-check.ts";
import { lookUp } from "./look-back.ts";

const nextOptions: ReadonlySet<string> = new Set(["requestId"]);

export async function nextTurn(c: LocalClientDeps, row: RunRow, input: unknown, o: NextOptions): Promise<NextTurn> {
  if (typeof o !== "object" || o === null) throw new PawlError("PAWL5001", "next takes an object of options");
  checkOptions(o, nextOptions, "next");
  const key = o.requestId === undefined ? null : requestKey("next", row.workflowId, o.requestId);
  const known = key === null ? undefined : await c.store.run({ scope: c.scope, idempotencyKey: key });
  if (known !== undefined) return answerAgain(c, known, input);
  const source = requirePayloads(assertLocal(row));
  const from = await turnPoint(c, source);
  const after = { runId: source.runId, superstep: from.superstep };
  const creation = await checked(c, source, input, { begin: from, idempotencyKey: key });
  const { runId, workflowId } = creation;
  const [answer] = (await retryUnknown(c.platform, () => c.store.commit([createCommit(c, creation)]))).answers;
  const made = { runId, workflowId, after, replayed: false };
  if (answer?.kind === "committed" || answer?.kind === "duplicate") {
    c.engine?.wake();
    return made;
  }
  if (answer?.kind !== "conflict") throw new PawlError("PAWL3002", `the new run was answered ${answer?.kind ?? "not at all"}`);
  const { existing } = answer;
  if (existing.runId === runId) return made; // asked again, it met its own run
  const own = key === null ? undefined : await c.store.run({ scope: c.scope, idempotencyKey: key });
  if (own !== undefined) return answerAgain(c, own, input); // the same request, sent twice at once
  throw new PawlError("PAWL4002", `${workflowId} has a newer run: ${existing.runId}`, { data: { workflowId, runId: existing.runId } });
}

/** The last state of a run that completed. What a run undid, or failed to do, is no state to continue from: then as a retry would begin. */
async function turnPoint(c: LocalClientDeps, source: RunRow): Promise<BeginOrder> {
  if (!isSettled(source.status))
    throw new PawlError("PAWL4010", `run ${source.runId} is ${source.status}: the next turn begins when this one has ended`, {
      data: { runId: source.runId },
    });
  const events = await readEvents(c.store, source.runId);
  const { first, last } = lookUp(source, events, undefined);
  const { superstep, key } = source.status === "COMPLETED" ? last : (retryPoint(events) ?? first);
  return { runId: source.runId, superstep, key, turn: true };
}

/** The input is checked as that of a start: by the code where it is here, else by what engines published. */
async function checked(
  c: LocalClientDeps,
  source: RunRow,
  input: unknown,
  more: Pick<Creation, "begin" | "idempotencyKey">,
): Promise<Creation> {
  const { workflow, workflowId } = source;
  const definition = c.engine?.definition(workflow);
  const parsed = definition === undefined ? input : await definition.input(input, "input");
  const base: Creation = {
    ...more,
    runId: c.platform.uuidV7(),
    workflowId,
    // New code may take over with a turn: the version that is served here, if any is.
    definition: { name: workflow, version: definition?.version ?? source.version, timeoutMs: definition?.timeoutMs ?? null },
    input: parsed === undefined ? null : encode(parsed, c.limits, "input"),
    parsed: definition !== undefined,
    tags: source.tags,
    supersedes: source.runId,
    originalRunId: source.runId,
    traceparent: c.telemetry?.current(),
    by: principalText(c.by),
  };
  return definition === undefined ? (await checkStart(c, { workflow, input, id: workflowId, allowUnknown: true }, base)).base : base;
}

/** The turn that this request made; refused when it asks for another one than then. */
async function answerAgain(c: LocalClientDeps, own: RunRow, input: unknown): Promise<NextTurn> {
  const { runId, workflowId } = own;
  const [first] = own.purgedAt === null ? await c.store.events({ runId, after: 0, limit: 1 }) : [];
  const { begin: from, parsed } = readPayload<RunStartPayload>(first?.payload ?? null);
  if (first !== undefined && own.expiredAt === null && !(await isSameInput(c, own, input, parsed === true)))
    throw new PawlError("PAWL4053", `this requestId was used for another turn of ${workflowId}, which made run ${runId}`, {
      data: { workflowId, runId },
    });
  return { runId, workflowId, after: { runId: from?.runId ?? own.originalRunId ?? "", superstep: from?.superstep ?? 0 }, replayed: true };
}

/** As it was sent, or as the code's schema makes it. Where the schema changed it then and is not here now, nobody can tell: the id decides. */
async function isSameInput(c: LocalClientDeps, own: RunRow, input: unknown, wasParsed: boolean): Promise<boolean> {
  const isIt = (value: unknown): boolean =>
    own.inputDigest === (value === undefined ? noInputDigest : inputDigest(encode(value, c.limits, "input")));
  if (isIt(input)) return true;
  const definition = wasParsed ? c.engine?.definition(own.workflow) : undefined;
  if (definition === undefined) return wasParsed;
  return isIt(await definition.input(input, "input"));
}
