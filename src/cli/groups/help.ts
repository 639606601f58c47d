// Commands about the command line itself. Data only: it must never import a command's code, only say where it is; and none of them opens
// a store.
import type { ExplainOptions } from "../commands/help/explain.ts";
import type { CompletionOptions } from "../commands/help/completion.ts";
import type { VersionOptions } from "../commands/help/version.ts";
import { defineCommand, type CommandSpec } from "../command.ts";
import { jsonOption } from "../shared-options.ts";

export const helpCommands: readonly CommandSpec[] = [
  defineCommand<ExplainOptions>({
    name: "explain",
    args: "[code]",
    group: "Help",
    summary: "explain an error, by code or name; without one, list all codes",
    options: jsonOption,
    example: "pawl explain PAWL4009",
    load: async () => (await import("../commands/help/explain.ts")).explainCommand,
  }),
  defineCommand<CompletionOptions>({
    name: "completion",
    args: "<bash|zsh|fish>",
    group: "Help",
    summary: "print a completion script for a shell",
    options: {},
    example: "source <(pawl completion bash)",
    load: async () => (await import("../commands/help/completion.ts")).completionCommand,
  }),
  defineCommand<VersionOptions>({
    name: "version",
    args: "",
    group: "Help",
    summary: "print the version",
    options: jsonOption,
    example: "pawl version",
    load: async () => (await import("../commands/help/version.ts")).versionCommand,
  }),
];
