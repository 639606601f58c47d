// `pawl run`: a workflow of a file runs in this process, as run() would run it; a name is recorded as a start for an
// engine that serves it. The same id attaches or resumes, never restarts. An interrupt hands the run back in order.
import type { StartRequest } from "../../client/types.ts";
import { PawlError } from "../../errors/error.ts";
import type { Options } from "../command.ts";
import { awaitEnd, printEnding } from "../ending.ts";
import { exitCodes } from "../failure.ts";
import { givenMs, givenTags, givenValue } from "../given.ts";
import { interruptible } from "../interrupt.ts";
import { isFileName } from "../load-file.ts";
import { note, printJson } from "../print.ts";
import { isServed, withSession, type Session } from "../session.ts";
import { writeOut } from "../../platform/terminal.ts";

export async function run(args: readonly string[], o: Options): Promise<number> {
  const target = args[0] ?? "";
  const request = await startRequest(o);
  const timeoutMs = givenMs(o.timeout, "--timeout");
  if (isFileName(target)) return (await import("../run-file.ts")).runFile(target, request, timeoutMs, o);
  return withSession(o, (s) => runName(s, target, request, timeoutMs, o));
}

async function startRequest(o: Options): Promise<Omit<StartRequest, "workflow">> {
  const { onConflict } = o;
  if (onConflict !== undefined && onConflict !== "attach" && onConflict !== "reject" && onConflict !== "restart")
    throw new PawlError("PAWL4011", `--on-conflict takes attach, reject or restart, not ${JSON.stringify(onConflict)}`);
  const delayMs = givenMs(o.delay, "--delay");
  const deadlineMs = givenMs(o.deadline, "--deadline");
  const tags = givenTags(o);
  return {
    input: await givenValue(o, "input"),
    ...(o.id === undefined ? {} : { id: o.id }),
    ...(o.key === undefined ? {} : { idempotencyKey: o.key }),
    ...(onConflict === undefined ? {} : { onConflict }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(tags === undefined ? {} : { tags }),
  };
}

async function runName(
  s: Session,
  workflow: string,
  request: Omit<StartRequest, "workflow">,
  timeoutMs: number | undefined,
  o: Options,
): Promise<number> {
  const { client } = s;
  const version = await servedVersion(s, workflow);
  const started = await client.start({ workflow, ...request, ...(version === undefined ? {} : { version }) });
  const { status } = (await client.get(started.runId)) ?? {};
  if (!(await isServed(client, workflow)) && (status === "PENDING" || status === "RUNNING"))
    note(`queued: no engine that serves ${workflow} is alive`);
  if (o.wait !== true) {
    if (o.json === true) printJson(started);
    else writeOut(`${started.workflowId}\n`);
    return exitCodes.ok;
  }
  const interrupt = interruptible();
  try {
    const ending = await awaitEnd(client, started, timeoutMs, interrupt);
    return printEnding(o, started, ending, `the run goes on; look with pawl inspect ${started.workflowId}`);
  } finally {
    interrupt.end();
  }
}

/** The version that a live engine serves, else the one that the newest run of this workflow has. */
async function servedVersion(s: Session, workflow: string): Promise<string | undefined> {
  const engines = (await s.client.info()).engines.filter((e) => e.alive);
  const served = engines.flatMap((e) => e.serves).find((w) => w.workflow === workflow);
  return served?.version ?? (await s.client.list({ workflow, limit: 1 })).runs[0]?.version;
}
