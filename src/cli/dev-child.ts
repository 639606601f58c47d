// The program that `pawl dev` starts for each version of the code: loads the files, opens an engine and an API on a port of its own, and tells
// its parent when it serves, or why it cannot. It ends when it is asked to, and with its parent. It must never serve code that did not load.
import { openEngine } from "../client/engine.ts";
import { defaultEnvironment, openStore, stderrLogger } from "../open.ts";
import { dieHere } from "../platform/crash-points.ts";
import { appendText, fileStamp } from "../platform/files.ts";
import { missingImport, syntaxProblem, watchImports } from "../platform/modules.ts";
import { endWithParent, parentChannel } from "../platform/supervised-process.ts";
import { codeFrame, locationText, thrownAt } from "../platform/source-location.ts";
import { systemPlatform } from "../platform/system.ts";
import { argv, exit } from "../platform/terminal.ts";
import type { Schedule } from "../schedule/types.ts";
import { server } from "../server.ts";
import { guardWorkflows } from "../testing/guard-workflows.ts";
import type { AnyWorkflow } from "../workflow/types.ts";
import { toPawlError } from "./output/report-error.ts";
import { loadAllOf, type LoadedFiles } from "./runs/load-file.ts";
import type { ArmedCrash, DevChildRequest, DevReportLine, FromChild, LoadProblem, ToChild } from "./dev/protocol.ts";

const wanted = JSON.parse(argv()[0] ?? "{}") as DevChildRequest;
const parent = parentChannel<ToChild, FromChild>();
/** How long steps may finish when nobody says otherwise: the parent is gone. */
const orphanGraceMs = 2_000;
/** After its grace an engine has this long to let go. */
const lateMs = 10_000;

const imported = new Set<string>();
const lab: { armed: ArmedCrash | null; watched: ReadonlySet<string> } = { armed: null, watched: new Set(wanted.watched) };

function note(line: DevReportLine): void {
  appendText(wanted.report, `${JSON.stringify(line)}\n`);
}

function isArmed(point: string, workflowId?: string): boolean {
  const a = lab.armed;
  return a !== null && a.workflowId === workflowId && point === `${a.stepId}:${a.window}`;
}

async function loadAll(): Promise<LoadedFiles> {
  const [workflows, schedules] = [new Set<AnyWorkflow>(), new Set<Schedule>()];
  for (const file of wanted.files) {
    const found = await loadAllOf(file);
    for (const wf of found.workflows) workflows.add(wf);
    for (const s of found.schedules) schedules.add(s);
  }
  return { workflows: [...workflows], schedules: [...schedules] };
}

/** The parent shows a run that diverged, with both sides and what can be done: one line more in between only hides that. */
const logButDivergences: typeof stderrLogger = (level, message, data) => {
  if (data?.["code"] !== "PAWL1006") stderrLogger(level, message, data);
};

async function serve(): Promise<(graceMs: number) => Promise<void>> {
  const { workflows: loaded, schedules } = await loadAll();
  const machine = systemPlatform();
  const platform = {
    ...machine,
    armed: (point: string, workflowId?: string): boolean => isArmed(point, workflowId) || machine.armed?.(point) === true,
    hit: (point: string, workflowId?: string): void => {
      machine.hit(point);
      if (workflowId === undefined || !isArmed(point, workflowId)) return;
      note({ killed: point, workflowId });
      dieHere();
    },
  };
  const { workflows, end } = guardWorkflows(loaded, "warn", stderrLogger, {
    begun: ({ workflowId }, stepId) => {
      if (lab.watched.has(workflowId)) note({ begun: stepId, workflowId });
    },
    called: ({ workflowId }, stepId, at) => {
      if (at !== undefined && lab.watched.has(workflowId)) note({ called: stepId, workflowId, line: locationText(at) });
    },
  });
  const { store, tenant, hosts, open } = wanted;
  const environment = { ...defaultEnvironment(), platform, nearest: () => store, open: () => openStore(store, platform) };
  const { engine } = await openEngine(environment, { workflows, schedules, tenant, log: logButDivergences });
  const api = await server({ engine, hosts, ...(open ? { auth: "open" } : {}) });
  const { port } = await api.listen({ host: "127.0.0.1", port: 0 });
  await parent.send({ ready: { port, workflows: loaded.map((w) => String(w.name)) } });
  return async (graceMs) => {
    await api.stop();
    await engine.stop({ grace: graceMs });
    end();
  };
}

/** What went wrong, with the lines around the place where that is known. */
async function problemOf(e: unknown): Promise<LoadProblem> {
  const { page, message, fix, cause } = toPawlError(e);
  const missing = missingImport(cause ?? e);
  if (missing !== undefined) void parent.send({ imported: missing, stamp: "" });
  if (message.includes("\n")) return { code: page, message, fix };
  for (const file of new Set([...wanted.files, ...imported])) {
    const problem = await syntaxProblem(file);
    if (problem !== undefined) return { code: page, message: problem, fix };
  }
  const at = thrownAt(cause ?? e);
  return { code: page, message: at === undefined ? message : `${message}\n${codeFrame(at)}`, fix };
}

endWithParent();
watchImports((path, stamp) => {
  imported.add(path);
  void parent.send({ imported: path, stamp });
});
let stopping = false;
let stop: ((graceMs: number) => Promise<void>) | undefined;
const leave = (graceMs: number): void => {
  if (stopping) return;
  stopping = true;
  systemPlatform().timer(graceMs + lateMs, () => exit(1));
  Promise.resolve(stop?.(graceMs)).then(
    () => exit(0),
    () => exit(1),
  );
};
parent.onGone(() => leave(orphanGraceMs));
parent.onMessage((m) => {
  if ("stop" in m) return leave(m.stop.graceMs);
  lab.armed = m.arm;
  lab.watched = new Set(m.watched);
  void parent.send({ armed: m.arm });
});
for (const file of wanted.files) void parent.send({ imported: file, stamp: fileStamp(file) });
try {
  stop = await serve();
} catch (e) {
  await parent.send({ failed: await problemOf(e) });
  exit(1);
}
