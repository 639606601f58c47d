// Lists as the API answers them: items and, where there is more, a cursor.
// There are no totals, and there must never be: counting blocks a store.
import type { ListPage } from "../../api/operation-types.ts";
import { utf8Length } from "../../core/names.ts";
import { PawlError } from "../../errors/error.ts";
import { base64Url } from "../../platform/base64.ts";

const utf8 = new TextEncoder();

export function page<T>(items: readonly T[], cursor?: string): ListPage<T> {
  return cursor === undefined ? { items } : { items, nextCursor: cursor };
}

const itemsMax = 500;
/** A page ends before it is larger than this, however long its texts are; one item is always in it. */
const pageBytesMax = 192 * 1_024;

const namedMax = 1_000;

/** A part of a short list whose items have names. The cursor is the name of the last one: nothing is left out or shown twice, whatever comes meanwhile. */
export function namedPage<T>(
  all: readonly T[],
  nameOf: (item: T) => string,
  { limit = namedMax, cursor }: { readonly limit?: number; readonly cursor?: string },
): ListPage<T> {
  const at = cursor === undefined ? -1 : all.findIndex((item) => base64Url(utf8.encode(nameOf(item))) === cursor);
  if (cursor !== undefined && at === -1)
    throw new PawlError("PAWL4082", "what this cursor stands at is no longer in the list: read it again from its start", {
      errors: [{ pointer: "/cursor", message: "is not a place in this list" }],
    });
  const items = all.slice(at + 1, at + 1 + limit);
  const last = items.at(-1);
  const more = last !== undefined && at + 1 + items.length < all.length;
  return page(items, more ? base64Url(utf8.encode(nameOf(last))) : undefined);
}

/** A part of what is computed as a whole. The cursor is the place of the next item: nothing before it may change its place. */
export function slicePage<T>(all: readonly T[], o: { readonly limit?: number; readonly cursor?: string }): ListPage<T> {
  if (o.cursor !== undefined && !/^\d{1,9}$/.test(o.cursor)) throw new PawlError("PAWL4082", "this cursor came from another list");
  const from = Number(o.cursor ?? 0);
  const items = firstFitting(all.slice(from, from + (o.limit ?? itemsMax)));
  const to = from + items.length;
  return page(items, to < all.length ? String(to) : undefined);
}

/** The first of them, as many as an answer may have. */
export function firstFitting<T>(items: readonly T[]): readonly T[] {
  let bytes = 0;
  const end = items.findIndex((item, i) => (bytes += utf8Length(JSON.stringify(item))) > pageBytesMax && i > 0);
  return end === -1 ? items : items.slice(0, end);
}
