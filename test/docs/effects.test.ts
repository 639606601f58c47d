// The pages about effects: their programs run as printed and print what is shown, and what they say of records, the outcome matrix,
// transactions and crash windows is said in the words that the contract asks for.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pageText, pageSource } from "./read-page.ts";
import { proves } from "../support/proves.ts";
import { withoutDecisionNotices } from "../support/child-process.ts";

const root = resolve(import.meta.dirname, "../..");
const names = ["docs/effects.md", ...readdirSync(join(root, "docs/effects")).map((name) => `docs/effects/${name}`)];
const pages = names.map(pageSource).join("\n");
const page = pageSource("docs/effects/ledger.md");
const text = pageText("docs/effects/ledger.md");
/** Every program, with what the block right after it says that it prints; nothing where no such block follows. */
const programs = [...pages.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap((m, i, all) => {
  const next = all[i + 1];
  const shown = next?.[1] === "" && next.index === m.index + m[0].length + 2 ? next[2]! : "";
  return m[1] === "ts" ? [{ code: m[2]!, prints: shown }] : [];
});

let dir: string;
beforeAll(() => {
  mkdirSync(join(root, "node_modules/.pawl"), { recursive: true });
  dir = mkdtempSync(join(root, "node_modules/.pawl/effects-"));
  programs.forEach(({ code }, i) => writeFileSync(join(dir, `p${i}.ts`), code));
  writeFileSync(join(dir, "tsconfig.json"), JSON.stringify({ extends: join(root, "tsconfig.test.json"), include: [join(dir, "*.ts")] }));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("docs/effects.md and docs/effects", () => {
  it("every program type-checks", () => {
    expect(programs).toHaveLength(6);
    const tsc = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", dir], { encoding: "utf8" });
    expect(tsc.stdout).toBe("");
  });

  programs.forEach(({ prints }, i) => {
    it.concurrent(`program ${i + 1} prints what is shown`, () => {
      const load = `import { importFile } from ${JSON.stringify(pathToFileURL(join(root, "dist/platform/modules.js")).href)}; await importFile(${JSON.stringify(join(dir, `p${i}.ts`))});`;
      const ran = spawnSync(process.execPath, ["--input-type=module", "-e", load], { cwd: dir, encoding: "utf8" });
      expect([ran.stdout, withoutDecisionNotices(ran.stderr)]).toEqual([prints, ""]);
    });
  });

  it("says what cannot be reconciled, and which receivers need a key of the user's", proves("W-002", "W-003"), () => {
    const entry = pageText("docs/effects.md");
    expect(entry).toContain(
      "Only what was durably recorded can be reconciled; an effect that took place before Pawl recorded it cannot be undone by Pawl.",
    );
    expect(entry).toContain("whatever a step does to a payment, a queue, a mail server or another database needs a key of yours");
    for (const m of pages.matchAll(/exactly\s+once/gi)) expect(m[0]).toBe("");
  });

  it("answers both questions of an audit, window by window", proves("A-01", "A-04", "A-08", "A-14"), () => {
    expect(text).toContain("**Are ledger and log in one transaction?** Yes, on every store");
    expect(text).toContain("visible with it, never before it. On replay the log is the authority");
    const windows = page
      .slice(page.indexOf("**What happens in each crash window?**"))
      .split("\n")
      .filter((l) => l.startsWith("| "))
      .slice(1);
    expect(windows).toHaveLength(5);
    expect(windows.filter((w) => w.includes("cannot exist"))).toHaveLength(2);
  });

  it("has the record, the scope of its key and a row for each outcome", () => {
    for (const field of [
      "version",
      "workflowId",
      "activityName",
      "operationId",
      "idempotencyKey",
      "status",
      "result",
      "error",
      "createdAt",
      "updatedAt",
    ])
      expect(text).toContain(`\`${field}\``);
    const matrix = page
      .slice(page.indexOf("## What is recorded of each outcome"), page.indexOf("A step reports that it failed"))
      .split("\n");
    expect(matrix.filter((l) => l.startsWith("| ")).slice(1)).toHaveLength(9);
  });
});
