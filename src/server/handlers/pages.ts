// Lists as the API answers them: items and, where there is more, a cursor.
// There are no totals, and there must never be: counting blocks a store.
import type { ListPage } from "../../api/operation-types.ts";

export function page<T>(items: readonly T[], cursor?: string): ListPage<T> {
  return cursor === undefined ? { items } : { items, nextCursor: cursor };
}
