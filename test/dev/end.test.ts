// The ends of `pawl dev`: its children end with it, also when it is killed; a child that dies is replaced; a link opens one session; and what it cannot do
// it says before it does anything.
import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { CliFolder, killCommands } from "../cli/pawl-process.ts";
import { DevProcess, isAlive, until } from "./dev-process.ts";

afterEach(killCommands);

const file = `import { writeFileSync } from "node:fs";
import { workflow } from "pawl";
export const order = workflow({ name: "order" }, async (ctx) => {
  await ctx.sleep("wait", "1s");
  return ctx.step("pid", () => process.pid);
});
export const busy = workflow({ name: "busy" }, async (ctx) => ctx.step("busy", () => { writeFileSync("busy", ""); for (;;); }, { repeatable: true }));
`;

describe("pawl dev", () => {
  it("leaves no child behind when it is killed, not even one whose code never returns", async () => {
    const dev = new DevProcess({ "order.ts": file });
    const { child } = await dev.event("ready");
    const client = await dev.client();
    client.start({ workflow: "busy", id: "b" }).catch(() => {});
    await until(() => existsSync(join(dev.folder.dir, "busy")));
    dev.running.child.kill("SIGKILL");
    await dev.running.ended;
    await until(() => !isAlive(child.pid));
    expect(isAlive(child.pid)).toBe(false);
    await client.close();
  });

  it("replaces a child that was killed, and its runs continue in the next one", async () => {
    const dev = new DevProcess({ "order.ts": file });
    const first = await dev.event("ready");
    const client = await dev.client();
    await client.start({ workflow: "order", id: "o-1" });
    process.kill(first["child"].pid, "SIGKILL");
    expect(await dev.event("died")).toMatchObject({ how: "SIGKILL" });
    const second = await dev.event("ready");
    const { result } = await client.waitForEnd("o-1");
    expect([result, second["why"], isAlive(first["child"].pid)]).toEqual([second["child"].pid, "restarted", false]);
    await client.close();
    expect(await dev.stop()).toBe(0);
    await until(() => !isAlive(second["child"].pid));
    // The token of its links went with it.
    const tokens = await dev.folder.json("token", "ls");
    expect(tokens.tokens.filter((t: { revokedAt?: string }) => t.revokedAt === undefined)).toEqual([]);
  });

  it("gives a link that opens one session, and lets nobody else in", async () => {
    const dev = new DevProcess({ "order.ts": file });
    const { link, url } = await dev.event("listening");
    await dev.event("ready");
    const headers = { authorization: `Bearer ${/token=(\w+)$/.exec(String(link))![1]}`, "content-type": "application/json" };
    expect((await fetch(`${url}/v1/me`, { headers })).status).toBe(401); // it is for a session and nothing else
    const bought = await fetch(`${url}/session`, { method: "POST", headers });
    expect(bought.status).toBe(201);
    expect((await fetch(`${url}/session`, { method: "POST", headers })).status).toBe(401);
    const { session } = (await bought.json()) as { session: string };
    const cookie = bought.headers.get("set-cookie")!.split(";")[0]!;
    const own = { "content-type": "application/json", cookie, "x-pawl-session": session };
    expect((await fetch(`${url}/dev/state`, { method: "POST", headers: own, body: "{}" })).status).toBe(200);
    for (const more of [{ origin: "http://evil.test" }, { "sec-fetch-site": "cross-site" }])
      expect((await fetch(`${url}/dev/state`, { method: "POST", headers: { ...own, ...more }, body: "{}" })).status).toBe(403);
    for (const path of ["/dev/state", "/dev/crash", "/dev/again"])
      expect((await fetch(url + path, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" })).status).toBe(401);
    expect((await fetch(`${url}/dev/nothing`, { method: "POST", headers: own, body: "{}" })).status).toBe(404);
    expect(await dev.stop()).toBe(0);
  });

  it("says what it cannot do, and does nothing", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as AddressInfo;
    const folder = new CliFolder({ "order.ts": file, "notes.md": "# notes\n" });
    const ends = await folder.all([
      ["dev", "./nothing.ts"],
      ["dev", "./notes.md"],
      ["dev", "."],
      ["dev", "./order.ts", "--listen", "0.0.0.0:0"],
      ["dev", "./order.ts", "--store", "memory:"],
      ["dev", "./order.ts", "--listen", `127.0.0.1:${port}`],
    ]);
    const said = ["there is no such file", "not a TypeScript", "this is a folder", "loopback", "outlives a process", `127.0.0.1:${port}`];
    expect(ends.map((e) => e.code)).toEqual([2, 2, 2, 2, 2, 2]);
    ends.forEach((e, i) => expect(e.err).toContain(said[i]));
    expect(ends[5]!.err).toContain("PAWL5061");
    await new Promise((resolve) => taken.close(resolve));
  });
});
