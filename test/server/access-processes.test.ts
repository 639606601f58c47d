// Access across real processes on one file: the first token, a token that is revoked elsewhere, a store whose bytes hold no credential, and an audit
// log that a command verifies. Every process is ended by SIGTERM, or killed by the test's end.
import { generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { openConnection } from "../../src/store/sqlite/wire/driver.ts";
import { CliFolder, killCommands, orderFile, type Running } from "../cli/pawl-process.ts";
import { proves } from "../support/proves.ts";

afterEach(killCommands);

const tenant = ["--tenant", "acme/shop/live"];
const timeout = { timeout: 120_000 };

async function started(folder: CliFolder, ...args: string[]): Promise<{ readonly running: Running; readonly url: string }> {
  const running = folder.start(["start", ...args, ...tenant, "--listen", "127.0.0.1:0", "--drain-delay", "0s", "--json"]);
  let out = "";
  running.child.stdout?.on("data", (d: Buffer) => (out += String(d)));
  await running.saw('"url"');
  return { running, url: (JSON.parse(out.split("\n")[0]!) as { url: string }).url };
}

async function stopped({ running }: { readonly running: Running }): Promise<void> {
  running.child.kill("SIGTERM");
  expect((await running.ended).code).toBe(0);
}

const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });
const newToken = async (folder: CliFolder, subject: string, role: string): Promise<string> =>
  (await folder.pawl("token", "create", "--subject", subject, "--role", role, ...tenant)).out.trim();

it("a token that is revoked is refused by every process, and what it waits for ends", timeout, async () => {
  const folder = new CliFolder({ "order.ts": orderFile });
  await folder.pawl("init");
  const [ops, ann] = [await newToken(folder, "ops", "admin"), await newToken(folder, "ann", "viewer")];
  const [a, b] = [await started(folder, "./order.ts"), await started(folder, "--role", "api")];
  const ask = async (url: string): Promise<number> => (await fetch(`${url}/v1/runs`, { headers: bearer(ann) })).status;
  expect([await ask(a.url), await ask(b.url)]).toEqual([200, 200]);
  const stream = await fetch(`${b.url}/v1/changes`, { headers: { ...bearer(ann), accept: "text/event-stream" } });
  expect(stream.status).toBe(200);
  const streamed = stream.text();
  const id = ann.slice(5, 17);
  const revoked = await fetch(`${a.url}/v1/tokens/${id}/revoke`, {
    method: "POST",
    headers: { ...bearer(ops), "content-type": "application/json" },
    body: JSON.stringify({ reason: "lost laptop" }),
  });
  expect(revoked.status).toBe(200);
  // Five seconds at most, of which the unit tests have the measure: here it must come.
  for (const { url } of [a, b]) while ((await ask(url)) !== 401) await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await fetch(`${b.url}/v1/runs`, { headers: bearer(ops) })).status).toBe(200);
  expect(await streamed, "the stream says why it ends").toContain("event: bye");
  await stopped(a);
  await stopped(b);
});

it("the bytes of the store hold no credential: no token, no session, no JWT", timeout, async () => {
  const folder = new CliFolder({ "order.ts": orderFile });
  await folder.pawl("init");
  const ops = await newToken(folder, "ops", "admin");
  const a = await started(folder, "./order.ts");
  const json = { ...bearer(ops), "content-type": "application/json" };
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(`${a.url}${path}`, { method: "POST", headers: json, body: JSON.stringify(body) });
  const made = (await (await post("/v1/tokens", { subject: "eve", scopes: ["read"] })).json()) as { token: string };
  await post("/v1/runs", { workflow: "order", input: { id: "o", cents: 1 }, id: "o-1" });
  const shared = (await (await post("/v1/runs/o-1/share", { allow: "read" })).json()) as { token: string };
  // Somebody puts a token where a reason goes: the run's log keeps the reason, the audit log blanks the token.
  const leak = await newToken(folder, "leak", "viewer");
  await post("/v1/runs/o-1/terminate", { reason: `leaked: ${leak}` });
  const session = await fetch(`${a.url}/session`, { method: "POST", headers: bearer(ops) });
  const half = ((await session.json()) as { session: string }).session;
  const cookie = (session.headers.get("set-cookie") ?? "").split(/[=;]/)[1]!;
  await stopped(a);
  const files = readdirSync(join(folder.dir, ".pawl"), { withFileTypes: true }).filter((f) => f.isFile());
  const bytes = Buffer.concat(files.map((f) => readFileSync(join(folder.dir, ".pawl", f.name))));
  expect(bytes.includes("o-1"), "the file was read").toBe(true);
  const secrets = {
    ops: ops.slice(17, 60),
    made: made.token.slice(17, 60),
    shared: shared.token.slice(17, 60),
    half,
    cookie: cookie.split(".")[1]!,
  };
  for (const [what, secret] of Object.entries(secrets)) {
    expect(secret.length, what).toBeGreaterThan(20);
    expect(bytes.includes(secret), what).toBe(false);
  }
  const audit = await folder.pawl("audit", "--json", "--limit", "1000", ...tenant);
  for (const secret of [...Object.values(secrets), leak.slice(17, 60)]) expect(audit.out.includes(secret)).toBe(false);
  expect(audit.out).toContain("leaked: pawl_***");
});

it(
  "pawl audit lists and verifies what servers did; a changed byte, a removed record and a cut end exit with 9",
  { ...timeout, ...proves("P-48") },
  async () => {
    const folder = new CliFolder({ "order.ts": orderFile });
    await folder.pawl("init");
    const ops = await newToken(folder, "ops", "admin");
    const a = await started(folder, "./order.ts");
    const canary = "canary-7c1e";
    const json = { ...bearer(ops), "content-type": "application/json" };
    for (const n of [1, 2, 3]) {
      await fetch(`${a.url}/v1/runs`, {
        method: "POST",
        headers: json,
        body: JSON.stringify({ workflow: "order", input: { id: canary, cents: n }, id: `o-${n}` }),
      });
      await fetch(`${a.url}/v1/runs/o-${n}/cancel`, { method: "POST", headers: json, body: JSON.stringify({ reason: `test ${n}` }) });
      await fetch(`${a.url}/v1/runs/o-${n}/result`, { headers: bearer(ops) });
    }
    await fetch(`${a.url}/v1/runs`, { headers: bearer("pawl_nobody") });
    await stopped(a);

    const { records } = await folder.json<{ records: { operation: string; runId?: string; times?: number }[] }>("audit", ...tenant);
    expect(records.filter((r) => r.operation === "runs.cancel")).toHaveLength(3);
    expect(records.find((r) => r.operation === "runs.result")).toMatchObject({ decision: "granted", times: expect.any(Number) });
    expect(records.find((r) => r.operation === "authenticate")).toMatchObject({ decision: "denied" });
    expect(JSON.stringify(records)).not.toContain(canary);
    const { runId } = records.find((r) => r.operation === "runs.cancel")!;
    const table = await folder.pawl("audit", "--run", runId!, "--subject", "ops", "--since", "1h", ...tenant);
    expect([table.code, table.out]).toEqual([0, expect.stringMatching(/granted +runs\.cancel +person ops/)]);
    const whole = await folder.pawl("audit", "--verify", ...tenant);
    expect([whole.code, whole.err]).toEqual([0, expect.stringContaining("nothing was changed")]);

    const db = await openConnection(join(folder.dir, ".pawl/state.db"));
    const rows = `from pawl_shelves where shelf = 'access.audit.rows:acme/shop/live'`;
    const [first] = db.prepare(`select key, value ${rows} order by key`).all() as { key: string; value: string }[];
    const [middle] = db.prepare(`select key, value ${rows} order by key limit 1 offset 3`).all() as { key: string; value: string }[];
    const verify = async (): Promise<readonly [number | null, string]> => {
      const { code, out } = await folder.pawl("audit", "--verify", ...tenant);
      return [code, out];
    };
    db.prepare(`update pawl_shelves set value = replace(value, 'test 2', 'test 9') where shelf like 'access.audit.rows%'`).run();
    expect(await verify(), "a changed byte").toEqual([9, expect.stringContaining("changed")]);
    db.prepare(`update pawl_shelves set value = replace(value, 'test 9', 'test 2') where shelf like 'access.audit.rows%'`).run();
    expect((await verify())[0]).toBe(0);
    db.prepare(`update pawl_shelves set key = 'x' where key = ? and shelf like 'access.audit.rows%'`).run(middle!.key);
    expect((await verify())[0], "a removed record").toBe(9);
    db.prepare(`update pawl_shelves set key = ? where key = 'x'`).run(middle!.key);
    expect((await verify())[0]).toBe(0);
    db.prepare(`delete from pawl_shelves where key = ? and shelf like 'access.audit.rows%'`).run(first!.key);
    expect(await verify(), "a cut end").toEqual([9, expect.stringContaining("cut")]);
    db.close();
  },
);

it(
  "a server that is reachable from elsewhere without TLS, or that knows nobody, does not start",
  { ...timeout, ...proves("AX-34") },
  async () => {
    const { privateKey } = generateKeyPairSync("ed25519", {
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    const folder = new CliFolder({ "key.pem": privateKey });
    await folder.pawl("init");
    const start = ["start", ...tenant, "--listen", "0.0.0.0:0"];
    expect(await folder.pawl(...start)).toMatchObject({ code: 2, err: expect.stringContaining("PAWL5040") });
    await newToken(folder, "ops", "admin");
    for (const [args, code, text] of [
      [[], "PAWL5042", "--tls-cert"],
      [["--open"], "PAWL5040", "loopback"],
      [["--behind-proxy", "--production"], "PAWL5042", "--signer"],
      [["--behind-proxy", "--store", "memory:"], "PAWL5040", "no tokens"],
      [["--behind-proxy", "--store", "postgres://app:pw@db.example/app"], "PAWL5042", "sslmode"],
      [["--behind-proxy", "--production", "--signer", "ops=key.pem"], "PAWL5042", "--cors"],
      [["--behind-proxy", "--store", "mysql://shop:changeme@127.0.0.1/shop"], "PAWL5042", "everybody tries first"],
      [["--behind-proxy", "--jwt-issuer", "https://login.example"], "PAWL5040", "audience"],
      [["--behind-proxy", "--tokens-file", "none.json"], "PAWL5001", "none.json"],
    ] as const) {
      const refused = await folder.pawl(...start, ...args);
      expect([refused.code, refused.err], args.join(" ")).toEqual([2, expect.stringContaining(code)]);
      expect(refused.err).toContain(text);
    }
  },
);
