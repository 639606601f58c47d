// `pawl init`: an example to begin with, and the folder that will hold its runs. It overwrites nothing, and the example
// runs as it stands. The folder tells Git to leave it alone.
import { PawlError } from "../../../errors/error.ts";
import { cwd, ensureDir, exists, joinPath, writeText } from "../../../platform/files.ts";
import { writeOut } from "../../../platform/terminal.ts";
import type { JsonOption } from "../../shared-options.ts";
import { exitCodes } from "../../output/report-error.ts";
import { printNote, printJson } from "../../output/print.ts";
import { withSession } from "../../session.ts";

const example = `// A first workflow. Run it, stop it while it sleeps, run it again: it continues where it was.
import { workflow } from "pawl";

export const hello = workflow({ name: "hello" }, async (ctx) => {
  // What a step returns is recorded: however often you interrupt this, the dice are rolled once.
  const lucky = await ctx.step("roll", () => 1 + Math.floor(Math.random() * 6));
  await ctx.sleep("nap", "5s");
  return { greeting: "Hello, world", lucky };
});
`;

export type InitOptions = JsonOption;

export async function initCommand(args: readonly string[], o: InitOptions): Promise<number> {
  const file = args[0] ?? "hello.ts";
  if (!/\.m?ts$/.test(file)) throw new PawlError("PAWL4011", "the example is TypeScript: give it a name that ends in .ts");
  const folder = joinPath(cwd(), ".pawl");
  if (exists(file)) throw new PawlError("PAWL5007", `${file} already exists`, { data: { path: file } });
  const made = !exists(folder);
  ensureDir(folder);
  if (made) writeText(joinPath(folder, ".gitignore"), "*\n");
  await withSession({ store: `sqlite:${joinPath(folder, "state.db")}` }, async () => {}, true);
  writeText(file, example);
  if (o.json === true) printJson({ file, folder: ".pawl", created: made });
  else writeOut(`${file}\n`);
  printNote(`created ${file}${made ? " and .pawl, where its runs are stored" : ""}`);
  printNote(`next: pawl run ./${file} --id first   (stop it with Ctrl-C, run it again: it continues)`);
  printNote("then: pawl ls, pawl inspect first");
  printNote(`or: pawl dev ./${file}   (with a dashboard, reloaded when you save)`);
  return exitCodes.ok;
}
