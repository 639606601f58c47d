// `pawl ui run.zip` in a real browser: the page checks the archive by itself and says what `pawl verify` says, of good archives and of every forgery that the
// verifier is tested with; a changed byte is named. Skipped where there is no Chromium.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromium, type Browser, type Page } from "playwright-core";
import { verify, type Verification } from "../../src/verify.ts";
import { CliFolder, killCommands } from "../cli/pawl-process.ts";
import { goldenDir } from "../evidence/golden.ts";
import { wholeDose } from "../support/whole-dose.ts";
import { axeInBothThemes } from "./axe.ts";
import { buildDashboard } from "./built.ts";

const executablePath = "/usr/bin/chromium";
const fileOf = (name: string): Buffer => readFileSync(join(goldenDir, name));
const textOf = (name: string | undefined): string | undefined => (name === undefined ? undefined : fileOf(name).toString("utf8"));
const expected = JSON.parse(textOf("expected.json")!) as Record<string, { fails: string[]; key?: string; witness?: string }>;

/** All of them; in a small dose those with keys or a chain of runs, and some of the rest. */
const archives = Object.entries(expected).filter(
  ([name, { key }], i) => wholeDose || (key !== undefined && i % 2 === 0) || name.startsWith("good-") || i % 6 === 0,
);

interface Shown {
  readonly verdict: string;
  readonly checks: readonly (readonly [check: string, state: string])[];
}

/** What the page says, once it has checked. */
async function shownIn(page: Page): Promise<Shown> {
  await page.waitForSelector(".verdict");
  const verdict = (await page.locator(".verdict h2").textContent()) ?? "";
  const names = await page.locator("main > table.checks th").allTextContents();
  const states = await page.locator("main > table.checks .badge").allTextContents();
  return { verdict, checks: names.map((name, i) => [name, states[i] ?? ""] as const) };
}

const saidBy = (v: Verification): Shown["checks"] => v.checks.map((c) => [c.check, c.state] as const);

describe.skipIf(!existsSync(executablePath))("the page of an archive", () => {
  let browser: Browser;
  let folder: CliFolder;
  beforeAll(async () => {
    await buildDashboard();
    folder = new CliFolder();
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser.close();
    await killCommands();
  });

  async function open(...args: string[]): Promise<string> {
    const running = folder.start(["ui", ...args, "--json"]);
    let out = "";
    running.child.stdout!.on("data", (d: Buffer) => (out += String(d)));
    await running.saw("open this address");
    return (JSON.parse(out) as { url: string }).url;
  }

  it("says of an archive what the verifier says, in Node and in the page alike", async () => {
    const url = await open(join(goldenDir, "good.zip"));
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on("console", (m) => m.type() === "error" && problems.push(m.text()));
    page.on("pageerror", (e) => problems.push(String(e)));
    expect(await page.goto(url).then(() => shownIn(page))).toEqual({ verdict: "Verified", checks: saidBy(verify(fileOf("good.zip"))) });
    expect(await page.locator(".log tbody tr").count()).toBe(verify(fileOf("good.zip")).events);
    expect(await axeInBothThemes(page)).toEqual([]);
    for (const [name, { fails, key, witness }] of archives) {
      const wanted = { key: textOf(key), witness: textOf(witness) };
      await page.route("**/archive", (route) => route.fulfill({ contentType: "application/zip", body: fileOf(name) }));
      await page.route("**/asked.json", (route) => route.fulfill({ json: { file: name, ...wanted } }));
      await page.reload();
      const shown = await shownIn(page);
      expect([name, shown.checks], name).toEqual([name, saidBy(verify(fileOf(name), wanted))]);
      expect(shown.verdict.startsWith("Verified"), name).toBe(fails.length === 0);
      await page.unrouteAll();
    }
    expect(problems).toEqual([]);
    await page.close();
  });

  it("names a changed byte, wherever it is", async () => {
    const good = fileOf("good-signed.zip");
    for (const at of [40, Math.floor(good.length / 2), good.length - 30]) {
      const bytes = Buffer.from(good);
      bytes[at] = bytes[at]! ^ 1;
      writeFileSync(join(folder.dir, `changed-${at}.zip`), bytes);
      const page = await browser.newPage();
      await page.goto(await open(`changed-${at}.zip`));
      const shown = await shownIn(page);
      expect(shown.verdict).toMatch(/^Not verified: this archive was changed/);
      expect(shown.checks.filter(([, state]) => state === "fail").length).toBeGreaterThan(0);
      await page.close();
    }
  });

  it("serves nothing without the key of its address, nor to other hosts, and refuses what is no archive", async () => {
    const url = new URL(await open(join(goldenDir, "good.zip")));
    expect((await fetch(`${url.origin}/`)).headers.get("content-security-policy")).toContain("default-src 'none'");
    for (const path of ["/archive", "/asked.json"]) expect((await fetch(url.origin + path)).status).toBe(401);
    const key = url.hash.replace("#key=", "");
    expect((await fetch(`${url.origin}/archive`, { headers: { "x-pawl-key": key } })).status).toBe(200);
    const foreign = { "x-pawl-key": key, origin: "http://evil.test" };
    expect((await fetch(`${url.origin}/archive`, { headers: foreign })).status).toBe(403);
    expect((await fetch(`${url.origin}/../package.json`)).status).toBe(404);
    writeFileSync(join(folder.dir, "notes.zip"), "no zip");
    const ends = await folder.all([["ui", "none.zip"], ["ui", "notes.zip"], ["ui", "."], ["ui", join(goldenDir, "good.zip"), "--listen", "0.0.0.0:0"]]); // prettier-ignore
    expect(ends.map((e) => e.code === 0)).toEqual([false, false, false, false]);
  });
});
