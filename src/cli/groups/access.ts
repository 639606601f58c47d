// Commands about who may use a server, and who did what. Data only: it must never import a command's code, only say where
// it is.
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
      role: { flags: "--role <role>", summary: "create: viewer, app, decider, auditor, operator or admin" },
      scopes: { flags: "--scopes <list>", summary: "create: instead of a role, such as read,payloads,work,vouch" },
      ttl: { flags: "--ttl <duration>", summary: "create: how long it is valid (default: 90d)" },
      kind: { flags: "--kind <kind>", summary: "create: person, service or agent (default: service for app and --scopes, else person)" },
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
];
