// The list of all commands: the one place where they come together. The program, its help, the completion scripts and the test of
// docs/cli.md are made from it. It must never import a command's code.
import type { CommandSpec } from "./command.ts";
import { act } from "./groups/act.ts";
import { build } from "./groups/build.ts";
import { help } from "./groups/help.ts";
import { look } from "./groups/look.ts";
import { operate } from "./groups/operate.ts";
import { trust } from "./groups/trust.ts";
import { store, tenant } from "./options.ts";

export const commands: readonly CommandSpec[] = [...build, ...look, ...act, ...trust, ...operate, ...help].map(withTenant);

/** A store is shared by tenants: a command that opens one acts for one of them. */
function withTenant(c: CommandSpec): CommandSpec {
  return c.options.includes(store) ? { ...c, options: [...c.options, tenant] } : c;
}
