// Pages as the tests of the papers read them: white space folded, so that a sentence may be wrapped anywhere. It must never
// change a word.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

export const root: string = resolve(import.meta.dirname, "../..");

export function pageSource(page: string): string {
  return readFileSync(resolve(root, page), "utf8");
}

/** The page's text on one line. */
export function pageText(page: string): string {
  return pageSource(page).replaceAll(/\s+/g, " ");
}
