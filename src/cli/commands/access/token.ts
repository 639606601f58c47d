// `pawl token`: tokens for callers of a server, made, listed and revoked. On a store it makes the first one: a person who can open the store
// may make any. The token goes to standard output once; nothing prints it again.
import { writeTokenEntry } from "../../../access/tokens-file.ts";
import type { CreatedToken, NewToken, TokenView } from "../../../access/types.ts";
import { accessRoles, roleScopes, type AccessScope, type PrincipalKind } from "../../../core/principal.ts";
import { PawlError } from "../../../errors/error.ts";
import { systemPlatform } from "../../../platform/system.ts";
import { colourAllowed, writeOut } from "../../../platform/terminal.ts";
import { paint } from "../../output/colors.ts";
import { clip, formatTable } from "../../output/format.ts";
import { printJson, printNote } from "../../output/print.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseCount, parseDurationMs } from "../../parse-values.ts";
import { withSession, type CliSession } from "../../session.ts";
import type { CursorOption, JsonOption, LimitOption, ReasonOption, StoreOptions } from "../../shared-options.ts";
import { onRecord } from "./on-record.ts";

export interface TokenOptions extends ReasonOption, LimitOption, CursorOption, JsonOption, StoreOptions {
  readonly subject?: string;
  readonly role?: string;
  readonly scopes?: string;
  readonly ttl?: string;
  readonly queue?: readonly string[];
  readonly kind?: string;
  readonly tokensFile?: string;
}

type TokenAction = (args: readonly string[], o: TokenOptions) => Promise<number>;

const tokenActions: Readonly<Record<string, TokenAction>> = {
  create: async (_, o) => {
    const wanted = parseNewToken(o);
    if (o.tokensFile !== undefined) return printCreated(writeTokenEntry(o.tokensFile, wanted, systemPlatform()), o);
    const act = { operation: "tokens.create", target: wanted.subject };
    const create = async (s: CliSession): Promise<number> => printCreated(await onRecord(s, act, () => s.client.tokens.create(wanted)), o);
    return withSession(o, create, true); // a service's first command
  },
  ls: async (_, o) => {
    const limit = parseCount(o.limit, "--limit", 1);
    return withSession(o, async (s) => {
      const page = await s.client.tokens.list({
        ...(limit === undefined ? {} : { limit }),
        ...(o.cursor === undefined ? {} : { cursor: o.cursor }),
      });
      if (o.json === true) printJson(page);
      else if (page.tokens.length === 0) printNote("no tokens");
      else writeOut(tokenTable(page.tokens, s.platform.wallMs()));
      if (o.json !== true && page.cursor !== undefined) printNote(`more: --cursor ${page.cursor}`);
      return exitCodes.ok;
    });
  },
  revoke: async ([tokenId], o) => {
    if (tokenId === undefined) throw new PawlError("PAWL4011", "token revoke needs a token's id; pawl token ls lists them");
    return withSession(o, async (s) => {
      const why = o.reason === undefined ? {} : { reason: o.reason };
      const act = { operation: "tokens.revoke", target: tokenId, ...why };
      const view = await onRecord(s, act, () => s.client.tokens.revoke(tokenId, why));
      if (o.json === true) printJson({ token: view });
      else printNote(`${view.tokenId} of ${view.subject} is revoked; servers refuse it within five seconds`);
      return exitCodes.ok;
    });
  },
};

export async function tokenCommand(args: readonly string[], o: TokenOptions): Promise<number> {
  const [name = "", ...rest] = args;
  const act = Object.hasOwn(tokenActions, name) ? tokenActions[name] : undefined;
  if (act === undefined)
    throw new PawlError("PAWL4011", `token takes ${Object.keys(tokenActions).join(", ")}, not ${JSON.stringify(name)}`);
  return act(rest, o);
}

function parseNewToken(o: TokenOptions): NewToken {
  if (o.subject === undefined) throw new PawlError("PAWL4011", "say who the token is for: --subject shop-backend");
  if ((o.role === undefined) === (o.scopes === undefined))
    throw new PawlError("PAWL4011", `give --role (${accessRoles.join(", ")}) or --scopes (read,work,…), one of the two`);
  const role = accessRoles.find((r) => r === o.role);
  if (o.role !== undefined && role === undefined)
    throw new PawlError("PAWL4011", `--role takes ${accessRoles.join(", ")}, not ${JSON.stringify(o.role)}`);
  const ttlMs = parseDurationMs(o.ttl, "--ttl");
  return {
    subject: o.subject,
    // A role that people have makes a person's token; the others are for programs.
    kind: (o.kind ?? (role === "app" || role === "worker" || role === undefined ? "service" : "person")) as PrincipalKind,
    scopes: role === undefined ? ((o.scopes ?? "").split(",").map((t) => t.trim()) as AccessScope[]) : roleScopes[role],
    ...(ttlMs === undefined ? {} : { ttlMs }),
    ...(o.queue === undefined ? {} : { queues: o.queue }),
  };
}

function printCreated(made: CreatedToken, o: TokenOptions): number {
  if (o.json === true) printJson(made);
  else {
    const { tokenId, kind, subject, scopes, expiresAt } = made.view;
    printNote(`token ${tokenId} of ${kind} ${subject}: ${scopes.join(", ")}; until ${expiresAt}`);
    printNote("the token, which is not shown again:");
    writeOut(`${made.token}\n`);
  }
  return exitCodes.ok;
}

function tokenTable(tokens: readonly TokenView[], nowMs: number): string {
  const p = paint(colourAllowed("out"));
  const rows = tokens.map((t) => [
    t.tokenId,
    t.kind,
    clip(t.subject, 40),
    stateOf(t, nowMs),
    t.run === undefined ? t.scopes.join(" ") : `${t.run.allow} of ${t.run.runId}`,
    clip(t.createdBy ?? "", 40),
  ]);
  return formatTable([["TOKEN", "KIND", "SUBJECT", "STATE", "MAY", "MADE BY"], ...rows], (cell, row) => (row === 0 ? p.dim(cell) : cell));
}

function stateOf(t: TokenView, nowMs: number): string {
  if (t.revokedAt !== undefined) return `revoked ${t.revokedAt}`;
  return `${Date.parse(t.expiresAt) <= nowMs ? "ended" : "until"} ${t.expiresAt}`;
}
