// Where the reader is. Every view is a link: the part of the address behind # holds a path and a query, so it works wherever the server is mounted,
// and ids never reach a log of a proxy. It must never hold a secret for longer than it takes to read it.
import { signal, type ReadonlySignal } from "@preact/signals";

export interface Route {
  /** Decoded segments: ["runs", "order/42"]. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

const current = signal<Route>(readRoute());
export const route: ReadonlySignal<Route> = current;

addEventListener("hashchange", () => (current.value = readRoute()));

function readRoute(): Route {
  const text = location.hash.replace(/^#\/?/, "");
  const [path, query] = splitOnce(text, "?");
  const parts = path.split("/").filter((part) => part !== "");
  return { path: parts.map(decoded), query: new URLSearchParams(query) };
}

function splitOnce(text: string, at: string): [string, string] {
  const i = text.indexOf(at);
  return i < 0 ? [text, ""] : [text.slice(0, i), text.slice(i + 1)];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export type QueryMembers = Readonly<Record<string, string | undefined>>;

/** The address of a view. Members that are undefined or empty are left out. */
export function linkTo(path: readonly string[], query: QueryMembers = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "");
  const search = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join("/")}${search === "" ? "" : `?${search}`}`;
}

export function goTo(path: readonly string[], query: QueryMembers = {}): void {
  location.hash = linkTo(path, query);
}

/** The same view with another query, without a new entry in the history. */
export function replaceQuery(query: QueryMembers): void {
  history.replaceState(null, "", linkTo(current.value.path, query));
  current.value = readRoute();
}
