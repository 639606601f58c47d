// What messages each version of a workflow takes, in a collection of the store: written by the engines that serve it, read by senders
// that do not have its code. A row says what the last engine with that version said. It is never an authority
// over the code: a run's owner checks every message again before it enters the log.
import type { JsonSchema } from "../../core/json-schema.ts";
import type { Scope } from "../../core/model.ts";
import { runRowKey, scopedCollection } from "../../store/keys.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { Definition, Messages, MessageSchema } from "../definition.ts";

interface StoredMessages {
  readonly signals: readonly StoredMessage[];
  readonly updates: readonly StoredMessage[];
}
interface StoredMessage {
  readonly name: string;
  /** Absent: only the code can check the payload. */
  readonly schema?: JsonSchema;
  readonly required?: true;
  readonly whole?: true;
}
type Named = Pick<Definition, "name" | "version">;

/** A schema beyond this is not kept: its name is, and the code checks the payload. */
const schemaTextMax = 64 * 1024;

const shelfOf = (scope: Scope): string => scopedCollection("messages", scope);
const keyOf = ({ name, version }: Named): string => [name, version].map((part) => runRowKey(part)).join("/");

/** Writes what these definitions take, where that is not what the store says already. */
export async function publishMessages(store: FullStore, scope: Scope, definitions: readonly Definition[]): Promise<void> {
  if (definitions.length === 0 || store.lacks?.includes("reader") === true) return;
  const collection = shelfOf(scope);
  const wanted = new Map(definitions.map((d) => [keyOf(d), textOf(d.messages())]));
  for (const row of await store.kv.get(collection, [...wanted.keys()])) if (wanted.get(row.key) === row.value) wanted.delete(row.key);
  if (wanted.size > 0) await store.kv.put([...wanted].map(([key, value]) => ({ collection, key, value })));
}

/** undefined: no engine has published what this version of the workflow takes, or the store has no place for it. */
export async function readMessages(store: FullStore, scope: Scope, of: Named): Promise<Messages | undefined> {
  if (store.lacks?.includes("reader") === true) return undefined;
  const [row] = await store.kv.get(shelfOf(scope), [keyOf(of)]);
  if (row === undefined) return undefined;
  const { signals, updates } = JSON.parse(row.value) as StoredMessages;
  return { signal: new Map(signals.map(read)), update: new Map(updates.map(read)) };
}

function textOf(m: Messages): string {
  const stored: StoredMessages = { signals: [...m.signal].map(write), updates: [...m.update].map(write) };
  return JSON.stringify(stored);
}

function write([name, m]: readonly [string, MessageSchema | null]): StoredMessage {
  if (m === null || JSON.stringify(m.schema).length > schemaTextMax) return { name };
  return { name, schema: m.schema, ...(m.required ? { required: true } : {}), ...(m.whole ? { whole: true } : {}) };
}

function read(s: StoredMessage): [string, MessageSchema | null] {
  return [s.name, s.schema === undefined ? null : { schema: s.schema, required: s.required === true, whole: s.whole === true }];
}
