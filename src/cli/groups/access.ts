// Commands about who may use a server, and who did what. Data only: it must never import a command's code, only say where
// it is.
import type { AuditOptions } from "../commands/access/audit.ts";
import type { TokenOptions } from "../commands/access/token.ts";
import { defineCommand, type CommandSpec } from "../command.ts";
import { cursorOption, jsonOption, limitOption, storeOptions } from "../shared-options.ts";

export const accessCommands: readonly CommandSpec[] = [
  defineCommand<TokenOptions>({
    name: "token",
    args: "<create|ls|revoke> [token-id]",
    group: "Operate",
    summary: "tokens with which callers authenticate at a server: create, ls, revoke",
    options: {
      subject: { flags: "--subject <name>", summary: "create: who it is for" },
      role: { flags: "--role <role>", summary: "create: worker, viewer, app, decider, auditor, operator or admin" },
      scopes: { flags: "--scopes <list>", summary: "create: instead of a role, such as read,payloads,work,vouch" },
      ttl: { flags: "--ttl <duration>", summary: "create: how long it is valid (default: 90d)" },
      queue: { flags: "--queue <name>", summary: "create: a queue that a worker may serve (default: all)", many: true },
      kind: {
        flags: "--kind <kind>",
        summary: "create: person, service or agent (default: service for app, worker and --scopes, else person)",
      },
      tokensFile: { flags: "--tokens-file <file>", summary: "create: add it to this file, with a hash of the secret, instead of a store" },
      reason: { flags: "--reason <text>", summary: "revoke: why; recorded" },
      ...limitOption,
      ...cursorOption,
      ...jsonOption,
      ...storeOptions,
    },
    example: "pawl token create --subject ops --role admin --tenant acme/shop/live",
    load: async () => (await import("../commands/access/token.ts")).tokenCommand,
  }),
  defineCommand<AuditOptions>({
    name: "audit",
    args: "",
    group: "Verify",
    summary: "who did what through servers, and who was refused, newest first; exit code 9 if --verify finds that the log was changed",
    options: {
      run: { flags: "--run <run>", summary: "only about this run" },
      since: { flags: "--since <time>", summary: "only since then, such as 24h or 2026-01-31T12:00:00Z" },
      until: { flags: "--until <time>", summary: "only before then" },
      subject: { flags: "--subject <name>", summary: "only by, or on behalf of, this subject" },
      id: { flags: "--id <id>", summary: "only this decision or request: a policyDecisionId or requestId" },
      verify: { flags: "--verify", summary: "check that no record was changed or removed, and no end cut off" },
      heads: { flags: "--heads <file>", summary: "with --verify: compare with the heads in this log of a server" },
      removeOlderThan: { flags: "--remove-older-than <duration>", summary: "remove older records; at least 2557d, which is seven years" },
      ...limitOption,
      ...cursorOption,
      ...jsonOption,
      ...storeOptions,
    },
    example: "pawl audit --since 24h --subject ann",
    load: async () => (await import("../commands/access/audit.ts")).auditCommand,
  }),
];
