// `npm run generate`: makes the types, the tables and the page of the run-event contract from its files, and says what changed.
// It must never write anything but the files that outputs.mjs names.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { outputFiles } from "./outputs.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
for (const [path, text] of await outputFiles((file) => readFileSync(join(root, file), "utf8"))) {
  const file = join(root, path);
  const same = existsSync(file) && readFileSync(file, "utf8") === text;
  if (!same) writeFileSync(file, text);
  console.log(`${path}  ${same ? "as it was" : "written"}`);
}
