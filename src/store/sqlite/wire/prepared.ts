// Statements whose text is put together, prepared once per text: a driver frees one only when the collector comes by, and a walk
// over many runs would pile up thousands of them before it does. Bounded: what is too much is let go of all at once.
import type { Connection, Statement } from "./driver.ts";

const textsMax = 100;
const kept = new WeakMap<Connection, Map<string, Statement>>();

/** The connection is closed. */
export function dropPrepared(db: Connection): void {
  kept.delete(db);
}

export function prepared(db: Connection, text: string): Statement {
  let texts = kept.get(db);
  if (texts === undefined) kept.set(db, (texts = new Map()));
  let found = texts.get(text);
  if (found === undefined) {
    if (texts.size >= textsMax) texts.clear();
    texts.set(text, (found = db.prepare(text)));
  }
  return found;
}
