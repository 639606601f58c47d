// A server that is reached as in production: over TLS of its own, with real processes, and through a reverse proxy that cuts lines.
// No line of it may show a caller something twice, or let one in whom the server does not know.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { connect } from "../../src/http.ts";
import { CliFolder, killCommands, quickFile } from "../cli/pawl-process.ts";
import { startReverseProxy } from "./reverse-proxy.ts";
import { approval, serve } from "./serve.ts";

afterEach(killCommands);

const timeout = { timeout: 60_000 };

/** A certificate for this machine, signed by itself; false where there is no openssl. */
function makeCertificate(dir: string): boolean {
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"];
  const files = ["-keyout", join(dir, "key.pem"), "-out", join(dir, "cert.pem")];
  try {
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...names, ...files], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

it("over TLS: a client that knows the certificate starts, follows and reads; others get nothing", timeout, async (t) => {
  const folder = new CliFolder({ "quick.ts": quickFile });
  if (!makeCertificate(folder.dir)) return t.skip();
  const tls = ["--tls-cert", "cert.pem", "--tls-key", "key.pem", "--drain-delay", "0s"];
  const server = folder.start(["start", "./quick.ts", "--tenant", "a/b/c", "--listen", "127.0.0.1:0", "--open", ...tls, "--json"]);
  let out = "";
  server.child.stdout?.on("data", (d: Buffer) => (out += String(d)));
  await server.saw('"url"');
  const { url } = JSON.parse(out.split("\n")[0]!) as { url: string };
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const trusting = { NODE_EXTRA_CA_CERTS: join(folder.dir, "cert.pem") };
  const made = await folder.start(["run", "quick", "--id", "q", "--input", '{"text":"x"}', "--url", url, "--json"], trusting).ended;
  expect([made.code, made.err]).toEqual([0, ""]);
  const followed = await folder.start(["events", "q", "--follow", "--jsonl", "--url", url], trusting).ended;
  const types = followed.out
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { eventType: string }).eventType);
  expect([types[0], types.at(-1)]).toEqual(["RunStarted", "RunCompleted"]);
  // Who does not know the certificate is not connected, and a line without TLS is none.
  expect((await folder.start(["ls", "--url", url]).ended).code).not.toBe(0);
  await expect(fetch(url.replace("https:", "http:"))).rejects.toThrow("fetch failed");
  server.child.kill("SIGTERM");
  expect((await server.ended).code).toBe(0);
});

it("through a reverse proxy, below a path: starts, waits, signals and streams that are cut meanwhile", timeout, async () => {
  const dir = mkdtempSync(join(tmpdir(), "pawl-proxy-"));
  const s = await serve({
    on: `sqlite:${join(dir, "a.db")}`,
    workflows: [approval],
    base: "/pawl",
    behindProxy: true,
    trustProxy: ["127.0.0.1/32"],
    auth: (r) =>
      r.headers.get("authorization") === "Bearer good" ? { kind: "service", subject: "app", scopes: ["read", "payloads", "work"] } : null,
  });
  const [mine, theirs] = [await startReverseProxy(s.port, "203.0.113.7"), await startReverseProxy(s.port, "203.0.113.8")];
  const client = await connect({ url: `${mine.url}/pawl`, token: "good" });
  try {
    const { runId } = await client.start({ workflow: "approval", id: "p" });
    const seen: number[] = [];
    let cuts = 0;
    const followed = (async () => {
      for await (const item of client.follow(runId)) {
        if (item.kind !== "event") continue;
        seen.push(item.event.runSeq);
        // Cut where the run waits: the rest comes over another line.
        if (cuts++ === 0) mine.cut();
      }
    })();
    const ended = client.waitForEnd("p");
    mine.cut();
    // Its own line may have been cut, too: sent again, it is the same signal.
    expect(await client.signal("p", "approved", { by: "me" })).toMatchObject({ result: { accepted: true } });
    expect(await ended).toMatchObject({ status: "COMPLETED" });
    await followed;
    const { headSeq } = (await client.get(runId))!;
    expect(seen).toEqual(Array.from({ length: headSeq }, (_, i) => i + 1));
    expect(cuts).toBe(headSeq);
    // Tries without a credential are counted for the caller behind the proxy, not for the proxy.
    const statuses = new Set<number>();
    for (let i = 0; i < 40; i++) statuses.add((await fetch(`${theirs.url}/pawl/v1/runs`)).status);
    expect(statuses).toEqual(new Set([401, 429]));
    expect((await fetch(`${mine.url}/pawl/v1/runs`)).status).toBe(401);
  } finally {
    await client.close();
    await mine.close();
    await theirs.close();
    await s.close();
    rmSync(dir, { recursive: true, force: true });
  }
});
