// What is made from the contract's files, by path: one module of types and tables, one page. Writes nothing: `main.mjs` does,
// and `npm run tidy` compares.
import { format } from "oxfmt";
import { readContract } from "./contract.mjs";
import { pageOf } from "./page.mjs";
import { typesOf } from "./types.mjs";

/**
 * @param {(path: string) => string} read
 * @returns {Promise<ReadonlyMap<string, string>>}
 */
export async function madeFiles(read) {
  const contract = readContract(read);
  const { code, errors } = await format("contract.ts", typesOf(contract), JSON.parse(read(".oxfmtrc.json")));
  if (errors.length > 0) throw new Error(`the generator wrote no TypeScript: ${errors[0]?.message}`);
  return new Map([
    ["src/core/contract.ts", code],
    ["docs/contract.md", pageOf(contract)],
  ]);
}
