// `pawl run`: a workflow of a file runs in this process, as run() would run it; a name is recorded as a start for an
// engine that serves it. The same id attaches or resumes, never restarts. An interrupt hands the run back in order.
import type { StartRequest } from "../../../client/types.ts";
import { PawlError } from "../../../errors/error.ts";
import type { JsonOption, ParamOption, StoreOptions, TagOption, TimeoutOption, ReasonOption } from "../../shared-options.ts";
import { waitForRunEnd, printRunEnd } from "../../runs/wait-for-end.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseDurationMs, parseTags, readValueOption } from "../../parse-values.ts";
import { listenForInterrupt } from "../../runs/interrupt.ts";
import { isFileName } from "../../runs/load-file.ts";
import { printNote, printJson } from "../../output/print.ts";
import { needsStore } from "../../server-session.ts";
import { withSession, type CliSession } from "../../session.ts";
import { writeOut } from "../../../platform/terminal.ts";

export interface RunCommandOptions extends ParamOption, ReasonOption, TagOption, TimeoutOption, JsonOption, StoreOptions {
  readonly input?: string;
  readonly id?: string;
  readonly key?: string;
  readonly onConflict?: string;
  readonly delay?: string;
  readonly deadline?: string;
  readonly workflowVersion?: string;
  readonly allowUnknown?: boolean;
  readonly wait?: boolean;
}

export async function runCommand(args: readonly string[], o: RunCommandOptions): Promise<number> {
  const target = args[0] ?? "";
  const request = await startRequest(o);
  const timeoutMs = parseDurationMs(o.timeout, "--timeout");
  if (isFileName(target) && o.url !== undefined) throw needsStore(o.url);
  if (isFileName(target)) return (await import("../../runs/run-file.ts")).runFile(target, request, timeoutMs, o);
  return withSession(o, (s) => runName(s, target, request, timeoutMs, o));
}

async function startRequest(o: RunCommandOptions): Promise<Omit<StartRequest, "workflow">> {
  const { onConflict } = o;
  if (onConflict !== undefined && onConflict !== "attach" && onConflict !== "reject" && onConflict !== "restart")
    throw new PawlError("PAWL4011", `--on-conflict takes attach, reject or restart, not ${JSON.stringify(onConflict)}`);
  const delayMs = parseDurationMs(o.delay, "--delay");
  const deadlineMs = parseDurationMs(o.deadline, "--deadline");
  const tags = parseTags(o);
  return {
    input: await readValueOption(o, "input"),
    ...(o.id === undefined ? {} : { id: o.id }),
    ...(o.key === undefined ? {} : { idempotencyKey: o.key }),
    ...(onConflict === undefined ? {} : { onConflict }),
    ...(o.reason === undefined ? {} : { reason: o.reason }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(tags === undefined ? {} : { tags }),
    ...(o.allowUnknown === true ? { allowUnknown: true } : {}),
  };
}

async function runName(
  s: CliSession,
  workflow: string,
  request: Omit<StartRequest, "workflow">,
  timeoutMs: number | undefined,
  o: RunCommandOptions,
): Promise<number> {
  const { client } = s;
  const version = o.workflowVersion;
  const started = await client.start({ workflow, ...request, ...(version === undefined ? {} : { version }) });
  const { status } = (await client.get(started.runId)) ?? {};
  if (started.unchecked !== undefined) printNote(`not checked: ${started.unchecked}`);
  if (!started.served && (status === "PENDING" || status === "RUNNING")) printNote(`queued: no engine that serves ${workflow} is alive`);
  if (o.wait !== true) {
    if (o.json === true) printJson(started);
    else writeOut(`${started.workflowId}\n`);
    return exitCodes.ok;
  }
  const interrupt = listenForInterrupt();
  try {
    const ending = await waitForRunEnd(client, started, timeoutMs, interrupt);
    return printRunEnd(o, started, ending, `the run continues; see pawl inspect ${started.workflowId}`);
  } finally {
    interrupt.stopListening();
  }
}
