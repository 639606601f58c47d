// A vitest that stays: started once in a copy of the project, asked again and again to run a few tests of it. A run that does not
// end is ended with everything that it started, and the next one begins with a new process.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** @typedef {{ file: string, name: string, outcome: "passed" | "failed", why: string }} Result `name`: titles with " > " between them */
/** @typedef {{ tests: Result[], broken: string[] }} Ran `broken`: files that failed before any of their tests ran */
/** @typedef {{ chosen: Record<string, string>, bail: boolean, testMsMax: number }} Request `chosen`: pattern by file */
/** @typedef {{ changed(path: string): void, run(request: Request, timeoutMs: number): Promise<Ran | "never ended">, close(): Promise<void> }} WarmVitest */

const child = fileURLToPath(new URL("warm-child.mjs", import.meta.url));

/**
 * @param {string} dir
 * @returns {WarmVitest}
 */
export function warmVitest(dir) {
  /** @type {import("node:child_process").ChildProcess | undefined} */
  let running;
  /** Since the last run: what it has read of them is of no use any more. */
  const changed = new Set();

  async function start() {
    // A group of its own: a hanging test is ended together with the children that it started.
    const started = fork(child, { cwd: dir, detached: true, stdio: ["ignore", "ignore", "pipe", "ipc"] });
    let said = "";
    started.stderr?.on("data", (d) => (said = `${said}${d}`.slice(-4_000)));
    await new Promise((resolve, reject) => {
      started.once("message", resolve);
      started.once("exit", (code) => reject(new Error(`vitest did not start (${code}): ${said}`)));
    });
    started.removeAllListeners("exit");
    return started;
  }

  /** @param {import("node:child_process").ChildProcess} of */
  function kill(of) {
    if (of.pid !== undefined && of.exitCode === null) process.kill(-of.pid, "SIGKILL");
    running = undefined;
  }

  return {
    changed: (path) => void changed.add(path),
    async run(request, timeoutMs) {
      const vitest = (running ??= await start());
      return new Promise((resolve) => {
        /** @param {Ran | "never ended"} what */
        const settle = (what) => {
          clearTimeout(limit);
          vitest.removeAllListeners("message");
          vitest.removeAllListeners("exit");
          resolve(what);
        };
        const limit = setTimeout(() => {
          kill(vitest);
          settle("never ended");
        }, timeoutMs);
        vitest.once("message", (/** @type {Ran} */ ran) => settle(ran));
        vitest.once("exit", () => {
          running = undefined;
          settle({ tests: [], broken: [] });
        });
        vitest.send({ ...request, changed: [...changed] });
        changed.clear();
      });
    },
    async close() {
      const vitest = running;
      if (vitest === undefined) return;
      const over = new Promise((resolve) => vitest.once("exit", resolve));
      vitest.disconnect();
      const limit = setTimeout(() => kill(vitest), 20_000);
      await over;
      clearTimeout(limit);
    },
  };
}
