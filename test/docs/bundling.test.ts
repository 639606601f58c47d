// docs/bundling.md: a bundle made with the externals that the page names runs, and is small because pawl is not in it. It must never
// need a bundler that the project does not install.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rolldown } from "rolldown";
import { pageSource, root } from "./read-page.ts";

let dir = "";
beforeAll(() => {
  if (!existsSync(join(root, "dist/index.js"))) throw new Error("a bundle imports the built package: npm run build");
  mkdirSync(join(root, ".reports"), { recursive: true });
  dir = mkdtempSync(join(root, ".reports/bundle-")); // inside the package: it resolves its own name there
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The externals as the page writes them for rollup, vite and rolldown. */
function externals(): (string | RegExp)[] {
  const line = /^export default \{ external: \[(.*)\] \};$/m.exec(pageSource("docs/bundling.md"))?.[1] ?? "";
  const items = line.split(", ").map((t) => (t.startsWith("/") ? new RegExp(t.slice(1, -1)) : t.slice(1, -1)));
  expect(items.length).toBe(4);
  return items;
}

describe("docs/bundling.md", () => {
  it("a bundle with the externals of the page runs a workflow on SQLite", async () => {
    writeFileSync(
      join(dir, "main.ts"),
      `import { run, workflow } from "pawl";
const wf = workflow({ name: "bundled" }, async (ctx) => ctx.step("one", () => 41 + 1, { repeatable: true }));
console.log(await run(wf, undefined, { id: "b-1" }));
`,
    );
    const build = await rolldown({ input: join(dir, "main.ts"), external: externals(), platform: "node" });
    await build.write({ file: join(dir, "main.js"), format: "esm" });
    await build.close();
    expect(readFileSync(join(dir, "main.js"), "utf8")).toContain('from "pawl"');
    const out = execFileSync(process.execPath, ["main.js"], {
      cwd: dir,
      env: { ...process.env, PAWL_STORE: "sqlite:b.db" },
      encoding: "utf8",
    });
    expect(out.trim().split("\n").at(-1)).toBe("42");
  });

  it("names every package of ours that a bundler must leave out", () => {
    const page = pageSource("docs/bundling.md");
    for (const name of ["pawl", "@photostructure/sqlite", "pg", "mysql2"]) {
      expect(page).toMatch(new RegExp(`^\\| .*\`${name}\``, "m"));
      expect(page).toContain(`--external:${name}`);
    }
  });
});
