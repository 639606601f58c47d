// `npm run tidy`: the test of the house. Runs every rule over the project's files and prints each problem with its place, then the
// numbers that must not grow. There is no list of exemptions, and there must never be one: a rule that does not fit is changed for
// everybody.
import { fileURLToPath } from "node:url";
import { browserProblems } from "./browser.mjs";
import { contractIdProblems } from "./contract-ids.mjs";
import { exportProblems } from "./exports.mjs";
import { generatedProblems } from "./generated.mjs";
import { layerProblems } from "./layers.mjs";
import { lockProblems } from "./lock.mjs";
import { machineProblems } from "./machine.mjs";
import { markupProblems } from "./markup.mjs";
import { pageProblems } from "./pages.mjs";
import { headerProblems, wordProblems } from "./prose.mjs";
import { quarantineProblems } from "./quarantine.mjs";
import { fileSizes, folderSizes, sizeProblems } from "./sizes.mjs";
import { stateProblems } from "./state.mjs";
import { titleProblems } from "./titles.mjs";
import { readTree } from "./tree.mjs";
import { vocabularyProblems } from "./vocabulary.mjs";

const tree = readTree(fileURLToPath(new URL("../..", import.meta.url)));
const rules = {
  layers: layerProblems,
  machine: machineProblems,
  browser: browserProblems,
  markup: markupProblems,
  headers: headerProblems,
  words: wordProblems,
  pages: pageProblems,
  titles: titleProblems,
  quarantine: quarantineProblems,
  lock: lockProblems,
  generated: generatedProblems,
  exports: exportProblems,
  sizes: sizeProblems,
  state: stateProblems,
  vocabulary: vocabularyProblems,
  "contract-ids": contractIdProblems,
};

let errors = 0;
/** @type {Map<string, number>} */
const counts = new Map();
for (const [name, rule] of Object.entries(rules)) {
  const problems = await rule(tree);
  counts.set(name, problems.length);
  for (const p of problems) {
    if (p.warning !== true) errors++;
    console.log(`${p.path}${p.line === undefined ? "" : `:${p.line}`}  ${p.warning === true ? "warning" : "error"}  ${name}  ${p.message}`);
  }
}
const [folder, files] = folderSizes(tree)[0] ?? ["", 0];
const [file, lines] = fileSizes(tree)[0] ?? ["", 0];
console.log(`largest folder                      ${files} files, ${folder}`);
console.log(`largest file                        ${lines} lines, ${file}`);
console.log(`members of a run's state to assign  ${counts.get("state")}`);
console.log(`exports with two meanings           ${counts.get("exports")}`);
console.log(`private words                       ${counts.get("vocabulary")}`);
console.log(`contract ids in texts for users     ${counts.get("contract-ids")}`);
console.log(errors === 0 ? "The house is tidy." : `${errors} problem${errors === 1 ? "" : "s"}.`);
process.exitCode = errors === 0 ? 0 : 1;
