// One filter, three spellings: what stands in the field, what stands in the address, and the `pawl ls` command that lists the same runs. Words that are no
// member of a filter are looked for in ids and workflow names, page by page, as `pawl ls` does. Pure.
import type { RunFilter } from "../../../src/api/types/run.ts";
import { waitingKinds } from "../../../src/core/model.ts";
import {
  parseQuery,
  queryTexts as texts,
  splitQuery,
  statusNamed,
  type QueryTextName as TextName,
  type TypedQuery,
} from "../../../src/core/run-query.ts";
import type { QueryMembers } from "../../data/route.ts";

export type { TypedQuery };

type Building = { -readonly [K in keyof TypedQuery]: TypedQuery[K] };

export function parseField(text: string): TypedQuery {
  return parseQuery(splitQuery(text));
}

export function fieldText(q: TypedQuery): string {
  const quoted = (s: string): string => (/\s/.test(s) ? `"${s}"` : s);
  return [
    ...q.status.map((s) => s.toLowerCase()),
    ...(Object.keys(texts) as TextName[]).flatMap((name) => (q[texts[name]] === undefined ? [] : [`${name}:${quoted(q[texts[name]]!)}`])),
    ...Object.entries(q.tags).map(([k, v]) => `tag:${quoted(`${k}=${v}`)}`),
    ...q.words.map(quoted),
  ].join(" ");
}

export function readQuery(address: URLSearchParams): TypedQuery {
  const query: Building = {
    status: (address.get("status") ?? "").split(",").flatMap((s) => statusNamed(s) ?? []),
    tags: Object.fromEntries(
      address
        .getAll("tag")
        .flatMap((text) => text.split("\u001f"))
        .filter((t) => t.includes("="))
        .map((t) => [t.slice(0, t.indexOf("=")), t.slice(t.indexOf("=") + 1)]),
    ),
    words: (address.get("words") ?? "").split(" ").filter((w) => w !== ""),
  };
  for (const name of Object.keys(texts) as TextName[]) {
    const value = address.get(name);
    if (value !== null && value !== "") query[texts[name]] = value;
  }
  return query;
}

export function queryMembers(q: TypedQuery): QueryMembers {
  const tags = Object.entries(q.tags).map(([k, v]) => `${k}=${v}`);
  return {
    status: q.status.map((s) => s.toLowerCase()).join(","),
    ...Object.fromEntries((Object.keys(texts) as TextName[]).map((name) => [name, q[texts[name]]])),
    tag: tags.join("\u001f"),
    words: q.words.join(" "),
  };
}

const agoUnits: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** "24h" before now, or the time as it stands; undefined where it is neither. */
function momentOf(text: string | undefined, nowMs: number): string | undefined {
  if (text === undefined) return undefined;
  const ago = /^(\d+)([smhdw])$/.exec(text);
  const ms = ago === null ? Date.parse(text) : nowMs - Number(ago[1]) * agoUnits[ago[2]!]!;
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** What the server is asked; words are not part of it. */
export function filterOf(q: TypedQuery, nowMs: number): Omit<RunFilter, "limit" | "cursor"> {
  const [since, until] = [momentOf(q.since, nowMs), momentOf(q.until, nowMs)];
  const waiting = waitingKinds.find((w) => w === q.waiting);
  return {
    ...(q.status.length === 0 ? {} : { status: q.status }),
    ...(q.workflow === undefined ? {} : { workflow: q.workflow }),
    ...(q.id === undefined ? {} : { workflowId: q.id }),
    ...(q.errorCode === undefined ? {} : { errorCode: q.errorCode }),
    ...(q.parent === undefined ? {} : { parent: q.parent }),
    ...(waiting === undefined ? {} : { waiting }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(Object.keys(q.tags).length === 0 ? {} : { tags: q.tags }),
  };
}

/** The same list in a terminal. */
export function commandOf(q: TypedQuery): string {
  const option = (name: string, value: string | undefined): readonly string[] =>
    value === undefined ? [] : [`--${name}`, shellText(value)];
  const words = [...q.words, ...(q.id === undefined ? [] : [`id:${q.id}`])];
  return [
    "pawl ls",
    ...q.status.flatMap((s) => option("status", s)),
    ...option("workflow", q.workflow),
    ...option("error-code", q.errorCode),
    ...option("waiting", q.waiting),
    ...option("since", q.since),
    ...option("until", q.until),
    ...option("parent", q.parent),
    ...Object.entries(q.tags).flatMap(([k, v]) => option("tag", `${k}=${v}`)),
    ...words.map(shellText),
  ].join(" ");
}

function shellText(text: string): string {
  return /^[\w.,:/@=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
