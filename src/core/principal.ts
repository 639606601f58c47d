// Who asks: a person, a service or an agent, as it was authenticated. It is recorded with what was asked for, and never with a credential.
// Pure types and constants; who may do what is decided in server/.

export type PrincipalKind = (typeof principalKinds)[number];
export const principalKinds = ["person", "service", "agent"] as const;

export interface Principal {
  readonly kind: PrincipalKind;
  /** Stable and unique within its issuer, such as "ann" or "https://login.example|248289761001". */
  readonly subject: string;
  /** The person for whom a service that is trusted to say so (scope vouch) acts. */
  readonly onBehalfOf?: string;
}

/** What a token permits. A set of them is a role; the order is that of the documentation. */
export type AccessScope = (typeof accessScopes)[number];
export const accessScopes = ["read", "payloads", "work", "operate", "resolve", "export", "admin", "vouch"] as const;
