// Confirms a recorded effect by looking at a REST resource of a service in the style of GitHub: a base address, a token, a path
// per resource, JSON. Gone, moved and "you may not look" are distinguished in the reason. A token never leaves in the clear, nor
// for another host than the one it is for.
import { PawlError } from "../errors/error.ts";
import type { ResourceVerifier } from "../workflow/types.ts";
import { differs, firstMissing, matches, valueText, valueAt } from "./compare.ts";
import { parseJsonBody, fetchResource } from "./http.ts";

export interface RestVerifierOpts<I, O> {
  /** For the log and for people; "rest" unless said otherwise. */
  name?: string;
  /** Such as "https://api.github.com". */
  base: string;
  /** Sent as a bearer token. */
  token?: () => string | Promise<string>;
  headers?: Readonly<Record<string, string>>;
  /** The resource, from its first slash on. */
  path: (input: I, recorded: O) => string;
  /** Members of the recorded result that the resource must still have like that: its id, its state. */
  same?: readonly (keyof O & string)[];
  /** What the resource must have besides; it may have more. */
  match?: (input: I, recorded: O) => Readonly<Record<string, unknown>>;
}

const statusReasons: Readonly<Record<number, string>> = {
  301: "it has moved",
  302: "it has moved",
  307: "it has moved",
  308: "it has moved",
  401: "the token is not accepted",
  403: "it may not be looked at",
  404: "it is gone, or may not be looked at",
  410: "it is gone",
  429: "it may not be looked at now",
};

/**
 * Confirms a recorded effect by a REST resource: a base address, a token, a path per resource, JSON.
 *
 * @example
 * const issue = restVerifier<{ title: string }, { number: number; state: string }>({
 *   name: "issue",
 *   base: "https://api.example.org",
 *   token: () => process.env["TOKEN"] ?? "",
 *   path: (_input, recorded) => `/issues/${recorded.number}`,
 *   same: ["number", "state"],
 * });
 */
export function restVerifier<I, O>(o: RestVerifierOpts<I, O>): ResourceVerifier<I, O> {
  const { name = "rest", base } = o;
  const { protocol, hostname } = new URL(base);
  const loopback = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  if (o.token !== undefined && protocol !== "https:" && !loopback)
    throw new PawlError("PAWL5001", `verifier ${name}: a token needs https:, not ${protocol}`);
  return {
    name,
    check: async (input, recorded, s) => {
      const path = o.path(input, recorded);
      // Whatever is in it, a path that begins with a slash stays on the host that the token is for.
      if (!path.startsWith("/")) throw new PawlError("PAWL5001", `verifier ${name}: a path begins with /`);
      const url = new URL(`${base.replace(/\/+$/, "")}${path}`);
      const headers: Record<string, string> = { accept: "application/json", "user-agent": "pawl", ...o.headers };
      if (o.token !== undefined) headers["authorization"] = `Bearer ${await o.token()}`;
      const answer = await fetchResource(url, "GET", headers, s.signal);
      if (answer.status !== 200) return differs(statusReasons[answer.status] ?? `it answers ${answer.status}`);
      const document = parseJsonBody(answer);
      if (document === undefined) return differs("it is no JSON, or too long");
      const expected: Record<string, unknown> = { ...o.match?.(input, recorded) };
      for (const member of o.same ?? []) expected[member] = recorded[member];
      const missing = firstMissing(expected, document.value);
      if (missing === null) return matches;
      return differs(
        `${missing === "" ? "it" : missing} is ${valueText(valueAt(document.value, missing))}, not ${valueText(valueAt(expected, missing))}`,
      );
    },
  };
}
