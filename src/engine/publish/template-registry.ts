// The registry of templates: rows of a tenant for namespaces, templates (namespace, name, version → digest) and the tasks that they name. The
// key of a row makes each unique (T-05 … T-07). A first run is created in one Commit with the rows that are missing, so that there is all of it
// or nothing (T-26). A caller that finds a row there already takes it, if it says the same; another digest is a conflict.
import { PawlError } from "../../errors/error.ts";
import type { Scope } from "../../core/model.ts";
import { runRowKey, scopedCollection } from "../../store/keys.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { KvRow, KvWrite } from "../../store/reader-store.ts";
import type { TemplateFacts } from "../definition.ts";

/** A template as it was registered. */
export interface RegisteredTemplate {
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  readonly digest: string;
  /** Canonical JSON. */
  readonly text: string;
  readonly retired: { readonly by: string; readonly reason: string } | null;
  readonly at: number;
}

interface StoredTemplate {
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  readonly digest: string;
  readonly template: unknown;
  readonly retired?: { readonly by: string; readonly reason: string };
  /** When it was registered, once its row was written again. */
  readonly at?: number;
}

type Place = Pick<TemplateFacts, "namespace" | "name" | "version">;

const templates = (scope: Scope): string => scopedCollection("templates", scope);
const namespaces = (scope: Scope): string => scopedCollection("namespaces", scope);
const handlers = (scope: Scope): string => scopedCollection("handlers", scope);
const templateKey = ({ namespace, name, version }: Place): string => [namespace, name, version].map((part) => runRowKey(part)).join("/");

/** What is known to be there, by store: rows of templates never change their digest, and the others never change at all. */
const known = new WeakMap<object, Set<string>>();
const markOf = (scope: Scope, t: TemplateFacts): string => `${templates(scope)}/${templateKey(t)}/${t.digest}`;

/** The rows that must be put with the first run; none where all are there. PAWL1026: the version is registered with other content. */
export async function missingRows(store: FullStore, scope: Scope, t: TemplateFacts): Promise<readonly KvWrite[]> {
  if (known.get(store)?.has(markOf(scope, t)) === true) {
    // It is there; it may have been retired since.
    const [row] = await store.kv.get(templates(scope), [templateKey(t)]);
    if (row !== undefined) {
      refuseOther(parseTemplate(row), t);
      return [];
    }
  }
  const wanted: readonly KvWrite[] = [
    { collection: namespaces(scope), key: runRowKey(t.namespace), value: JSON.stringify({ namespace: t.namespace }), expect: 0 },
    ...t.handlers.map((h) => ({ collection: handlers(scope), key: runRowKey(h), value: JSON.stringify({ handler: h }), expect: 0 })),
    { collection: templates(scope), key: templateKey(t), value: templateText(t), expect: 0 },
  ];
  const found = await readRows(store, wanted);
  const row = found.get(rowMark({ collection: templates(scope), key: templateKey(t) }));
  if (row !== undefined) refuseOther(parseTemplate(row), t);
  const missing = wanted.filter((w) => !found.has(rowMark(w)));
  if (missing.length === 0) noteRegistered(store, scope, t);
  return missing;
}

/** All of its rows are in the store. */
export function noteRegistered(store: FullStore, scope: Scope, t: TemplateFacts): void {
  const marks = known.get(store);
  if (marks === undefined) known.set(store, new Set([markOf(scope, t)]));
  else marks.add(markOf(scope, t));
}

/** P-43: the contract's name for content that is not what its version was registered with. */
export const integrityCode = "PLAN_INTEGRITY_VALIDATION_FAILED";

/** What this version was registered with, if that is something else. A row never changes its digest, so it is read once. */
export async function otherContent(store: FullStore, scope: Scope, t: TemplateFacts): Promise<RegisteredTemplate | undefined> {
  if (known.get(store)?.has(markOf(scope, t)) === true) return undefined;
  const there = await findTemplate(store, scope, t.namespace, t.name, t.version);
  return there === undefined || there.digest === t.digest ? undefined : there;
}

function refuseOther(there: RegisteredTemplate, t: TemplateFacts): void {
  const name = `template ${t.namespace}/${t.name} version ${t.version}`;
  if (there.digest !== t.digest)
    throw new PawlError("PAWL1026", `${name} is registered with the digest ${there.digest}; this one has ${t.digest}`, {
      data: { namespace: t.namespace, name: t.name, version: t.version, registered: there.digest, given: t.digest, code: integrityCode },
    });
  if (there.retired !== null)
    throw new PawlError("PAWL4010", `${name} was retired by ${there.retired.by}: ${there.retired.reason}`, {
      data: { namespace: t.namespace, name: t.name, version: t.version },
    });
}

async function readRows(store: FullStore, wanted: readonly KvWrite[]): Promise<ReadonlyMap<string, KvRow>> {
  const found = new Map<string, KvRow>();
  for (const collection of new Set(wanted.map((w) => w.collection))) {
    const keys = wanted.filter((w) => w.collection === collection).map((w) => w.key);
    for (const row of await store.kv.get(collection, keys)) found.set(rowMark(row), row);
  }
  return found;
}
const rowMark = (r: { readonly collection: string; readonly key: string }): string => `${r.collection}|${r.key}`;

/** T-31: found, or created; who loses the race reads the winner. `created`: this call made the template's row. */
export async function registerTemplate(store: FullStore, scope: Scope, t: TemplateFacts): Promise<{ readonly created: boolean }> {
  for (;;) {
    const missing = await missingRows(store, scope, t);
    if (missing.length === 0) return { created: false };
    const answer = await store.kv.put(missing);
    if (answer.kind === "conflict") continue; // somebody else put one of them meanwhile
    noteRegistered(store, scope, t);
    return { created: missing.some((w) => w.collection === templates(scope)) };
  }
}

/** Without a version: the one that was registered last. */
export async function findTemplate(
  store: FullStore,
  scope: Scope,
  namespace: string,
  name: string,
  version?: string,
): Promise<RegisteredTemplate | undefined> {
  if (version !== undefined) {
    const [row] = await store.kv.get(templates(scope), [templateKey({ namespace, name, version })]);
    return row === undefined ? undefined : parseTemplate(row);
  }
  const prefix = [namespace, name].map((part) => runRowKey(part)).join("/");
  let latest: RegisteredTemplate | undefined;
  let after: string | undefined = `${prefix}/`;
  while (after !== undefined) {
    const rows: readonly KvRow[] = await store.kv.list({ collection: templates(scope), after, before: `${prefix}0`, limit: 200 });
    for (const t of rows.map(parseTemplate)) if (t.retired === null && (latest === undefined || t.at >= latest.at)) latest = t;
    after = rows.length < 200 ? undefined : rows.at(-1)?.key;
  }
  return latest;
}

/** By namespace, name and version; `after` is the key that the last page ended with. */
export async function listTemplateRows(
  store: FullStore,
  scope: Scope,
  o: { readonly namespace?: string | undefined; readonly after?: string | undefined; readonly limit: number },
): Promise<{ readonly templates: readonly RegisteredTemplate[]; readonly next: string | undefined }> {
  const prefix = o.namespace === undefined ? undefined : runRowKey(o.namespace);
  const after = o.after ?? (prefix === undefined ? undefined : `${prefix}/`);
  const rows = await store.kv.list({
    collection: templates(scope),
    limit: o.limit,
    ...(after === undefined ? {} : { after }),
    // "0" is the character after "/": all of one namespace lie between the two.
    ...(prefix === undefined ? {} : { before: `${prefix}0` }),
  });
  return { templates: rows.map(parseTemplate), next: rows.length < o.limit ? undefined : rows.at(-1)?.key };
}

/** Runs of it continue; nothing new is started of it. False: there is no such template. */
export async function retireTemplateRow(
  store: FullStore,
  scope: Scope,
  place: Place,
  who: { readonly by: string; readonly reason: string },
): Promise<boolean> {
  const collection = templates(scope);
  for (;;) {
    const [row] = await store.kv.get(collection, [templateKey(place)]);
    if (row === undefined) return false;
    const stored = JSON.parse(row.value) as StoredTemplate;
    if (stored.retired !== undefined) return true;
    const value = JSON.stringify({ ...stored, at: row.at, retired: { by: who.by, reason: who.reason } });
    const answer = await store.kv.put([{ collection, key: row.key, value, expect: row.version }]);
    if (answer.kind === "conflict") continue;
    known.delete(store);
    return true;
  }
}

function templateText(t: TemplateFacts): string {
  const { namespace, name, version, digest } = t;
  const stored: StoredTemplate = { namespace, name, version, digest, template: JSON.parse(t.text) as unknown };
  return JSON.stringify(stored);
}

function parseTemplate(row: KvRow): RegisteredTemplate {
  const { namespace, name, version, digest, template, retired, at = row.at } = JSON.parse(row.value) as StoredTemplate;
  return { namespace, name, version, digest, text: JSON.stringify(template), retired: retired ?? null, at };
}
