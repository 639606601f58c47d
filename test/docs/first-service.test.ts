// docs/first-service.md, done from top to bottom as a reader would: its files are written, its commands run in a shell, its server is killed, and what it
// shows must be what is printed. Only the port is another one, and the package under test is the one that was built here.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pageSource, root } from "./read-page.ts";

let dir = "";
let port = 0;
beforeAll(async () => {
  if (!existsSync(join(root, "dist/index.js"))) throw new Error("this page runs on the built package: npm run build");
  mkdirSync(join(root, ".reports"), { recursive: true });
  dir = mkdtempSync(join(root, ".reports/first-service-")); // inside the package: it resolves its own name there
  mkdirSync(join(dir, ".pawl"));
  mkdirSync(join(dir, "node_modules/.bin"), { recursive: true });
  writeFileSync(join(dir, "node_modules/.bin/pawl"), `#!/bin/sh\nexec "${process.execPath}" "${join(root, "dist/cli/main.js")}" "$@"\n`);
  chmodSync(join(dir, "node_modules/.bin/pawl"), 0o755);
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
  port = (free.address() as { port: number }).port;
  await new Promise<void>((resolve) => free.close(() => resolve()));
});
afterAll(() => {
  const pid = existsSync(join(dir, "server.pid")) ? Number(readFileSync(join(dir, "server.pid"), "utf8")) : 0;
  try {
    if (pid > 0) process.kill(pid, "SIGKILL");
  } catch {
    // it has ended, as the page says
  }
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
});

const folded = (text: string): string => text.replaceAll(/[├└│─]+/g, " ").replaceAll(/[ \t]+/g, " ");

function shell(commands: string): { out: string; code: number | null } {
  const npx = `npx() { shift; ./node_modules/.bin/pawl "$@"; }`;
  const { PAWL_STORE: _, PAWL_CRASH: __, PAWL_URL: ___, ...env } = process.env;
  const stdio = ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"];
  const done = spawnSync("bash", ["-c", `${npx}\n${commands}`], { cwd: dir, env: { ...env, NO_COLOR: "1" }, encoding: "utf8", stdio });
  return { out: done.stdout + done.stderr, code: done.status };
}

// What only looks (inspect, cat) may come a moment too early, here as for a reader: the run or the follower in the background is not there yet.
const looks = (command: string): boolean => /^(npx pawl inspect|cat) /.test(command);

it("the page works as it is written", { timeout: 240_000 }, async () => {
  const page = pageSource("docs/first-service.md").replaceAll("7350", String(port));
  const printed = new Map<string, string>();
  const run = (command: string): void => {
    const { out, code } = shell(command);
    const log = existsSync(join(dir, "server.log")) ? readFileSync(join(dir, "server.log"), "utf8") : "";
    expect(code, `${command}\n${out}\n${log}`).toBe(0);
    printed.set(command, out);
  };
  const lookAgain = (): string => {
    for (const command of printed.keys()) if (looks(command)) run(command);
    return folded([...printed.values()].join(""));
  };
  const blocks = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  expect(blocks.length).toBeGreaterThan(12);
  for (const [, language = "", text = ""] of blocks) {
    if (language === "ts" || language === "py") writeFileSync(join(dir, /^(?:\/\/|#) (\S+)\n/.exec(text)?.[1] ?? ""), text);
    else if (language === "sh") {
      printed.clear();
      for (const command of text.trimEnd().split("\n")) run(command);
    } else {
      for (const line of text.trimEnd().split("\n"))
        await expect.poll(lookAgain, { timeout: 30_000, interval: 200 }).toContain(folded(line));
    }
  }
  expect(readFileSync(join(dir, "charges.txt"), "utf8")).toBe("17 1200\n");
  expect(readFileSync(join(dir, "parcels.txt"), "utf8")).toBe("17\n");
  expect(readFileSync(join(dir, "approve.py"), "utf8")).not.toContain("pip");
});

it("both pages are at most 200 lines", () => {
  for (const page of ["docs/first-service.md", "docs/http-client.md"]) expect(pageSource(page).split("\n").length).toBeLessThanOrEqual(200);
});
