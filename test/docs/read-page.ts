// Pages as the tests of the documentation read them: white space folded, so that a sentence may be wrapped anywhere, and tables without the
// padding that the formatter gives their cells. It must never change a word.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

export const root: string = resolve(import.meta.dirname, "../..");

/** Cells without padding, and the line below the head as short as it can be. */
function plainRow(row: string): string {
  const cells = row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((c) => c.trim());
  return cells.every((c) => /^:?-+:?$/.test(c)) ? `|${cells.map(() => "---").join("|")}|` : `| ${cells.join(" | ")} |`;
}

export function pageSource(page: string): string {
  const source = readFileSync(resolve(root, page), "utf8");
  return page.endsWith(".md") ? source.replaceAll(/^\|.*\|$/gm, plainRow) : source;
}

/** The page's text on one line. */
export function pageText(page: string): string {
  return pageSource(page).replaceAll(/\s+/g, " ");
}
