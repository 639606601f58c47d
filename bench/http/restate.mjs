// Restate's own server, from npm, with its data in a folder of this run: it keeps the log, and calls a service over HTTP. Its ingress is the
// route that callers use. Its settings are its defaults, apart from addresses.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const binary = fileURLToPath(new URL("../node_modules/@restatedev/restate-server-linux-x64/bin/restate-server", import.meta.url));

/** @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });

/** @param {string} dir @param {number} servicePort */
export async function startRestate(dir, servicePort) {
  const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()];
  const base = join(dir, "restate");
  mkdirSync(base, { recursive: true });
  const child = spawn(binary, ["--base-dir", base, "--node-name", "bench"], {
    env: {
      ...process.env,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
      RESTATE_DISABLE_TELEMETRY: "true",
      RUST_LOG: "error",
    },
    stdio: "ignore",
  });
  const stop = () =>
    new Promise((resolve) => {
      child.once("close", resolve);
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), 5_000).unref();
    });
  try {
    await until(async () => (await fetch(`http://127.0.0.1:${admin}/health`)).ok);
    await until(async () => {
      const body = JSON.stringify({ uri: `http://127.0.0.1:${servicePort}`, force: true });
      const answer = await fetch(`http://127.0.0.1:${admin}/deployments`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      return answer.ok;
    });
    return { port: ingress, stop };
  } catch (e) {
    await stop();
    throw e;
  }
}

/** @param {() => Promise<boolean>} isSo */
async function until(isSo) {
  for (let tries = 0; ; tries++) {
    if (await isSo().catch(() => false)) return;
    if (tries > 150) throw new Error("Restate's server did not come up");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
