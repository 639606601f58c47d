// Listing runs: a public filter checked and made the store's question, and a cursor that belongs to its filter. The store ends a page after
// so many rows; who wants so many runs, and not one page, asks until it has them. Never counts: that would read everything.
import { unknownName } from "../../errors/unknown-name.ts";
import { runStatuses, waitingKinds, type RunStatus } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";
import { parseTimeMs } from "../../events/envelope.ts";
import type { RunQuery } from "../../store/port.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { checkLimit, filterMark, markedCursor, placeOf } from "./list-cursor.ts";
import type { RunFilter, RunView } from "../types.ts";
import { runView } from "../views.ts";

/** A page of runs: `cursor` where there may be more. */
export interface RunPage {
  readonly runs: readonly RunView[];
  readonly cursor?: string;
}

export async function listRunPage(c: Pick<LocalClientDeps, "store" | "scope">, q: RunFilter = {}): Promise<RunPage> {
  const { limit: asked, cursor, ...filter } = q;
  const limit = checkLimit(asked, 50);
  const query = toRunQuery(c.scope, filter);
  const mark = filterMark(c.scope, "runs", { ...filter, ...(filter.status === undefined ? {} : { status: [...filter.status].sort() }) });
  const page = await c.store.runs({ ...query, limit, ...(cursor === undefined ? {} : { cursor: placeOf(cursor, mark) }) });
  return { runs: page.runs.map(runView), ...(page.cursor === undefined ? {} : { cursor: markedCursor(mark, page.cursor) }) };
}

type Filter = Omit<RunFilter, "limit" | "cursor">;
const filterNames: readonly (keyof Filter)[] = [
  "status",
  "workflow",
  "workflowId",
  "errorCode",
  "parent",
  "waiting",
  "tags",
  "since",
  "until",
];

/** What a filter asks of the store; what is wrong with it is refused with PAWL4011. A misspelt member would match every run, also for a batch. */
export function toRunQuery(scope: RunQuery["scope"], q: Filter): Omit<RunQuery, "limit" | "cursor"> {
  const unknown = Object.keys(q).find((name) => !(filterNames as readonly string[]).includes(name));
  if (unknown !== undefined) throw wrong(`the filter ${unknownName("member", unknown, filterNames)}`);
  checkWaiting(q.waiting);
  const texts = { workflow: q.workflow, workflowId: q.workflowId, errorCode: q.errorCode, parentRunId: q.parent, waiting: q.waiting };
  const times = { since: timeOf(q.since, "since"), until: timeOf(q.until, "until") };
  const given = Object.entries({ status: checkStatuses(q.status), ...texts, tags: checkTags(q.tags), ...times }).filter(
    ([, v]) => v !== undefined,
  );
  for (const [name, value] of Object.entries(texts))
    if (value !== undefined && typeof value !== "string") throw wrong(`${name === "parentRunId" ? "parent" : name} must be a text`);
  return { scope, ...(Object.fromEntries(given) as Omit<RunQuery, "scope" | "limit" | "cursor">) };
}

/** Runs that match, until there are so many or no others: page after page, so that nothing is held up by a filter that few match. */
export async function collectRuns(list: (q: RunFilter) => Promise<RunPage>, q: RunFilter, limit: number): Promise<RunPage> {
  const runs: RunView[] = [];
  let { cursor } = q;
  do {
    // No more than are still wanted: the cursor then never skips a run that was found.
    const page = await list({ ...q, limit: Math.min(limit - runs.length, 1_000), ...(cursor === undefined ? {} : { cursor }) });
    runs.push(...page.runs);
    cursor = page.cursor;
  } while (cursor !== undefined && runs.length < limit);
  return cursor === undefined ? { runs } : { runs, cursor };
}

const wrong = (message: string): PawlError => new PawlError("PAWL4011", message);

/** Each once: a database has a limit of its own to what a question may list. */
function checkStatuses(status: unknown): RunFilter["status"] {
  if (status === undefined) return undefined;
  if (!Array.isArray(status)) throw wrong(`status must be a list, such as ["FAILED"], not ${JSON.stringify(status)}`);
  for (const x of status)
    if (!(runStatuses as readonly unknown[]).includes(x)) throw wrong(`status: ${JSON.stringify(x)} is none of ${runStatuses.join(", ")}`);
  return [...new Set(status as readonly RunStatus[])];
}

/** Every tag is a condition of its own: hundreds of them would occupy a database for half a minute. */
const filterTagsMax = 20;

function checkWaiting(waiting: unknown): void {
  if (waiting !== undefined && !(waitingKinds as readonly unknown[]).includes(waiting))
    throw wrong(`waiting: ${JSON.stringify(waiting)} is none of ${waitingKinds.join(", ")}`);
}

function checkTags(tags: unknown): RunFilter["tags"] {
  if (tags === undefined) return undefined;
  const isObject = typeof tags === "object" && tags !== null && !Array.isArray(tags);
  if (!isObject || Object.values(tags).some((v) => typeof v !== "string")) throw wrong('tags must be texts by name, such as { team: "a" }');
  if (Object.keys(tags).length > filterTagsMax) throw wrong(`a filter has at most ${filterTagsMax} tags`);
  return tags as RunFilter["tags"];
}

const withOffset = /^(.*[\d])([+-])(\d\d):(\d\d)$/;

/** RFC 3339, with any offset, as the store's milliseconds. */
function timeOf(text: unknown, what: string): number | undefined {
  if (text === undefined) return undefined;
  const [, local, sign, hours = "0", minutes = "0"] = typeof text === "string" ? (withOffset.exec(text) ?? []) : [];
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const ms = local === undefined ? parseTimeMs(text) : parseTimeMs(`${local}Z`) + (sign === "+" ? -offset : offset);
  if (Number.isNaN(ms)) throw wrong(`${what} is not a time: give one such as "2026-01-31T12:00:00Z"`);
  return ms;
}
