// The program that `pawl crashtest` starts and kills: it runs the workflow of a user's file on a real store until it has ended or
// only a person can decide. PAWL_CRASH names the point at which it dies by SIGKILL. On SQLite its clock is virtual, so that waits
// take no time; servers have their own clock. It reports to a file and prints nothing.
import type { StartOpts } from "../client/engine-types.ts";
import { openStore } from "../open.ts";
import { armedPoints, crashPoints } from "../platform/crash-points.ts";
import { locationText } from "../platform/source-location.ts";
import { systemPlatform } from "../platform/system.ts";
import { argv, env, exit, writeErr } from "../platform/terminal.ts";
import { readOutcome, waitForOutcome } from "../testing/run-outcome.ts";
import { openTestEngine } from "../testing/test-engine.ts";
import { writeReportLine, toReportEnd, type ChildRequest } from "./crash-report.ts";
import { toPawlError } from "./output/report-error.ts";
import { loadFile } from "./runs/load-file.ts";

const wanted = JSON.parse(argv()[0] ?? "{}") as ChildRequest;
/** Requests and other I/O of steps hold the virtual clock this long. */
const patienceMs = 5_000;

async function live(): Promise<void> {
  const file = await loadFile(wanted.target);
  writeReportLine(wanted.report, { workflow: String(file.workflow.name) });
  const crash = env("PAWL_CRASH");
  const die = crashPoints(crash);
  const lines = new Map<string, string>();
  const { engine, bed: place } = await openTestEngine(
    async () => ({ connect: (p) => openStore(wanted.store, p), closes: false, remote: false, remove: async () => {} }),
    {
      workflows: file.all,
      tenant: { tenantId: wanted.tenantId, projectId: "crashtest", environmentId: "crashtest" },
      idle: "12h",
      log: (level, message) => void (level === "error" && writeErr(`${message}\n`)),
    },
    {
      patienceMs,
      ...(wanted.real ? { real: systemPlatform() } : { startMs: wanted.startMs }),
      armed: armedPoints(crash),
      onHit: (point, at) => {
        if (/:[A-E]$/.test(point)) writeReportLine(wanted.report, { passed: point, at });
        die(point);
      },
      onBegun: (_run, stepId) => writeReportLine(wanted.report, { begun: stepId }),
      onCalled: (_run, stepId, at) => {
        if (at === undefined || lines.has(stepId)) return;
        lines.set(stepId, locationText(at));
        writeReportLine(wanted.report, { called: stepId, line: locationText(at) });
      },
    },
  );
  const start: StartOpts = { id: "crashtest" };
  const h = await engine.start(file.workflow, wanted.input, start);
  // Kept until they are taken; sent again by the next process, they are the same signals.
  const drive = async (): Promise<void> => {
    for (const [i, s] of wanted.signals.entries())
      await place.client.signal(h.workflowId, s.name, s.payload, { signalId: `crashtest-${i}` }).catch(() => {});
  };
  const { run, failed } = await waitForOutcome(place, h, drive);
  if (failed !== undefined) throw failed;
  writeReportLine(wanted.report, { end: toReportEnd(await readOutcome(place, run, lines)) });
  await engine.stop();
}

try {
  await live();
  exit(0);
} catch (e) {
  const error = toPawlError(e);
  writeReportLine(wanted.report, { error: { code: error.page, message: error.message } });
  exit(1);
}
