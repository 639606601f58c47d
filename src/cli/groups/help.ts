// What helps with the command line itself. Data only: it must never import a command's code, only say where it is; and none of
// them opens a store.
import type { CommandSpec } from "../command.ts";
import { json } from "../shared-options.ts";

export const helpCommands: readonly CommandSpec[] = [
  {
    name: "explain",
    args: "[code]",
    group: "Help",
    summary: "explain an error code, by code or name; without one, list them",
    options: [json],
    example: "pawl explain PAWL4009",
    load: async () => (await import("../commands/help/explain.ts")).explainCommand,
  },
  {
    name: "completion",
    args: "<bash|zsh|fish>",
    group: "Help",
    summary: "print a completion script for a shell",
    options: [],
    example: "source <(pawl completion bash)",
    load: async () => (await import("../commands/help/completion.ts")).completionCommand,
  },
  {
    name: "version",
    args: "",
    group: "Help",
    summary: "print the version",
    options: [json],
    example: "pawl version",
    load: async () => (await import("../commands/help/version.ts")).versionCommand,
  },
];
