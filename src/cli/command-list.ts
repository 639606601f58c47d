// The list of all commands: the one place where they come together. The program, its help, the completion scripts and the test of
// docs/cli.md are made from it. It must never import a command's code.
import type { CommandSpec } from "./command.ts";
import { controlCommands } from "./groups/control.ts";
import { buildCommands } from "./groups/build.ts";
import { helpCommands } from "./groups/help.ts";
import { inspectCommands } from "./groups/inspect.ts";
import { operateCommands } from "./groups/operate.ts";
import { verifyCommands } from "./groups/verify.ts";
import { store, tenant } from "./shared-options.ts";

export const commands: readonly CommandSpec[] = [
  ...buildCommands,
  ...inspectCommands,
  ...controlCommands,
  ...verifyCommands,
  ...operateCommands,
  ...helpCommands,
].map(withTenant);

/** A store is shared by tenants: a command that opens one acts for one of them. */
function withTenant(c: CommandSpec): CommandSpec {
  return c.options.includes(store) ? { ...c, options: [...c.options, tenant] } : c;
}
