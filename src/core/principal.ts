// Who asks: a person, a service or an agent, as it was authenticated, and what it may do. It is recorded with what was asked for, and never
// with a credential. Pure types, constants and rules; whether a caller is who it says is decided in access/ and server/.
import { parseTraceparent, traceparentText } from "./traceparent.ts";

export type PrincipalKind = (typeof principalKinds)[number];
export const principalKinds = ["person", "service", "agent"] as const;

export interface Principal {
  readonly kind: PrincipalKind;
  /** Stable and unique within its issuer, such as "ann" or "https://login.example|248289761001". */
  readonly subject: string;
  /** The person for whom a service that is trusted to say so (scope vouch) acts. */
  readonly onBehalfOf?: string;
}

/** JSON text of a principal as it is recorded; undefined where nobody was named. */
export function principalText(p: Principal | undefined): string | undefined {
  if (p === undefined) return undefined;
  const { kind, subject, onBehalfOf } = p;
  return JSON.stringify({ kind, subject, ...(onBehalfOf === undefined ? {} : { onBehalfOf }) });
}

/** The same text, read back; undefined for anything else: a record must never be broken by what stands in a column. */
export function principalFrom(text: string | null | undefined): Principal | undefined {
  if (text === null || text === undefined) return undefined;
  try {
    const p = JSON.parse(text) as Partial<Principal> | null;
    if (typeof p?.subject !== "string" || !principalKinds.some((k) => k === p.kind)) return undefined;
    const behalf = typeof p.onBehalfOf === "string" ? { onBehalfOf: p.onBehalfOf } : {};
    return { kind: p.kind as PrincipalKind, subject: p.subject, ...behalf };
  } catch {
    return undefined;
  }
}

/** Who asked, and the span from which it was sent, as an inbox row keeps them: one JSON text, null where nothing is known. `principalFrom` reads the first. */
export function senderText(by: Principal | undefined, traceparent: string | undefined): string | null {
  const who = principalText(by);
  if (traceparent === undefined) return who ?? null;
  const trace = `"traceparent":${JSON.stringify(traceparent)}}`;
  return who === undefined ? `{${trace}` : `${who.slice(0, -1)},${trace}`;
}

/** The span from which it was sent, as W3C trace context; undefined where the row names none. */
export function traceFrom(text: string | null): string | undefined {
  if (text === null || !text.includes('"traceparent"')) return undefined;
  try {
    const place = parseTraceparent((JSON.parse(text) as { traceparent?: unknown } | null)?.traceparent);
    return place === null ? undefined : traceparentText(place);
  } catch {
    return undefined;
  }
}

/** For people: "ann", or "ann (by service desk)" where a service acts for a person. */
export function principalName(p: Principal): string {
  return p.onBehalfOf === undefined ? p.subject : `${p.onBehalfOf} (by ${p.kind} ${p.subject})`;
}

/** What a token permits. A set of them is a role; the order is that of the documentation. */
export type AccessScope = (typeof accessScopes)[number];
export const accessScopes = ["read", "payloads", "work", "operate", "resolve", "export", "admin", "vouch", "worker"] as const;

export function isAccessScope(text: unknown): text is AccessScope {
  return (accessScopes as readonly unknown[]).includes(text);
}

/** Roles, from the least permissive to the most. `vouch` is in none: it is given by name only. A worker runs steps, and reads nothing else. */
export type AccessRole = (typeof accessRoles)[number];
export const accessRoles = ["worker", "viewer", "app", "decider", "auditor", "operator", "admin"] as const;
export const roleScopes: Readonly<Record<AccessRole, readonly AccessScope[]>> = {
  worker: ["worker"],
  viewer: ["read"],
  app: ["read", "payloads", "work"],
  decider: ["read", "payloads", "resolve"],
  auditor: ["read", "payloads", "export"],
  operator: ["read", "payloads", "work", "operate"],
  admin: ["read", "payloads", "work", "operate", "resolve", "export", "admin", "worker"],
};

/** The least permissive role that the holder of `held` has and that permits `needed` (P-29); undefined where its scopes make none. */
export function effectiveRole(needed: AccessScope, held: readonly AccessScope[]): AccessRole | undefined {
  return accessRoles.find((r) => roleScopes[r].includes(needed) && roleScopes[r].every((s) => held.includes(s)));
}
