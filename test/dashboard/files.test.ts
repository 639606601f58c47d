// How the dashboard's files are served: under a strict policy, cached by their names, at the root of wherever the server is mounted; and how large the first
// screen may be. No browser is needed here.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve, type Served } from "../server/serve.ts";
import { linkedFiles, sizeBudget } from "./budgets/size.ts";
import { buildDashboard } from "./built.ts";

describe("the files of the dashboard", () => {
  let built: string;
  let s: Served;
  beforeAll(async () => {
    built = await buildDashboard();
    s = await serve({ auth: () => null });
  });
  afterAll(() => s.close());

  it("the page and its files need no credential, and come under the policy", async () => {
    const page = await s.get("/");
    expect([page.status, page.headers.get("content-type"), page.headers.get("cache-control")]).toEqual([
      200,
      "text/html; charset=utf-8",
      "no-cache",
    ]);
    const policy = page.headers.get("content-security-policy")!;
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ])
      expect(policy.split("; ")).toContain(part);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(page.text).not.toMatch(/<script(?![^>]*src=)|<style| style=| on\w+=/);
    for (const file of linkedFiles(built)) {
      const got = await s.get(`/${file}`);
      expect([file, got.status, got.headers.get("cache-control")]).toEqual([file, 200, "public, max-age=31536000, immutable"]);
      expect(got.headers.get("x-content-type-options")).toBe("nosniff");
    }
    expect((await s.get("/v1/runs")).status).toBe(401);
  });

  it("nothing else is served: no folder, no file above, no other method", async () => {
    for (const path of [
      "/assets/",
      "/assets/..%2findex.html",
      "/assets/%2e%2e/index.html",
      "/assets/none.js",
      "/index.html",
      "/assets/a.map",
    ])
      expect([path, (await s.get(path)).status]).toEqual([path, expect.toSatisfy((n: number) => n === 404 || n === 401)]);
    const posted = await s.post("/", {});
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  it("a server may leave it out", async () => {
    const without = await serve({ dashboard: false });
    try {
      expect((await without.get("/")).status).toBe(404);
    } finally {
      await without.close();
    }
  });

  it("the first screen is small, and the package ships every file", async () => {
    for (const { what, measured, budget, kept } of await sizeBudget()) {
      console.log(`${what}: ${measured} (${budget})`);
      expect([what, measured, kept]).toEqual([what, measured, true]);
    }
  });

  it("the licences of what is bundled come with it", () => {
    expect(readdirSync(join(built, "assets"))).toContain("licences.txt");
    expect(readFileSync(join(built, "assets", "licences.txt"), "utf8")).toMatch(/preact[\s\S]*MIT/);
  });
});
