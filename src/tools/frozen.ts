// Read-only all the way down, as a type. The runtime freezes what it hands out; this file only says so to the compiler, and must stay
// free of anything that runs.

/** Read-only all the way down. */
export type Frozen<T> = T extends ((...a: any[]) => unknown) | Date | Uint8Array
  ? T
  : T extends Map<infer K, infer V>
    ? ReadonlyMap<K, Frozen<V>>
    : T extends Set<infer V>
      ? ReadonlySet<Frozen<V>>
      : T extends readonly [unknown, ...unknown[]]
        ? { readonly [K in keyof T]: Frozen<T[K]> }
        : T extends readonly (infer E)[]
          ? readonly Frozen<E>[]
          : T extends object
            ? { readonly [K in keyof T]: Frozen<T[K]> }
            : T;
