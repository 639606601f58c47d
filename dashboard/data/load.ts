// Reading for a view: a value, a problem, or neither yet. What was read stays on the page while it is read again, so that nothing jumps. A view that is
// left takes its request with it.
import { useEffect, useReducer, useRef } from "preact/hooks";
import { PawlError } from "../../src/errors/error.ts";

export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: PawlError | undefined;
  readonly loading: boolean;
  reload(): void;
}

interface Held<T> {
  key: string;
  value: T | undefined;
  error: PawlError | undefined;
  loading: boolean;
}

/** Reads again when `key` changes; with `everyMs` also after that time, while somebody looks. */
export function useLoad<T>(key: string, read: (signal: AbortSignal) => Promise<T>, everyMs?: number): Loaded<T> {
  const [turn, next] = useReducer((n: number) => n + 1, 0);
  const [, show] = useReducer((n: number) => n + 1, 0);
  const held = useRef<Held<T>>({ key, value: undefined, error: undefined, loading: true });
  if (held.current.key !== key) held.current = { key, value: undefined, error: undefined, loading: true };
  useEffect(() => {
    const ending = new AbortController();
    const now = held.current;
    now.loading = true;
    read(ending.signal)
      .then(
        (value) => Object.assign(now, { value, error: undefined }),
        (e: unknown) => Object.assign(now, { error: problemOf(e) }),
      )
      .finally(() => {
        now.loading = false;
        if (!ending.signal.aborted) show(undefined as never);
      });
    const timer =
      everyMs === undefined ? undefined : setInterval(() => document.visibilityState === "visible" && next(undefined as never), everyMs);
    return () => {
      clearInterval(timer);
      ending.abort(new DOMException("the view was left", "AbortError"));
    };
  }, [key, turn, everyMs]);
  const { value, error, loading } = held.current;
  return { value, error, loading, reload: () => next(undefined as never) };
}

/** Reads again, too, when `head` grows; what was read stays on the page meanwhile. */
export function useGrowing<T>(key: string, head: number, read: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const loaded = useLoad(key, read);
  const seen = useRef({ key, head });
  useEffect(() => {
    const { current } = seen;
    seen.current = { key, head };
    if (current.key === key && current.head !== head) loaded.reload();
  }, [key, head]);
  return loaded;
}

export function problemOf(e: unknown): PawlError {
  return e instanceof PawlError ? e : new PawlError("PAWL4088", e instanceof Error ? e.message : String(e));
}
