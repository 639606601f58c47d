// Runs one example on the built package: `node examples/run.mjs hello`. TypeScript files run on every supported Node; where
// Node does not strip types itself, Pawl's own loader does. It must never be imported by an example.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import "../dist/index.js"; // before a loader stands between: it would be asked for each of the modules
import { importFile } from "../dist/platform/modules.js";

const [name = "hello"] = process.argv.slice(2);
const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
if (!existsSync(file)) {
  process.stderr.write(`There is no example called ${name}.\n`);
  process.exitCode = 2;
} else {
  await importFile(file);
}
