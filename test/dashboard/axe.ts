// axe-core in a page of the dashboard: what it finds against WCAG 2.2, levels A and AA. The page's policy lets no script in, so it is put there by the browser's
// own tools. For tests; nothing in the package imports it.
import axe from "axe-core";
import type { Page } from "playwright-core";

const { source } = axe;
const levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** The same in the light and in the dark theme, one after the other. */
export async function axeInBothThemes(page: Page): Promise<readonly string[]> {
  const findings: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const finding of await axeFindings(page)) findings.push(`${colorScheme}: ${finding}`);
  }
  return findings;
}

/** Each finding in one line. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(`${source}; 0`);
  const found = await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(levels)}, resultTypes: ["violations"] })`);
  const { violations } = found as { violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] };
  return violations.flatMap((v) =>
    v.nodes.map((n) => `${v.id}: ${n.html.slice(0, 160)} ${(n.failureSummary ?? "").replaceAll("\n", " ").slice(0, 200)}`),
  );
}
