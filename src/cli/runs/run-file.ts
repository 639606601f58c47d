// Runs a workflow of a user's file in this process: an engine that knows what the file exports, one start, one wait. What
// else the store has of these workflows continues meanwhile and is released at the end; other workflows are skipped
// and named once. A file that calls run() or engine() itself is a program: it is run as it is, and what it exports is not started besides. So is one that
// calls connect() and exports no workflow.
import { clientsOpenedHere } from "../../client/http/clients-opened.ts";
import { openEngine, type OpenEngine } from "../../client/engine.ts";
import { collectRuns } from "../../client/lists/list-runs.ts";
import { resolveStart } from "../../client/start/start.ts";
import type { StartRequest } from "../../client/types.ts";
import { checkLimits } from "../../core/limits.ts";
import { PawlError } from "../../errors/error.ts";
import { enginesOpenedHere, openStore, stderrLogger, defaultEnvironment } from "../../open.ts";
import { systemPlatform } from "../../platform/system.ts";
import { env, untilQuiet, writeOut } from "../../platform/terminal.ts";
import { guardWorkflows } from "../../testing/guard-workflows.ts";
import { definitionOf } from "../../workflow/registry.ts";
import type { JsonOption, StoreOptions } from "../shared-options.ts";
import { waitForRunEnd, printRunEnd } from "./wait-for-end.ts";
import { exitCodes, withLocation } from "../output/report-error.ts";
import { listenForInterrupt } from "./interrupt.ts";
import { tryLoadFile, type LoadedFile } from "./load-file.ts";
import { printNote, printJson } from "../output/print.ts";
import { resolveTenant, resolveStoreUrl, withSession } from "../session.ts";

type Request = Omit<StartRequest, "workflow">;

/** How long steps may finish before their runs are handed back. */
const handBackMs = 5_000;

export interface RunFileOptions extends JsonOption, StoreOptions {
  readonly wait?: boolean;
}

export async function runFile(target: string, request: Request, timeoutMs: number | undefined, o: RunFileOptions): Promise<number> {
  const before = enginesOpenedHere();
  const clientsBefore = clientsOpenedHere();
  // A program that calls run() or engine() itself is only given the means to be TypeScript: nothing else here is for it, also if it exports workflows.
  const hasOptions = [...Object.values(request), timeoutMs, o.store, o.tenant, o.wait, o.json].some((x) => x !== undefined);
  const isProgram = (): boolean => !hasOptions && enginesOpenedHere() > before;
  const file = await tryLoadFile(target, isProgram);
  if (file === undefined) {
    if (isProgram() || (!hasOptions && clientsOpenedHere() > clientsBefore)) return untilQuiet();
    const why = hasOptions && enginesOpenedHere() > before ? "; it runs by itself, without options of pawl run" : "";
    throw new PawlError("PAWL5005", `${target}: it exports no workflow${why}`, { data: { path: target } });
  }
  if (o.wait === false) return record(file, request, o);
  const tenant = resolveTenant(o);
  const url = resolveStoreUrl(o, true);
  const platform = systemPlatform();
  const { workflows, end } = guardWorkflows(file.all, env("NODE_ENV") === "production" ? "off" : "warn", stderrLogger);
  try {
    const opened = await openEngine(
      { ...defaultEnvironment(), platform, nearest: () => url, open: () => openStore(url, platform) },
      { workflows, tenant, onDecision: () => {} }, // the command says itself what it waits for
    );
    try {
      return await runHere(opened, file, request, timeoutMs, o);
    } finally {
      await opened.engine.stop({ grace: handBackMs });
    }
  } catch (e) {
    throw withLocation(e, url);
  } finally {
    end();
  }
}

async function runHere(
  { client, core }: OpenEngine,
  file: LoadedFile,
  request: Request,
  timeoutMs: number | undefined,
  o: JsonOption,
): Promise<number> {
  const interrupt = listenForInterrupt();
  try {
    const name = String(file.workflow.name);
    const started = await client.start({ workflow: name, ...request });
    printNote(`${started.workflowId}  ${name}@${file.workflow.version}  ${started.created ? "started" : "was started before"}`);
    const left = new Map<string, number>();
    for (const r of (await collectRuns((q) => client.list(q), { status: ["PENDING", "RUNNING"] }, 1_000)).runs)
      if (core.definition(r.workflow) === undefined) left.set(r.workflow, (left.get(r.workflow) ?? 0) + 1);
    for (const [workflow, n] of left)
      printNote(`skipped ${n} unfinished run${n === 1 ? "" : "s"} of workflow ${workflow}: the file does not export it`);
    const ending = await waitForRunEnd(client, started, timeoutMs, interrupt);
    return printRunEnd(o, started, ending, `the same command with --id ${started.workflowId} continues it`);
  } finally {
    interrupt.stopListening();
  }
}

/** --no-wait: the start is recorded with the file's version and schema; an engine that serves it does the rest. */
async function record(file: LoadedFile, request: Request, o: RunFileOptions): Promise<number> {
  return withSession(
    o,
    async ({ store, platform, scope, parts }) => {
      const context = { store, platform, scope, parts, limits: checkLimits(), engine: null, retainMs: null };
      const started = await resolveStart(context, { workflow: String(file.workflow.name), ...request }, definitionOf(file.workflow));
      if (o.json === true) printJson(started);
      else writeOut(`${started.workflowId}\n`);
      return exitCodes.ok;
    },
    true,
  );
}
