// `pawl token` as a real process: the first token of a store, what is printed once and never again, a file of hashes, and what a
// restored backup does to tokens.
import { copyFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { TokenLookup } from "../../src/access/token-lookup.ts";
import { TokensFile } from "../../src/access/tokens-file.ts";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { CliFolder, killCommands } from "./pawl-process.ts";

afterEach(killCommands);

const acme = { tenantId: "acme", projectId: "shop", environmentId: "live" };
const tenant = ["--tenant", "acme/shop/live"];
const tokenForm = /^pawl_[\w-]{61}\n$/;

async function judge(place: CliFolder, file: string, token: string): Promise<string> {
  const store = await openStore(`sqlite:${join(place.dir, file)}`, systemPlatform());
  try {
    return (await new TokenLookup(store, systemPlatform(), acme).find(token)).kind;
  } finally {
    await store.close();
  }
}

it("a token is made on a store, printed once, listed without its secret, and revoked", { timeout: 60_000 }, async () => {
  const place = new CliFolder();
  await place.pawl("init");
  const made = await place.pawl("token", "create", "--subject", "ann", "--role", "admin", "--ttl", "30d", ...tenant);
  expect([made.code, made.out]).toEqual([0, expect.stringMatching(tokenForm)]);
  expect(made.err).toMatch(/^token \w{12} of person ann: read, payloads, work, operate, resolve, export, admin, worker; until /);
  const token = made.out.trim();
  expect(await judge(place, ".pawl/state.db", token)).toBe("valid");
  expect(readFileSync(join(place.dir, ".pawl/state.db")).includes(token.slice(17, 60)), "the secret in the file").toBe(false);

  const { tokens } = await place.json<{ tokens: { tokenId: string; kind: string }[] }>("token", "ls", ...tenant);
  expect(tokens).toMatchObject([{ subject: "ann", kind: "person" }]);
  const table = await place.pawl("token", "ls", ...tenant);
  expect(table.out).toContain("ann");
  expect(table.out + table.err + made.err).not.toContain(token);
  expect((await place.json<{ tokens: unknown[] }>("token", "ls")).tokens, "of another tenant").toEqual([]);

  const revoked = await place.pawl("token", "revoke", tokens[0]!.tokenId, "--reason", "found in a log", ...tenant);
  expect([revoked.code, revoked.err]).toEqual([0, expect.stringContaining("is revoked")]);
  expect(await judge(place, ".pawl/state.db", token)).toBe("revoked");
  const { records } = await place.json<{ records: unknown[] }>("audit", ...tenant);
  expect(records, "what was done on the store itself").toMatchObject([
    { operation: "tokens.revoke", target: tokens[0]!.tokenId, reason: "found in a log", outcome: { status: 200 } },
    { operation: "tokens.create", target: "ann", principal: { subject: "store" }, outcome: { status: 200 } },
  ]);
});

it("wrong input is answered with a code and a fix", { timeout: 60_000 }, async () => {
  const place = new CliFolder();
  await place.pawl("init");
  for (const [args, code, exit] of [
    [["create"], "PAWL4011", 2],
    [["create", "--subject", "x"], "PAWL4011", 2],
    [["create", "--subject", "x", "--role", "king"], "PAWL4011", 2],
    [["create", "--subject", "x", "--role", "app", "--scopes", "read"], "PAWL4011", 2],
    [["create", "--subject", "x", "--scopes", "read,root"], "PAWL4011", 2],
    [["create", "--subject", "x", "--role", "app", "--ttl", "soon"], "PAWL1002", 2],
    [["create", "--subject", "x", "--role", "app", "--kind", "robot"], "PAWL4011", 2],
    [["sell"], "PAWL4011", 2],
    [["revoke"], "PAWL4011", 2],
    [["revoke", "000000000000"], "PAWL4095", 4],
  ] as const) {
    const refused = await place.pawl("token", ...args);
    expect([refused.code, refused.out], args.join(" ")).toEqual([exit, ""]);
    expect(refused.err).toContain(code);
  }
});

it("a file of tokens has hashes only, opens what it lists, and nothing when an entry is wrong", { timeout: 60_000 }, async () => {
  const place = new CliFolder();
  const made: { readonly out: string }[] = [];
  for (const subject of ["shop", "ops"])
    made.push(await place.pawl("token", "create", "--subject", subject, "--scopes", "read,work", "--tokens-file", "tokens.json"));
  expect(made.map((m) => m.out)).toEqual([expect.stringMatching(tokenForm), expect.stringMatching(tokenForm)]);
  const path = join(place.dir, "tokens.json");
  const text = readFileSync(path, "utf8");
  expect(statSync(path).mode & 0o077).toBe(0);
  for (const m of made) expect(text).not.toContain(m.out.trim().slice(17, 60));

  await place.pawl("init");
  const real = systemPlatform();
  let aheadMs = 0;
  const platform = { ...real, monotonicMs: () => real.monotonicMs() + aheadMs };
  const store = await openStore(`sqlite:${join(place.dir, ".pawl/state.db")}`, platform);
  const trouble: unknown[] = [];
  const file = new TokensFile(path, platform, acme, (e) => trouble.push(e));
  const find = async (n: number): Promise<string> =>
    (await new TokenLookup(store, platform, acme, file).find(made[n]?.out.trim() ?? "")).kind;
  expect([await find(0), await find(1)]).toEqual(["valid", "valid"]);
  place.write("tokens.json", JSON.stringify((JSON.parse(text) as unknown[]).slice(1)));
  aheadMs += 5_000;
  expect([await find(0), await find(1)], "an entry taken away").toEqual(["unknown", "valid"]);
  place.write("tokens.json", text.replace('"ops"', "7"));
  aheadMs += 5_000;
  expect([await find(0), await find(1)], "a wrong entry").toEqual(["unknown", "unknown"]);
  expect(trouble).toMatchObject([{ page: "PAWL5001" }]);
  expect(() => new TokensFile(path, platform, acme, () => {})).toThrow(/entry 2/);
  await store.close();
});

it("doctor --restored ends tokens, and --keep-tokens keeps them", { timeout: 60_000 }, async () => {
  const place = new CliFolder();
  await place.pawl("init");
  const token = (await place.pawl("token", "create", "--subject", "ann", "--role", "viewer", ...tenant)).out.trim();
  for (const [name, flags, then] of [
    ["ended.db", [], "restored"],
    ["kept.db", ["--keep-tokens"], "valid"],
  ] as const) {
    copyFileSync(join(place.dir, ".pawl/state.db"), join(place.dir, name));
    const restored = await place.pawl("doctor", "--restored", "--yes", ...flags, "--store", `sqlite:${name}`);
    expect(restored.code, restored.err).toBe(0);
    expect(restored.err).toContain(flags.length === 0 ? "tokens and sessions have ended" : "tokens stay valid");
    expect(await judge(place, name, token), name).toBe(then);
  }
  // Kept through one restore, ended by the next.
  expect((await place.pawl("doctor", "--restored", "--yes", "--store", "sqlite:kept.db")).code).toBe(0);
  expect(await judge(place, "kept.db", token)).toBe("restored");
});
