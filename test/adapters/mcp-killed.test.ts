// An agent that calls a real MCP server over stdio, killed in each window of the call. The server counts: a tool without a class is never called twice, and a
// person is asked where nobody knows; a tool with a key is sent again under that key.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { killChildren, runChild, startChild } from "../support/child-process.ts";
import { compiledTree } from "../support/compiled-tree.ts";

const root = mkdtempSync(join(tmpdir(), "pawl-mcp-killed-"));
afterAll(async () => {
  await killChildren();
  rmSync(root, { recursive: true, force: true });
});
const program = "test/adapters/programs/mcp-agent.js";
const argsOf = (dir: string, cls: string): string[] => [dir, cls, join(compiledTree(), "test/adapters/programs/mcp-server.js")];
const effects = (dir: string): string[] =>
  existsSync(join(dir, "effects")) ? readFileSync(join(dir, "effects"), "utf8").trimEnd().split("\n") : [];
/** The call of the agent in its first turn. */
const step = "3/tools/shop__pay";

it("a tool without a class is called at most once", { timeout: 300_000 }, async () => {
  for (const window of ["A", "B", "D", "E"]) {
    const dir = mkdtempSync(join(root, `once-${window}-`));
    const args = argsOf(dir, "once");
    expect((await runChild(program, { args, env: { PAWL_CRASH: `${step}:${window}` } })).signal).toBe("SIGKILL");
    const second = startChild(program, { args });
    if (window === "B" || window === "D") {
      const [, , id = ""] = (await second.waitForLine("asked effect")).split(" ");
      const c = await connect({ store: `sqlite:${dir}/store.db` });
      await c.resolve(id, { fail: true, by: "ann", reason: "nobody knows" });
      await c.close();
      expect(await second.waitForLine("result")).toContain("Do not repeat it");
    } else expect(await second.waitForLine("result")).toContain("paid 5");
    await second.ended;
    expect([window, effects(dir).length]).toEqual([window, window === "B" ? 0 : 1]);
  }
});

it("a tool with a key is sent again under it", async () => {
  const dir = mkdtempSync(join(root, "keyed-"));
  const args = argsOf(dir, "KEYED");
  expect((await runChild(program, { args, env: { PAWL_CRASH: `${step}:D` } })).signal).toBe("SIGKILL");
  expect((await runChild(program, { args })).lines.at(-1)).toContain("paid 5");
  expect(effects(dir)).toEqual(['pay order-1 {"cents":5}', 'pay order-1 {"cents":5}']);
});
