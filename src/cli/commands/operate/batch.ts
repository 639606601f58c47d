// `pawl batch`: one action on every run that a filter matches. Engines and servers of the tenant work it; with --wait this process does, if
// nobody else is there. It must never act without a reason.
import type { BatchAction, BatchView, NewBatch } from "../../../api/types/operate.ts";
import type { Client } from "../../../client/types.ts";
import type { RunStatus } from "../../../core/model.ts";
import { PawlError } from "../../../errors/error.ts";
import { writeOut } from "../../../platform/terminal.ts";
import { clip, formatTable, formatTime, withoutControlChars } from "../../output/format.ts";
import { printJson, printNote } from "../../output/print.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseCount, parseDurationMs, parseTags } from "../../parse-values.ts";
import { withSession } from "../../session.ts";
import type { DryRunOption, JsonOption, LimitOption, ReasonOption, StoreOptions, TagOption, TimeoutOption } from "../../shared-options.ts";

export interface BatchOptions extends TagOption, ReasonOption, DryRunOption, TimeoutOption, LimitOption, JsonOption, StoreOptions {
  readonly status?: readonly string[];
  readonly workflow?: string;
  readonly errorCode?: string;
  readonly since?: string;
  readonly until?: string;
  readonly action?: string;
  readonly max?: string;
  readonly requestId?: string;
  readonly wait?: boolean;
}

export async function batchCommand(args: readonly string[], o: BatchOptions): Promise<number> {
  const [verb = "ls", batchId] = args;
  if (!["create", "ls", "get", "stop", "wait"].includes(verb))
    throw new PawlError("PAWL4011", `batch takes create, ls, get, stop or wait, not ${JSON.stringify(verb)}`);
  if (["get", "stop", "wait"].includes(verb) && batchId === undefined) throw new PawlError("PAWL4011", `batch ${verb} needs a batch's id`);
  return withSession(o, async ({ client, platform }) => {
    if (verb === "ls") return list(client, o, platform.wallMs());
    if (verb === "create") return create(client, o);
    const id = batchId ?? "";
    if (verb === "stop") return print(await client.batches.stop(id, { reason: o.reason ?? "" }), o);
    return print(verb === "wait" ? await wait(client, id, o) : await client.batches.get(id), o);
  });
}

async function create(client: Client, o: BatchOptions): Promise<number> {
  const made = await client.batches.create(newBatch(o));
  if (o.wait !== true || made.state !== "working") return print(made, o);
  return print(await wait(client, made.batchId, o), o);
}

function wait(client: Client, batchId: string, o: BatchOptions): Promise<BatchView> {
  const timeoutMs = parseDurationMs(o.timeout, "--timeout");
  return client.batches.wait(batchId, timeoutMs === undefined ? {} : { timeoutMs });
}

function newBatch(o: BatchOptions): NewBatch {
  if (o.action === undefined) throw new PawlError("PAWL4011", "--action is missing: retry, cancel, pause, resume or terminate");
  const tags = parseTags(o);
  const max = parseCount(o.max, "--max", 1);
  const filter = {
    ...(o.status === undefined ? {} : { status: o.status.map((s) => s.toUpperCase() as RunStatus) }),
    ...(o.workflow === undefined ? {} : { workflow: o.workflow }),
    ...(o.errorCode === undefined ? {} : { errorCode: o.errorCode }),
    ...(o.since === undefined ? {} : { since: o.since }),
    ...(o.until === undefined ? {} : { until: o.until }),
    ...(tags === undefined ? {} : { tags }),
  };
  if (Object.keys(filter).length === 0)
    throw new PawlError("PAWL4011", "say which runs: --status, --workflow, --error-code, --since, --until or --tag");
  return {
    filter,
    action: o.action as BatchAction,
    reason: o.reason ?? "",
    ...(max === undefined ? {} : { max }),
    ...(o.requestId === undefined ? {} : { requestId: o.requestId }),
    ...(o.dryRun === true ? { dryRun: true } : {}),
  };
}

async function list(client: Client, o: BatchOptions, nowMs: number): Promise<number> {
  const limit = parseCount(o.limit, "--limit", 1);
  const { batches } = await client.batches.list(limit === undefined ? {} : { limit });
  if (o.json === true) printJson({ batches });
  else if (batches.length === 0) printNote("no batches");
  else
    writeOut(
      formatTable(
        batches.map((b) => [
          b.batchId,
          b.action,
          b.state,
          formatTime(b.createdAt, nowMs),
          countsOf(b),
          clip(withoutControlChars(b.reason), 60),
        ]),
      ),
    );
  return exitCodes.ok;
}

function print(b: BatchView, o: BatchOptions): number {
  if (o.json === true) printJson(b);
  else if (b.state === "dry-run") {
    writeOut(`${b.matches ?? 0} runs match; nothing was done\n`);
    for (const runId of b.sample ?? []) writeOut(`  ${runId}\n`);
  } else {
    writeOut(`${b.batchId}  ${b.action}  ${b.state}  ${countsOf(b)}\n`);
    for (const f of b.failures) writeOut(`  ${f.runId}  ${f.code}  ${clip(withoutControlChars(f.message), 120)}\n`);
  }
  return b.failed > 0 ? exitCodes.checkFailed : exitCodes.ok;
}

function countsOf({ done, skipped, failed }: BatchView): string {
  return `${done} done, ${skipped} skipped, ${failed} failed`;
}
