// One call of a tool: a read is performed at once; a write answers a preview first, and acts when its confirm text comes back. Answers are data: a
// fixed sentence, and everything that was recorded in structured fields only, so that nobody takes it for instructions. Scopes and `allow` decide
// what may be done; a preview is a second look, not a permission. It must never act without a confirmed preview.
import { operationSpecs, type Operation } from "../api/operations.ts";
import type { Problem } from "../api/problem.ts";
import { checkInput } from "../api/schemas/check.ts";
import type { DecisionView } from "../api/types/ledger.ts";
import type { RunView } from "../api/types/run.ts";
import { canonicalJson } from "../codec/canonical.ts";
import { isPawlError, type Outcome, PawlError } from "../errors/error.ts";
import { toTimeText } from "../events/envelope.ts";
import { consequencesOf } from "./consequences.ts";
import type { FoundPreview, Preview, Previews } from "./previews.ts";
import { confirmMember, operationOfTool, type ToolRights } from "./tools.ts";

type Members = Readonly<Record<string, unknown>>;

export interface ToolCaller {
  /** Stable text for the caller: a preview is its own. */
  readonly by: string;
  readonly rights: ToolRights;
  readonly previews: Previews;
  newId(): string;
  /** Performs an operation for this caller, on the one path of all requests. The answer is plain JSON. */
  perform(operation: Operation, input: Members): Promise<unknown>;
  /** The problem of what was thrown; it goes into the log where the problem does not say it. */
  problemOf(thrown: unknown): Problem;
}

export interface ToolAnswer {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly structuredContent: { readonly [member: string]: unknown };
  readonly isError?: true;
}

export async function callTool(c: ToolCaller, name: string, given: unknown): Promise<ToolAnswer> {
  try {
    const operation = operationOfTool(name, c.rights);
    if (operation === undefined)
      throw new PawlError("PAWL4093", "there is no such tool for this caller", { data: { tool: name.slice(0, 100) } });
    const { [confirmMember]: confirm, ...input } = (given ?? {}) as Members;
    if (operationSpecs[operation].changes !== true) {
      const answer = await c.perform(operation, given === undefined ? {} : (given as Members));
      return answered("The answer is in the structured content.", { answer });
    }
    if (confirm === undefined) return await preview(c, operation, input);
    const answer = await actOn(c, operation, confirm, input);
    return answered("Done. The answer is in the structured content.", { answer });
  } catch (e) {
    const problem = c.problemOf(e);
    return { ...answered(`Refused: ${problem.page} ${problem.title}. ${problem.fix}`, { problem }), isError: true };
  }
}

/** A sentence of Pawl's own; then the data, as fields and once more as JSON text for clients that read only that. */
function answered(sentence: string, data: ToolAnswer["structuredContent"]): ToolAnswer {
  return {
    content: [
      { type: "text", text: sentence },
      { type: "text", text: JSON.stringify(data) },
    ],
    structuredContent: data,
  };
}

async function preview(c: ToolCaller, operation: Operation, given: Members): Promise<ToolAnswer> {
  checkInput(operation, given);
  const seen = await lookAt(c, operation, given);
  const run = seen.run === undefined ? null : seen.run;
  const bound = run === null ? null : { runId: run.runId, status: run.status, headSeq: boundToHead.has(operation) ? run.headSeq : null };
  const id = c.newId();
  const input = run !== null && typeof given["id"] === "string" && operation !== "runs.start" ? { ...given, id: run.runId } : given;
  const { confirm, expiresAt } = await c.previews.add({ id, operation, given, input, by: c.by, run: bound });
  return answered(
    "Nothing was changed. This is what would happen; to do it, call the tool again with the same arguments and the confirm text.",
    {
      preview: {
        operation,
        arguments: given,
        consequences: consequencesOf(operation),
        ...seen,
        [confirmMember]: confirm,
        expiresAt: toTimeText(expiresAt),
      },
    },
  );
}

/** Their meaning depends on everything that the run did until now. */
const boundToHead: ReadonlySet<Operation> = new Set<Operation>(["runs.retry", "decisions.resolve", "steps.act"]);

interface Seen {
  readonly run?: RunView;
  readonly plan?: unknown;
  readonly decision?: DecisionView;
}

/** What the operation is about, as it is now. */
async function lookAt(c: ToolCaller, operation: Operation, given: Members): Promise<Seen> {
  switch (operation) {
    case "decisions.resolve": {
      const decision = await findDecision(c, given["decisionId"] as string);
      return { decision, ...(await runOf(c, decision.runId)) };
    }
    case "runs.retry":
      return { plan: await c.perform(operation, { ...given, dryRun: true }), ...(await runOf(c, given["id"] as string)) };
    case "runs.cancel":
    case "runs.pause":
    case "runs.resume":
    case "runs.terminate": {
      // The dry run refuses what the run's state does not permit.
      const { run } = (await c.perform(operation, { ...given, dryRun: true })) as { readonly run: RunView };
      return { run };
    }
    case "runs.start":
      return given["id"] === undefined ? {} : await runOf(c, given["id"] as string).catch(nothingIfMissing);
    default:
      return given["id"] === undefined ? {} : runOf(c, given["id"] as string);
  }
}

async function runOf(c: ToolCaller, id: string): Promise<{ readonly run?: RunView }> {
  // A caller that may send signals and not read gets nothing of the run; the operation itself still checks everything.
  if (!c.rights.scopes.includes("read")) return {};
  return { run: (await c.perform("runs.get", { id })) as RunView };
}

function nothingIfMissing(e: unknown): Seen {
  if (isPawlError(e, "PAWL4001")) return {};
  throw e;
}

async function findDecision(c: ToolCaller, decisionId: string): Promise<DecisionView> {
  let cursor: string | undefined;
  do {
    const page = (await c.perform("decisions.list", { limit: 100, ...(cursor === undefined ? {} : { cursor }) })) as {
      readonly items: readonly DecisionView[];
      readonly nextCursor?: string;
    };
    const found = page.items.find((d) => d.decisionId === decisionId);
    if (found !== undefined) return found;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  throw new PawlError("PAWL4072", "there is no such decision", { data: { decisionId } });
}

async function actOn(c: ToolCaller, operation: Operation, confirm: unknown, given: Members): Promise<unknown> {
  const found = typeof confirm === "string" ? await c.previews.find(confirm) : undefined;
  const preview = found?.preview;
  if (found === undefined || preview?.by !== c.by || preview.operation !== operation)
    throw stale("this confirm text is unknown or has expired");
  if (Object.keys(given).length > 0 && canonicalJson(given) !== canonicalJson(preview.given))
    throw stale("the arguments are not those of the preview");
  const { idempotentBy } = operationSpecs[operation];
  if (idempotentBy === undefined) return actOnce(c, operation, confirm as string, found);
  if (!preview.confirmed) {
    await checkUnchanged(c, preview);
    await c.previews.markConfirmed(confirm as string, found);
  }
  const own = preview.input[idempotentBy] !== undefined ? {} : { [idempotentBy]: preview.id };
  return c.perform(operation, { ...preview.input, ...own });
}

/** The operation has no id by which a repeated request is known: the preview stands for it. */
async function actOnce(c: ToolCaller, operation: Operation, confirm: string, found: FoundPreview): Promise<unknown> {
  const { preview } = found;
  if (preview.answer !== undefined) return preview.answer;
  if (!preview.confirmed) await checkUnchanged(c, preview);
  if (preview.confirmed || !(await c.previews.markConfirmed(confirm, found)))
    throw stale("it was confirmed before, and what came of it is not known here: look, then ask for a new preview", "unknown");
  const answer = await c.perform(operation, preview.input);
  await c.previews.keepAnswer(confirm, preview, answer);
  return answer;
}

async function checkUnchanged(c: ToolCaller, { run }: Preview): Promise<void> {
  if (run === null) return;
  const { run: now } = await runOf(c, run.runId);
  if (now === undefined) return;
  if (now.status !== run.status || (run.headSeq !== null && now.headSeq !== run.headSeq))
    throw new PawlError("PAWL4083", "the run is no longer as the preview showed it: ask for a new preview", {
      data: { runId: run.runId, status: now.status },
    });
}

function stale(message: string, outcome: Outcome = "none"): PawlError {
  return new PawlError("PAWL4110", message, { outcome });
}
