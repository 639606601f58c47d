// A message that is delivered later: how long after it was accepted, with its payload, as one text in the inbox. The delay is relative, so that the same request sent
// again is the same text; the store's time of acceptance decides. A tag of the codec: nothing that a user writes is ever read as one.
import { tagKey } from "./tags.ts";

const start = `{"${tagKey}":["after",`;

/** `payload`: encoded text; null: none. */
export function delayedText(afterMs: number, payload: string | null): string {
  return `${start}${String(afterMs)}${payload === null ? "" : `,${payload}`}]}`;
}

/** Null: it is not delayed. */
export function readDelayed(text: string | null): { readonly afterMs: number; readonly payload: string | null } | null {
  if (text === null || !text.startsWith(start)) return null;
  const inner = text.slice(start.length, -2);
  const comma = inner.indexOf(",");
  return { afterMs: Number(comma < 0 ? inner : inner.slice(0, comma)), payload: comma < 0 ? null : inner.slice(comma + 1) };
}
