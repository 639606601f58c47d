// Puts programs and what they import into few files: `node bundle.mjs OUT < {"name": "source", …}`. A process that loads a
// hundred small modules spends most of its start on finding them. Nothing is left out. What
// src shares lies in OUT/src/cli, so that paths beside and above a module of src still hold. It must never be used to ship anything.
import { readFileSync } from "node:fs";
import { rolldown } from "rolldown";

const [out] = process.argv.slice(2);
const input = JSON.parse(readFileSync(0, "utf8"));
const build = await rolldown({
  input,
  platform: "node",
  external: (id) => !/^[./]/.test(id),
  treeshake: false,
  logLevel: "warn",
});
await build.write({
  dir: out,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "src/cli/shared-[hash].js",
});
await build.close();
