// What an inbox row says of its sender, as one JSON text: who asked, and the span from which it was sent. Either may be absent. Pure rules; a text of
// another writer must never break a record.
import { principalText, type Principal } from "./principal.ts";
import { parseTraceparent, traceparentText } from "./traceparent.ts";

/** Null where nothing is known. Who asked is read back by `principalFrom`, which ignores the rest. */
export function senderText(by: Principal | undefined, traceparent: string | undefined): string | null {
  const who = principalText(by);
  if (traceparent === undefined) return who ?? null;
  const trace = `"traceparent":${JSON.stringify(traceparent)}}`;
  return who === undefined ? `{${trace}` : `${who.slice(0, -1)},${trace}`;
}

/** The span from which it was sent, as W3C trace context; undefined where the row names none. */
export function traceFrom(text: string | null): string | undefined {
  if (text === null || !text.includes('"traceparent"')) return undefined;
  try {
    const place = parseTraceparent((JSON.parse(text) as { traceparent?: unknown } | null)?.traceparent);
    return place === null ? undefined : traceparentText(place);
  } catch {
    return undefined;
  }
}
