// `npm run tidy`: the test of the house. Runs every rule over the project's files and prints each problem with its place.
// There is no list of exemptions, and there must never be one: a rule that does not fit is changed for everybody.
import { fileURLToPath } from "node:url";
import { layerProblems } from "./layers.mjs";
import { lockProblems } from "./lock.mjs";
import { machineProblems } from "./machine.mjs";
import { madeProblems } from "./made.mjs";
import { pageProblems } from "./pages.mjs";
import { headerProblems, wordProblems } from "./prose.mjs";
import { quarantineProblems } from "./quarantine.mjs";
import { titleProblems } from "./titles.mjs";
import { readTree } from "./tree.mjs";

const tree = readTree(fileURLToPath(new URL("../..", import.meta.url)));
const rules = {
  layers: layerProblems,
  machine: machineProblems,
  headers: headerProblems,
  words: wordProblems,
  pages: pageProblems,
  titles: titleProblems,
  quarantine: quarantineProblems,
  lock: lockProblems,
  made: madeProblems,
};

let errors = 0;
for (const [name, rule] of Object.entries(rules)) {
  for (const p of await rule(tree)) {
    if (p.warning !== true) errors++;
    console.log(`${p.path}${p.line === undefined ? "" : `:${p.line}`}  ${p.warning === true ? "warning" : "error"}  ${name}  ${p.message}`);
  }
}
console.log(errors === 0 ? "The house is tidy." : `${errors} problem${errors === 1 ? "" : "s"}.`);
process.exitCode = errors === 0 ? 0 : 1;
