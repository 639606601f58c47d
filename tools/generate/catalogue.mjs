// The catalogue of error codes as data, read from its source text: every code with its name and what to do. For the page of all errors
// and for the rule that each code has a page. It must never run the code it reads.
import { syntaxOf } from "../tidy/syntax.mjs";

export const cataloguePath = "src/errors/catalogue.ts";

/**
 * @param {string} text of src/errors/catalogue.ts
 * @returns {Map<string, { name: string, fix: string }>}
 */
export function codesIn(text) {
  const codes = new Map();
  for (const { node, parent, key } of syntaxOf(cataloguePath, text).sites) {
    if (parent.type !== "Property" || key !== "key" || !/^PAWL\d{4}$/.test(node["name"])) continue;
    const member = (/** @type {string} */ name) =>
      parent["value"].properties?.find((/** @type {any} */ p) => p.key.name === name)?.value.value ?? "";
    codes.set(node["name"], { name: member("name"), fix: member("fix") });
  }
  return codes;
}
