// What the generator writes, by path: the types and the page of the contract, the page of errors, the reference of the command line. It writes nothing itself: `main.mjs`
// does, and `npm run tidy` compares.
import { format } from "oxfmt";
import { register } from "node:module";
import { cataloguePath } from "./catalogue.mjs";
import { cliPage } from "./cli-page.mjs";
import { readContract } from "./contract.mjs";
import { errorsPage } from "./errors-page.mjs";
import { pageOf } from "./page.mjs";
import { typesOf } from "./types.mjs";

/**
 * @param {(path: string) => string} read
 * @returns {Promise<ReadonlyMap<string, string>>}
 */
export async function outputFiles(read) {
  const contract = readContract(read);
  const options = JSON.parse(read(".oxfmtrc.json"));
  const formatted = async (/** @type {string} */ path, /** @type {string} */ text) => {
    const { code, errors } = await format(path, text, options);
    if (errors.length > 0) throw new Error(`the generator wrote an invalid ${path}: ${errors[0]?.message}`);
    return code;
  };
  return new Map([
    ["src/core/contract.ts", await formatted("contract.ts", typesOf(contract))],
    ["docs/contract.md", await formatted("contract.md", pageOf(contract))],
    ["docs/reference/cli.md", await formatted("cli.md", cliPage(await commandList()))],
    ["docs/errors.md", await formatted("errors.md", errorsPage(read(cataloguePath)))],
  ]);
}

/** The commands as the program has them: their modules are TypeScript, which Node 20 does not run by itself. */
async function commandList() {
  if (process.env["VITEST"] === undefined) register("../../test/support/typescript-loader.mjs", import.meta.url);
  const { commands } = await import("../../src/cli/command-list.ts");
  return commands;
}
