// Confirms a recorded effect by looking at a resource over HTTP: its status, its ETag, members of its JSON. One request without
// redirects, through the platform. Anything unexpected is a difference with its reason, never a match.
import { PawlError } from "../errors/error.ts";
import { httpRequest, type HttpAnswer } from "../platform/net/http.ts";
import type { ResourceVerifier } from "../workflow/types.ts";
import { differs, isSame, matches, valueText, valueAt } from "./compare.ts";

export interface HttpVerifierOpts<I, O> {
  /** For the log and for people; "http" unless said otherwise. */
  name?: string;
  url: (input: I, recorded: O) => string | URL;
  method?: "GET" | "HEAD";
  headers?: (input: I, recorded: O) => Readonly<Record<string, string>>;
  /** The status it must have; 200 unless said otherwise. */
  status?: number | readonly number[];
  /** The ETag it must have, character for character. */
  etag?: (input: I, recorded: O) => string;
  /** By JSON pointer (RFC 6901): the value it must have there. */
  json?: Readonly<Record<string, (input: I, recorded: O) => unknown>>;
}

const bodyBytesMax = 1024 * 1024;

/**
 * Confirms a recorded effect by one HTTP request: status, ETag, members of the JSON body.
 *
 * @example
 * const exists = httpVerifier<{ id: string }, { url: string }>({ name: "invoice", url: (_input, recorded) => recorded.url });
 */
export function httpVerifier<I, O>(o: HttpVerifierOpts<I, O>): ResourceVerifier<I, O> {
  const { name = "http", method = "GET", json = {} } = o;
  const wanted: readonly number[] = typeof o.status === "object" ? o.status : [o.status ?? 200];
  const pointers = Object.keys(json);
  for (const p of pointers)
    if (p !== "" && !p.startsWith("/")) throw new PawlError("PAWL5001", `verifier ${name}: ${p} is no JSON pointer: it begins with /`);
  if (pointers.length > 0 && method === "HEAD") throw new PawlError("PAWL5001", `verifier ${name}: a HEAD request has no JSON to look at`);
  return {
    name,
    check: async (input, recorded, s) => {
      const headers = o.headers?.(input, recorded) ?? {};
      const answer = await fetchResource(o.url(input, recorded), method, headers, s.signal);
      if (!wanted.includes(answer.status)) return differs(`it answers ${answer.status}, not ${wanted.join(" or ")}`);
      const etag = o.etag?.(input, recorded);
      if (etag !== undefined && answer.header("etag") !== etag)
        return differs(`its ETag is ${answer.header("etag") ?? "absent"}, not ${etag}`);
      if (pointers.length === 0) return matches;
      const document = parseJsonBody(answer);
      if (document === undefined) return differs("it is no JSON, or too long");
      for (const p of pointers) {
        const expected = json[p]!(input, recorded);
        const found = valueAt(document.value, p);
        if (!isSame(expected, found)) return differs(`${p === "" ? "the document" : p} is ${valueText(found)}, not ${valueText(expected)}`);
      }
      return matches;
    },
  };
}

/** As it is: no compression, whose ETag would be another, and no cache in between. */
export async function fetchResource(
  url: string | URL,
  method: "GET" | "HEAD",
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const at = new URL(url);
  if (at.protocol !== "https:" && at.protocol !== "http:")
    throw new PawlError("PAWL5001", `a verifier looks at http: or https:, not ${at.protocol}`);
  const asked = { "accept-encoding": "identity", "cache-control": "no-cache", ...headers };
  return httpRequest(at, { method, headers: asked, signal, bodyBytesMax });
}

/** undefined: it is none. */
export function parseJsonBody(answer: HttpAnswer): { readonly value: unknown } | undefined {
  try {
    return answer.body === undefined
      ? undefined
      : { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(answer.body)) as unknown };
  } catch {
    return undefined;
  }
}
