// What the measurements of the dashboard share: a line of the report, the largest answer that a page was given, how much a tab holds, how many frames a
// second are drawn. It must never measure its own waiting: what is timed is timed inside the page.
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";

export interface Measured {
  readonly what: string;
  readonly measured: string;
  readonly budget: string;
  /** Bytes are the same on every machine; times and frames are not. */
  readonly kind: "bytes" | "time";
  readonly kept: boolean;
}

export const answerBytesMax: number = 256 * 1_024;

export function timed(what: string, ms: number, budgetMs: number): Measured {
  return { what, measured: `${Math.round(ms)} ms`, budget: `at most ${budgetMs} ms`, kind: "time", kept: ms <= budgetMs };
}

/** The largest answer of the API that this page was given from now on, streams aside. */
export function watchAnswers(page: Page): { largest(): Promise<Measured>; bytes(): Promise<number> } {
  const sizes: Promise<readonly [number, string]>[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith("/v1/") || (response.headers()["content-type"] ?? "").startsWith("text/event-stream")) return;
    sizes.push(
      response.body().then(
        (body) => [body.byteLength, pathname] as const,
        () => [0, ""] as const,
      ),
    );
  });
  const largest = async (): Promise<readonly [number, string]> =>
    (await Promise.all(sizes)).reduce((a, b) => (a[0] > b[0] ? a : b), [0, ""] as const);
  return {
    bytes: async () => (await largest())[0],
    largest: async () => {
      const [bytes, path] = await largest();
      const measured = `${Math.round(bytes / 1_024)} KiB ${path.split("/").at(-1)}`;
      return { what: "largest answer", measured, budget: "at most 256 KiB", kind: "bytes", kept: bytes <= answerBytesMax };
    },
  };
}

/** How long it took, seen from inside the page, until the text was there after the address changed. */
export async function timeTo(page: Page, hash: string, selector: string): Promise<number> {
  const script = `new Promise((resolve) => {
    const began = performance.now();
    const look = () => document.querySelector(${JSON.stringify(selector)}) !== null ? resolve(performance.now() - began) : requestAnimationFrame(look);
    location.hash = ${JSON.stringify(hash)};
    requestAnimationFrame(look);
  })`;
  return (await page.evaluate(script)) as number;
}

/** Frames a second while the element is moved about for a while. */
export async function framesWhilePanning(page: Page, selector: string, ms: number): Promise<number> {
  const script = `new Promise((resolve) => {
    const pane = document.querySelector(${JSON.stringify(selector)});
    const began = performance.now();
    let [frames, down] = [0, 37];
    const next = (now) => {
      const top = pane.scrollTop;
      pane.scrollTop = top + down;
      pane.scrollLeft += down > 0 ? 11 : -11;
      if (pane.scrollTop === top) down = -down;
      frames++;
      if (now - began < ${ms}) requestAnimationFrame(next); else resolve((frames * 1000) / (now - began));
    };
    requestAnimationFrame(next);
  })`;
  return (await page.evaluate(script)) as number;
}

/** What a tab holds after its garbage is gone: its scripts, and all memory that its process has of its own. */
export async function tabMegabytes(browser: Browser, page: Page): Promise<{ readonly heap: number; readonly own: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const whole = await browser.newBrowserCDPSession();
  const { processInfo } = await whole.send("SystemInfo.getProcessInfo");
  const own = processInfo.filter((p) => p.type === "renderer").map((p) => privateMegabytes(p.id));
  return { heap: usedSize / 1e6, own: Math.max(0, ...own) };
}

function privateMegabytes(pid: number): number {
  try {
    const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kilobytes ?? 0) / 1_000;
  } catch {
    return 0;
  }
}

export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
