// Tests of the real platform. They guard what others build on: timers never early, timers that let the process end,
// crash points that kill at once. They must never assert an upper bound on time.
import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { compileFolder } from "../../test/support/compile-folder.ts";
import { crashPoints } from "./crash-points.ts";
import { uuidV7Maker } from "./uuid7.ts";
import { systemPlatform } from "./system.ts";
import { proves } from "../../test/support/proves.ts";

const run = promisify(execFile);
const compiled = compileFolder(import.meta.dirname);
afterAll(() => compiled.remove());

function script(body: string): string {
  return compiled.script(`import { systemPlatform } from "./system.mjs";\nconst p = systemPlatform();\n${body}`);
}

describe("the system platform", () => {
  it("a timer never fires early by the monotonic clock", proves("I10"), async () => {
    const p = systemPlatform();
    for (let i = 0; i < 20; i++) {
      const from = p.monotonicMs();
      await new Promise<void>((resolve) => p.timer(i % 4, resolve, true));
      expect(p.monotonicMs() - from).toBeGreaterThanOrEqual(i % 4);
    }
  });

  it("a cancelled timer never fires, and cancelling twice is harmless", async () => {
    const p = systemPlatform();
    let fired = false;
    const cancel = p.timer(1, () => (fired = true), true);
    cancel();
    cancel();
    await new Promise<void>((resolve) => p.timer(5, resolve, true));
    expect(fired).toBe(false);
  });

  it("a timer does not keep the process alive unless asked to", async () => {
    const idle = await run(process.execPath, [script(`p.timer(600000, () => {}); console.log("end");`)]);
    expect(idle.stdout).toBe("end\n");
    const alive = await run(process.execPath, [script(`p.timer(20, () => console.log("fired"), true);`)]);
    expect(alive.stdout).toBe("fired\n");
  });

  it("all microtasks and ticks run between one turn and the next", proves("K15"), async () => {
    const p = systemPlatform();
    const seen: string[] = [];
    await new Promise<void>((resolve) => {
      p.turn(() => {
        seen.push("first");
        void Promise.resolve()
          .then(() => process.nextTick(() => seen.push("tick")))
          .then(() => seen.push("micro"));
      });
      p.turn(() => {
        seen.push("second");
        resolve();
      });
    });
    expect(seen).toEqual(["first", "micro", "tick", "second"]);
  });

  it("ids are well-formed, and version 7 ids sort in the order they were made", () => {
    const p = systemPlatform();
    expect(p.uuidV4()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const ids = Array.from({ length: 5000 }, () => p.uuidV7());
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("a version 7 id says when it was made, and counts on within a millisecond, past its counter and when the clock goes back", () => {
    let now = 0x0123_4567_89ab;
    let random = "fff0abc0123456789def";
    const clock = (): number => now;
    const source = (): string => random;
    const next = uuidV7Maker(clock, source);
    expect(next()).toBe("01234567-89ab-77ff-8abc-0123456789de");
    random = "000f".padEnd(20, "1");
    expect(next()).toBe("01234567-89ab-7800-b111-111111111111");
    now -= 5_000;
    expect(next()).toBe("01234567-89ab-7801-b111-111111111111");
    for (let i = 0x801; i < 0xfff; i++) next();
    expect(next()).toBe("01234567-89ac-7000-b111-111111111111");
    now = 0x0123_4568_0000;
    expect(next()).toBe("01234568-0000-7000-b111-111111111111");
    now = 5;
    expect(uuidV7Maker(clock, source)()).toBe("00000000-0005-7000-b111-111111111111");
  });

  it("random hex has the asked length and does not repeat", proves("K4"), () => {
    const p = systemPlatform();
    const seen = new Set(Array.from({ length: 2000 }, () => p.randomHex(16)));
    expect(seen.size).toBe(2000);
    for (const h of seen) expect(h).toMatch(/^[0-9a-f]{32}$/);
    expect(p.randomHex(5000)).toHaveLength(10_000);
  });

  it("uptime and the monotonic clock never go back", proves("K3"), async () => {
    const p = systemPlatform();
    const up = p.uptimeMs();
    const mono = p.monotonicMs();
    await new Promise<void>((resolve) => p.timer(130, resolve, true));
    expect(p.uptimeMs()).toBeGreaterThan(up);
    expect(p.monotonicMs()).toBeGreaterThan(mono);
  });

  it("all processes of a boot read one uptime, and know that they do", proves("I10"), async () => {
    const p = systemPlatform();
    const before = p.uptimeMs();
    const other = await run(process.execPath, [script(`console.log(JSON.stringify([p.uptimeMs(), p.bootId()]));`)]);
    const [theirs, boot] = JSON.parse(other.stdout) as [number, string];
    expect(theirs).toBeGreaterThan(before);
    expect(theirs).toBeLessThan(p.uptimeMs());
    expect(boot).toBe(p.bootId());
  });
});

describe("crash points", () => {
  it("an armed point kills the process by SIGKILL and nothing after it runs", async () => {
    const body = `console.log("before"); process.on("exit", () => console.log("exit")); p.hit("engine:commit"); console.log("after");`;
    const child = spawn(process.execPath, [script(body)], { env: { ...process.env, PAWL_CRASH: "engine:commit" } });
    let out = "";
    child.stdout.on("data", (d) => (out += String(d)));
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => child.on("close", (c, s) => resolve([c, s])));
    expect({ code, signal, out }).toEqual({ code: null, signal: "SIGKILL", out: "before\n" });
  });

  it("unset, a point does nothing", async () => {
    const env: NodeJS.ProcessEnv = { ...process.env };
    delete env["PAWL_CRASH"];
    expect((await run(process.execPath, [script(`p.hit("engine:commit"); console.log("on");`)], { env })).stdout).toBe("on\n");
  });

  it("an ordinal names the n-th time, and points are separate", () => {
    const died: string[] = [];
    let at = "";
    const hit = crashPoints("engine:commit#3,pay/1:D", () => died.push(at));
    for (const point of ["engine:commit", "engine:commit", "pay/1:C", "engine:commit", "pay/1:D", "pay/1:D"]) {
      at = point;
      hit(point);
    }
    expect(died).toEqual(["engine:commit", "pay/1:D"]);
  });
});
