// What a page must not have of the texts that others wrote: elements, handlers, addresses, characters that turn the writing around. For tests.
// It must never be made to pass by looking at less.
import type { Page } from "playwright-core";

/** Nothing of what others wrote is alive, and nothing turns the writing around. */
export async function aliveIn(page: Page): Promise<readonly unknown[]> {
  return (await page.evaluate(`[
    window.hit,
    document.querySelectorAll("#main :is(img, script, iframe, object, embed, style, link, base, meta, video, audio, marquee, template, math)").length,
    [...document.querySelectorAll("#main *")].flatMap((e) => [...e.attributes]).filter((a) => /^on/i.test(a.name) || (/^(href|src|action)$/.test(a.name) && !a.value.startsWith("#"))).length,
    [...document.querySelectorAll("#main, title")].some((e) => /[\\u0000-\\u0008\\u202a-\\u202e\\u2066-\\u2069\\u200e\\u200f]/.test(e.textContent)),
  ]`)) as unknown[];
}
/** What it says of a page on which all of it stayed text. */
export const nothing: readonly unknown[] = [undefined, 0, 0, false];
