// A query for runs, as people type it: `failed workflow:order tag:customer=7 owls`. One grammar for `pawl ls` and the dashboard's filter: a status, a member with its
// value, or a word that is looked for in ids and workflow names. Pure. It must never drop what was typed: what it does not know is a word.
import { runStatuses, type RunStatus } from "./model.ts";

export interface TypedQuery {
  readonly status: readonly RunStatus[];
  readonly workflow?: string;
  readonly id?: string;
  readonly errorCode?: string;
  readonly waiting?: string;
  /** "24h", or a time. */
  readonly since?: string;
  readonly until?: string;
  readonly parent?: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly words: readonly string[];
}

/** Members that are one text: as they are typed, and as the query has them. */
export const queryTexts = {
  workflow: "workflow",
  id: "id",
  error: "errorCode",
  waiting: "waiting",
  since: "since",
  until: "until",
  parent: "parent",
} as const;
export type QueryTextName = keyof typeof queryTexts;
const isTextName = (name: string): name is QueryTextName => Object.hasOwn(queryTexts, name);

type Building = { -readonly [K in keyof TypedQuery]: TypedQuery[K] };

export function statusNamed(word: string): RunStatus | undefined {
  return runStatuses.find((s) => s === word.trim().toUpperCase());
}

/** What is typed into one field: words are parted by spaces, and quotes keep spaces. */
export function splitQuery(text: string): readonly string[] {
  return (text.match(/(?:[^\s"]+|"[^"]*")+/g) ?? []).map((part) => part.replaceAll('"', ""));
}

export function parseQuery(parts: readonly string[]): TypedQuery {
  const query: Building = { status: [], tags: {}, words: [] };
  for (const part of parts) {
    const at = part.indexOf(":");
    const [name, value] = at > 0 ? [part.slice(0, at), part.slice(at + 1)] : ["", ""];
    const named = name === "status" ? value.split(",").map(statusNamed) : [statusNamed(part)];
    const cut = value.indexOf("=");
    if (named.every((s) => s !== undefined)) query.status = [...query.status, ...named];
    else if (name === "tag" && cut > 0) query.tags = { ...query.tags, [value.slice(0, cut)]: value.slice(cut + 1) };
    else if (isTextName(name) && value !== "") query[queryTexts[name]] = value;
    else query.words = [...query.words, part];
  }
  return query;
}
