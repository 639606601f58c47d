// What each version of a workflow takes, in a collection of the store: written by the engines that serve it before they claim, read by
// callers that do not have its code. A row says what the last engine with that version said. It is never an authority
// over the code: an engine checks every input and every message again before it acts on it.
import type { JsonSchema } from "../../core/json-schema.ts";
import type { Scope } from "../../core/model.ts";
import { runRowKey, scopedCollection } from "../../store/keys.ts";
import type { FullStore } from "../../store/full-store.ts";
import { publishPlans } from "./published-plans.ts";
import type { KvRow } from "../../store/reader-store.ts";
import type { Definition, MessageSchema, PlanIdentity, PlanStaleness, WorkflowDescription } from "../definition.ts";

/** One row as it was read back. */
export interface PublishedWorkflow extends WorkflowDescription {
  readonly name: string;
  readonly version: string;
  readonly publishedAt: number;
}

interface StoredWorkflow {
  readonly workflow?: string;
  readonly version?: string;
  readonly input?: StoredSchema;
  readonly signals: readonly StoredSchema[];
  readonly updates: readonly StoredSchema[];
  readonly views?: readonly StoredSchema[];
  readonly derivesId?: true;
  readonly identity?: PlanIdentity;
  readonly stale?: PlanStaleness;
}
interface StoredSchema {
  readonly name: string;
  /** Absent: only the code can check the value. */
  readonly schema?: JsonSchema;
  readonly required?: true;
  readonly whole?: true;
}
type Named = Pick<Definition, "name" | "version">;

/** A schema beyond this is not kept: its name is, and the code checks the value. */
const schemaTextMax = 64 * 1024;
const pageSize = 200;

const collectionOf = (scope: Scope): string => scopedCollection("messages", scope);
const keyOf = ({ name, version }: Named): string => [name, version].map((part) => runRowKey(part)).join("/");

/** Writes what these definitions take, where that is not what the store says already. */
export async function publishWorkflows(store: FullStore, scope: Scope, definitions: readonly Definition[]): Promise<void> {
  if (definitions.length === 0 || store.lacks?.includes("reader") === true) return;
  await publishPlans(store, scope, definitions);
  const collection = collectionOf(scope);
  const wanted = new Map(definitions.map((d) => [keyOf(d), textOf(d)]));
  for (const row of await store.kv.get(collection, [...wanted.keys()])) if (wanted.get(row.key) === row.value) wanted.delete(row.key);
  if (wanted.size > 0) await store.kv.put([...wanted].map(([key, value]) => ({ collection, key, value })));
}

/** undefined: no engine has published this version of the workflow, or the store has no place for it. */
export async function readPublished(store: FullStore, scope: Scope, of: Named): Promise<PublishedWorkflow | undefined> {
  if (store.lacks?.includes("reader") === true) return undefined;
  const [row] = await store.kv.get(collectionOf(scope), [keyOf(of)]);
  return row === undefined ? undefined : parseRow(row);
}

/** All that was published: of one workflow, or of every one, by name. */
export async function listPublished(store: FullStore, scope: Scope, workflow?: string): Promise<readonly PublishedWorkflow[]> {
  if (store.lacks?.includes("reader") === true) return [];
  const collection = collectionOf(scope);
  const prefix = workflow === undefined ? undefined : runRowKey(workflow);
  // "0" is the character after "/": all versions of one name lie between the two.
  const bounds = prefix === undefined ? {} : { before: `${prefix}0` };
  const found: PublishedWorkflow[] = [];
  let after = prefix === undefined ? undefined : `${prefix}/`;
  for (;;) {
    const rows = await store.kv.list({ collection, ...bounds, ...(after === undefined ? {} : { after }), limit: pageSize });
    found.push(...rows.map(parseRow));
    after = rows.at(-1)?.key;
    if (rows.length < pageSize) return found;
  }
}

function textOf(d: Definition): string {
  const { input, signals, updates, views, derivesId } = d.describe();
  const stored: StoredWorkflow = {
    workflow: d.name,
    version: d.version,
    input: write(["input", input]),
    signals: [...signals].map(write),
    updates: [...updates].map(write),
    views: [...views].map(write),
    ...(derivesId ? { derivesId } : {}),
    ...(d.identity === undefined ? {} : { identity: d.identity }),
    ...(d.stale === undefined ? {} : { stale: d.stale }),
  };
  return JSON.stringify(stored);
}

function parseRow(row: KvRow): PublishedWorkflow {
  const stored = JSON.parse(row.value) as StoredWorkflow;
  const [name = "", version = ""] = row.key.split("/").map(decodeURIComponent); // as rows without a name are keyed
  return {
    name: stored.workflow ?? name,
    version: stored.version ?? version,
    publishedAt: row.at,
    input: stored.input === undefined ? null : read(stored.input)[1],
    signals: new Map(stored.signals.map(read)),
    updates: new Map(stored.updates.map(read)),
    views: new Map((stored.views ?? []).map(read)),
    derivesId: stored.derivesId === true,
    ...(stored.identity === undefined ? {} : { identity: stored.identity }),
    ...(stored.stale === undefined ? {} : { stale: stored.stale }),
  };
}

function write([name, m]: readonly [string, MessageSchema | null]): StoredSchema {
  if (m === null || JSON.stringify(m.schema).length > schemaTextMax) return { name };
  return { name, schema: m.schema, ...(m.required ? { required: true } : {}), ...(m.whole ? { whole: true } : {}) };
}

function read(s: StoredSchema): [string, MessageSchema | null] {
  return [s.name, s.schema === undefined ? null : { schema: s.schema, required: s.required === true, whole: s.whole === true }];
}
