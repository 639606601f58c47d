// What the generator writes, by path: the types and the page of the contract, the page of errors, the references of the command line and of the HTTP API. It writes nothing itself: `main.mjs`
// does, and `npm run tidy` compares.
import { format } from "oxfmt";
import { register } from "node:module";
import { apiPage } from "./api-page.mjs";
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
    ["docs/reference/api.md", await formatted("api.md", apiPage(await openApi(JSON.parse(read("package.json")).version)))],
    ["docs/errors.md", await formatted("errors.md", errorsPage(read(cataloguePath)))],
  ]);
}

/** The program's modules are TypeScript, which Node 20 does not run by itself. */
let registered = process.env["VITEST"] !== undefined;
function readTypeScript() {
  if (!registered) register("../../test/support/typescript-loader.mjs", import.meta.url);
  registered = true;
}

/** The document as a server serves it. @param {string} version */
async function openApi(version) {
  readTypeScript();
  const { openApiDocument } = await import("../../src/api/openapi.ts");
  return JSON.parse(JSON.stringify(openApiDocument({ version, base: "" })));
}

/** The commands as the program has them. */
async function commandList() {
  readTypeScript();
  const { commands } = await import("../../src/cli/command-list.ts");
  return commands;
}
