// A person without a mouse: Tab until something has the focus, Enter, typing. For tests.
// It must never click, and never set the focus by itself.
import type { Page } from "playwright-core";
import { expect } from "vitest";

const tabsMax = 200;

/** Tabs until the button, link or field with this name has the focus, inside the row or part that has `within` in it. */
export async function tabTo(page: Page, name: string, within = ""): Promise<void> {
  const looked = `(() => {
    const at = document.activeElement;
    const name = at.getAttribute("aria-label") ?? (at.labels?.length ? at.labels[0].textContent : at.textContent);
    const part = at.closest("tr, article, dialog, section, main, nav");
    return [name.trim(), part?.textContent ?? ""];
  })()`;
  const seen: string[] = [];
  for (let i = 0; i < tabsMax; i++) {
    const [at = "", part = ""] = (await page.evaluate(looked)) as string[];
    if ((at === name || at.startsWith(name)) && part.includes(within)) return;
    seen.push(at);
    await page.keyboard.press("Tab");
  }
  expect.fail(`Tab never came to ${name}; it came to ${seen.slice(-30).join(", ")}`);
}

/** Opens a dialog, gives a reason where one is asked for, and does it. Opening alone does nothing, and neither does Escape. */
export async function actByKeys(page: Page, row: string, open: string, verb: string, reason = "by keyboard"): Promise<void> {
  const dialog = page.getByRole("dialog");
  await tabTo(page, open, row);
  await page.keyboard.press("Enter");
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await tabTo(page, open, row);
  await page.keyboard.press("Enter");
  await dialog.waitFor();
  if ((await dialog.getByLabel("Reason").count()) > 0) {
    await tabTo(page, "Reason");
    await page.keyboard.type(reason);
  }
  await tabTo(page, verb);
  await page.keyboard.press("Enter");
}
