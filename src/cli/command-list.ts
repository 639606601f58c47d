// The list of all commands: the one place where they come together. The program, its help, the completion scripts and
// docs/reference/cli.md are made from it. It must never import a command's code.
import type { CommandSpec } from "./command.ts";
import { accessCommands } from "./groups/access.ts";
import { buildCommands } from "./groups/build.ts";
import { controlCommands } from "./groups/control.ts";
import { helpCommands } from "./groups/help.ts";
import { inspectCommands } from "./groups/inspect.ts";
import { operateCommands } from "./groups/operate.ts";
import { serveCommands } from "./groups/serve.ts";
import { verifyCommands } from "./groups/verify.ts";

export const commands: readonly CommandSpec[] = [
  ...buildCommands,
  ...inspectCommands,
  ...controlCommands,
  ...verifyCommands,
  ...operateCommands,
  ...serveCommands,
  ...accessCommands,
  ...helpCommands,
];
