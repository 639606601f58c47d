// A throw-away PgBouncer before a Postgres of the tests, as strict as it is by default: transaction pooling, few sessions for
// many clients, settings in the first packet refused, nothing prepared by name. It is used where its program is installed;
// where it is not, tests that need it are left out, and say so. For tests; nothing in the package imports it.
import { spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const startMsMax = 20_000;

const places = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
const program = places.map((dir) => join(dir, "pgbouncer")).find((path) => existsSync(path));

/** Why there is none; undefined when there is. */
export function noPgbouncer(): string | undefined {
  return program === undefined ? "pgbouncer is not on the PATH" : undefined;
}

export interface Pgbouncer {
  /** The same place, through the pooler. */
  through(url: string): string;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** `sessions`: how many of the server's sessions all clients share. */
export async function startPgbouncer(server: string, sessions: number): Promise<Pgbouncer> {
  if (program === undefined) throw new Error(noPgbouncer());
  const home = mkdtempSync(join(tmpdir(), "pawl-pgbouncer-"));
  if (unprivileged.uid !== undefined) chownSync(home, unprivileged.uid, unprivileged.gid);
  const { hostname, port: serverPort, username } = new URL(server);
  const port = await freePort();
  const [config, log] = [join(home, "pgbouncer.ini"), join(home, "log")];
  writeFileSync(
    config,
    [
      "[databases]",
      `* = host=${hostname} port=${serverPort} user=${username}`,
      "[pgbouncer]",
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
      "auth_type = any\npool_mode = transaction\nmax_client_conn = 200",
      `default_pool_size = ${sessions}\nlogfile = ${log}`,
    ].join("\n"),
  );
  const child = spawn(program, [config], { ...unprivileged, cwd: home, stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  for (const until = Date.now() + startMsMax; !(existsSync(log) && readFileSync(log, "utf8").includes("process up"));) {
    if (child.exitCode !== null || Date.now() > until)
      throw new Error(`pgbouncer did not start: ${existsSync(log) ? readFileSync(log, "utf8") : ""}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return {
    through(url) {
      const u = new URL(url);
      u.port = String(port);
      u.searchParams.delete("options"); // settings in the first packet are what it refuses
      return u.href;
    },
    async stop() {
      child.kill("SIGQUIT");
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
