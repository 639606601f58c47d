// `pawl ls`: runs, newest first. Filters go to the store, typed as options or as the dashboard's filter has them; other words of the query are looked for in ids
// and workflow names, page by page. A list never counts: it ends with a cursor when there is more.
import type { Client, RunCounts, RunFilter, RunView } from "../../../client/types.ts";
import { PawlError } from "../../../errors/error.ts";
import { isSettled, type RunStatus, runStatuses, type Waiting } from "../../../core/model.ts";
import { parseQuery, statusNamed, type TypedQuery } from "../../../core/run-query.ts";
import { colourAllowed, writeOut } from "../../../platform/terminal.ts";
import type { CursorOption, JsonOption, JsonlOption, LimitOption, StoreOptions, TagOption } from "../../shared-options.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseCount, parseMoment, parseTags } from "../../parse-values.ts";
import { paint, paintStatus, type Paint } from "../../output/colors.ts";
import { printNote, printJson, printJsonLine } from "../../output/print.ts";
import { noRunsText, withSession } from "../../session.ts";
import { clip, formatDuration, withoutControlChars, formatTable } from "../../output/format.ts";

export interface LsOptions extends TagOption, LimitOption, CursorOption, JsonOption, JsonlOption, StoreOptions {
  readonly status?: readonly string[];
  readonly workflow?: string;
  readonly errorCode?: string;
  readonly since?: string;
  readonly until?: string;
  readonly parent?: string;
  readonly waiting?: string;
  readonly ids?: boolean;
  readonly count?: boolean;
}

const limitMax = 1_000;

export async function lsCommand(args: readonly string[], o: LsOptions): Promise<number> {
  const { status, tags: typedTags, words, id, ...typed } = parseQuery(args);
  return list({ ...typed, ...o }, [...(o.status ?? []).flatMap((s) => s.split(",")).map(statusOf), ...status], id, words, typedTags);
}

/** What was typed as a query is used where no option says otherwise. */
async function list(
  o: LsOptions,
  asked: readonly RunStatus[],
  id: string | undefined,
  words: readonly string[],
  typedTags: TypedQuery["tags"],
): Promise<number> {
  const texts = words.map((w) => w.toLowerCase());
  const limit = parseCount(o.limit, "--limit", 1) ?? 50;
  if (limit > limitMax) throw new PawlError("PAWL4011", `--limit takes at most ${limitMax}`);
  const tags = { ...typedTags, ...parseTags(o) };
  const filter: RunFilter = {
    ...(asked.length === 0 ? {} : { status: asked }),
    ...(o.workflow === undefined ? {} : { workflow: o.workflow }),
    ...(id === undefined ? {} : { workflowId: id }),
    ...(Object.keys(tags).length === 0 ? {} : { tags }),
    ...(o.errorCode === undefined ? {} : { errorCode: o.errorCode }),
    ...(o.waiting === undefined ? {} : { waiting: o.waiting as Waiting }),
    ...(o.cursor === undefined ? {} : { cursor: o.cursor }),
  };
  return withSession(o, async (s) => {
    const read = await momentsAndParent(s.client, o);
    if (o.count === true) {
      if (texts.length > 0) throw new PawlError("PAWL4011", "--count takes filters, not words: --status, --workflow, --tag, --error-code");
      const { cursor: _, ...counted } = filter;
      return printCounts(await s.client.count({ ...counted, ...read }), o);
    }
    const page = await search(s.client, { ...filter, ...read }, texts, limit);
    if (o.json === true) printJson(page);
    else if (o.jsonl === true) for (const r of page.runs) printJsonLine(r);
    else if (o.ids === true) for (const r of page.runs) writeOut(`${r.runId}\n`);
    else if (page.runs.length === 0) printNote(noRunsText(o));
    else printTable(page.runs, await servedBy(s.client), s.platform.wallMs(), paint(colourAllowed("out")));
    if (o.json !== true && page.cursor !== undefined) printNote(`more: ${exactMoments(o, read)}--cursor ${page.cursor}`);
    return exitCodes.ok;
  });
}

function printCounts(counts: RunCounts, o: LsOptions): number {
  if (o.json === true) printJson(counts);
  else {
    const shown = (n: number): string => (n >= counts.max ? `${counts.max} or more` : String(n));
    const rows = [counts.byStatus, counts.byWorkflow, counts.byErrorCode].flatMap((group) =>
      Object.entries(group).map(([name, n]) => [withoutControlChars(name), shown(n)]),
    );
    if (rows.length === 0) printNote(noRunsText(o));
    else writeOut(formatTable(rows));
    if (counts.more === true) printNote("there are more runs than were looked at");
  }
  return exitCodes.ok;
}

function statusOf(word: string): RunStatus {
  const status = statusNamed(word);
  if (status === undefined) throw new PawlError("PAWL4011", `--status takes ${runStatuses.join(", ")}, not ${JSON.stringify(word)}`);
  return status;
}

/** What depends on the store: its time, and which run an id names. */
async function momentsAndParent(client: Client, o: LsOptions): Promise<Pick<RunFilter, "since" | "until" | "parent">> {
  const nowMs = o.since === undefined && o.until === undefined ? 0 : Date.parse((await client.info()).now);
  return {
    ...(o.since === undefined ? {} : { since: parseMoment(o.since, "--since", nowMs) }),
    ...(o.until === undefined ? {} : { until: parseMoment(o.until, "--until", nowMs) }),
    ...(o.parent === undefined ? {} : { parent: (await client.get(o.parent))?.runId ?? o.parent }),
  };
}

/** A cursor is of the very same filter: "24h ago" is another time when it is asked again. */
function exactMoments(o: LsOptions, read: Pick<RunFilter, "since" | "until">): string {
  const exact = (["since", "until"] as const).filter((name) => o[name] !== undefined && o[name] !== read[name]);
  return exact.map((name) => `--${name} ${read[name]} `).join("");
}

async function search(
  client: Client,
  filter: RunFilter,
  texts: readonly string[],
  limit: number,
): Promise<{ runs: RunView[]; cursor?: string }> {
  const found: RunView[] = [];
  let { cursor } = filter;
  for (;;) {
    // Pages no larger than what is still wanted: the cursor then never skips a run that was found.
    const page = await client.list({ ...filter, limit: Math.max(1, limit - found.length), ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.runs.filter((r) => texts.every((t) => `${r.workflowId}\n${r.runId}\n${r.workflow}`.toLowerCase().includes(t))));
    cursor = page.cursor;
    if (cursor === undefined) return { runs: found };
    if (found.length >= limit) return { runs: found, cursor };
  }
}

/** The workflows that a live engine has the code of. */
async function servedBy(client: Client): Promise<ReadonlySet<string>> {
  return new Set((await client.info()).engines.filter((e) => e.alive).flatMap((e) => e.serves.map((s) => s.workflow)));
}

/** What it waits for, and whether no engine can run it. */
function waitsFor(r: RunView, served: ReadonlySet<string>): string {
  const unserved = !isSettled(r.status) && r.moved !== true && r.origin !== "external" && !served.has(r.workflow);
  return [r.waiting ?? "", unserved ? "no engine serves it" : ""].filter((x) => x !== "").join("; ");
}

function printTable(runs: readonly RunView[], served: ReadonlySet<string>, nowMs: number, p: Paint): void {
  const rows = runs.map((r) => [
    withoutControlChars(r.workflowId),
    clip(`${r.workflow}@${r.version}`, 40),
    r.moved === true ? "MOVED" : r.status,
    r.moved === true ? "continues in another store" : waitsFor(r, served),
    `${formatDuration(nowMs - Date.parse(r.createdAt))} ago`,
  ]);
  writeOut(
    formatTable([["ID", "WORKFLOW", "STATUS", "WAITING", "STARTED"], ...rows], (cell, row, column) => {
      if (row === 0) return p.dim(cell);
      return column === 2 ? paintStatus(cell, p) : cell;
    }),
  );
}
