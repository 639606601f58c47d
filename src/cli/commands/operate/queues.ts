// `pawl queues` and `pawl workers`: how full queues are, their limits, pausing them, and the processes that serve them. What it changes goes through
// the client, with who asked and why.
import type { QueueSettings, QueueView, WorkerView } from "../../../client/types.ts";
import { PawlError } from "../../../errors/error.ts";
import { writeOut } from "../../../platform/terminal.ts";
import { formatTable, formatTime, withoutControlChars } from "../../output/format.ts";
import { printJson, printNote } from "../../output/print.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseCount } from "../../parse-values.ts";
import { withSession } from "../../session.ts";
import type { JsonOption, StoreOptions, WhoOptions } from "../../shared-options.ts";

export interface QueuesOptions extends WhoOptions, JsonOption, StoreOptions {
  readonly concurrency?: string;
  readonly rate?: string;
  readonly burst?: string;
  readonly aging?: string;
  readonly ifVersion?: string;
}
export interface WorkersOptions extends JsonOption, StoreOptions {}

export async function queuesCommand(args: readonly string[], o: QueuesOptions): Promise<number> {
  const [verb = "list", queue] = args;
  if (verb !== "list" && verb !== "pause" && verb !== "resume" && verb !== "set")
    throw new PawlError("PAWL4011", `queues takes list, pause, resume or set, not ${JSON.stringify(verb)}`);
  if (verb !== "list" && queue === undefined) throw new PawlError("PAWL4011", `queues ${verb} needs a queue's name`);
  const who = { ...(o.by === undefined ? {} : { by: o.by }), reason: o.reason ?? "" };
  return withSession(o, async ({ client: { queues } }) => {
    if (verb === "list") return list(await queues.list(), o);
    const name = queue ?? "";
    const ifVersion = parseCount(o.ifVersion, "--if-version", 0);
    const view =
      verb === "set"
        ? await queues.set(name, settings(o), { ...who, ...(ifVersion === undefined ? {} : { ifVersion }) })
        : await queues[verb](name, who);
    if (o.json === true) printJson(view);
    else writeOut(formatTable([rowOf(view)]));
    return exitCodes.ok;
  });
}

export async function workersCommand(_args: readonly string[], o: WorkersOptions): Promise<number> {
  return withSession(o, async ({ client: { queues }, platform }) => {
    const workers = await queues.workers();
    if (o.json === true) printJson({ workers });
    else if (workers.length === 0) printNote("no process runs queued steps here");
    else writeOut(formatTable(workers.map((w) => workerRow(w, platform.wallMs()))));
    return exitCodes.ok;
  });
}

/** "none" removes a limit. */
function settings(o: QueuesOptions): QueueSettings {
  const rate = /^(\d+)\/(\S+)$/.exec(o.rate ?? "");
  if (o.rate !== undefined && o.rate !== "none" && rate === null) throw new PawlError("PAWL4011", '--rate is such as 100/1m, or "none"');
  const burst = parseCount(o.burst, "--burst", 1);
  return {
    ...(o.concurrency === undefined
      ? {}
      : { concurrency: o.concurrency === "none" ? null : parseCount(o.concurrency, "--concurrency", 1) }),
    ...(o.rate === undefined
      ? {}
      : { rate: rate === null ? null : { limit: Number(rate[1]), per: rate[2], ...(burst === undefined ? {} : { burst }) } }),
    ...(o.aging === undefined ? {} : { aging: o.aging }),
  } as QueueSettings;
}

function list(queues: readonly QueueView[], o: QueuesOptions): number {
  if (o.json === true) printJson({ queues });
  else if (queues.length === 0) printNote("no queues");
  else writeOut(formatTable(queues.map(rowOf)));
  return exitCodes.ok;
}

function rowOf(q: QueueView): string[] {
  const limit = q.concurrency === null ? "" : ` of ${q.concurrency}`;
  const rate = q.rate === null ? "" : `, ${q.rate.limit} per ${q.rate.perMs / 1_000} s`;
  const state =
    q.paused === undefined ? q.health : `paused by ${withoutControlChars(q.paused.by)}: ${withoutControlChars(q.paused.reason)}`;
  return [
    withoutControlChars(q.name),
    `${q.ready} ready`,
    `${q.claimed}${limit} running${rate}`,
    `oldest ${Math.floor(q.oldestMs / 1_000)} s`,
    q.workers === 1 ? "1 worker" : `${q.workers} workers`,
    q.unserved.length === 0 ? state : `${state}; no worker has ${q.unserved.map(withoutControlChars).join(", ")}`,
  ];
}

function workerRow(w: WorkerView, nowMs: number): string[] {
  return [
    w.workerId,
    w.kind,
    w.lang,
    w.alive ? "alive" : `gone ${formatTime(w.leaseUntil, nowMs)}`,
    `${w.running} running`,
    withoutControlChars(w.queues.join(", ")),
    withoutControlChars(w.works.slice(0, 5).join(", ")) + (w.works.length > 5 ? ` and ${w.works.length - 5} more` : ""),
  ];
}
