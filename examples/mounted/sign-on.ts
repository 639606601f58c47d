// The host's own sign-on, as small as possible: who a request is from, and what the caller may do. Yours looks at its session or its token instead.
// Pawl calls it for every request, and answers 401 where it returns null.
import type { HostCaller } from "pawl/server";

const people: Readonly<Record<string, HostCaller>> = {
  "session=ann": { kind: "person", subject: "ann", scopes: ["read", "payloads", "work", "operate"] },
  "session=bob": { kind: "person", subject: "bob", scopes: ["read"] },
};

export function whoAsks(request: Request): HostCaller | null {
  return people[request.headers.get("cookie") ?? ""] ?? null;
}
