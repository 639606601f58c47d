// The licences of the packages that are bundled into the dashboard, as a file beside it: who copies the bundle copies them. The list comes from
// what was bundled, so that no package is forgotten.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** @returns {import("vite").Plugin} */
export function licences() {
  return {
    name: "licences",
    generateBundle(_, bundle) {
      /** @type {Map<string, string>} */
      const folders = new Map();
      for (const part of Object.values(bundle)) {
        for (const id of part.type === "chunk" ? Object.keys(part.modules) : []) {
          const found = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id);
          if (found) folders.set(found[2] ?? "", found[1] ?? "");
        }
      }
      const texts = [...folders].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, folder]) => `${name}\n\n${licenceIn(folder)}`);
      this.emitFile({ type: "asset", fileName: "assets/licences.txt", source: texts.join(`\n${"-".repeat(80)}\n\n`) });
    },
  };
}

/** @param {string} folder */
function licenceIn(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file !== undefined) return readFileSync(join(folder, file), "utf8");
  const manifest = join(folder, "package.json");
  return existsSync(manifest) ? `${JSON.parse(readFileSync(manifest, "utf8")).license}\n` : "";
}
