// The target of a request, taken apart: its path and its query. Most targets are read as they are, the rest as URLs.
// It must never read a path otherwise than a URL is read.
import { bodyRefused } from "../problem.ts";

/** A path that nobody would spell otherwise: no escapes, no segment of dots, no query. */
const plainPath = /^(?:\/[\w~][\w~.-]*)+$/;
const noQuery = new URLSearchParams();

/** Taking a URL apart is a good part of a small request: most of them can be read as they are. */
export function addressIn(target: string): { readonly pathname: string; readonly query: URLSearchParams } {
  if (plainPath.test(target)) return { pathname: target, query: noQuery };
  const { pathname, searchParams } = urlOf(target, "http://localhost");
  return { pathname, query: searchParams };
}

/** Targets are paths; a proxy's may be whole URLs. */
export function urlOf(target: string, origin: string): URL {
  try {
    if (target.startsWith("/")) return new URL(`${origin}${target}`);
    if (/^https?:\/\//i.test(target)) return new URL(target);
  } catch {
    // said below
  }
  throw bodyRefused(400, "the request's target is not a URL");
}
