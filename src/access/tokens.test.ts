// Tokens on every store: what the row keeps, what a creator may pass on, how fast a revocation is seen, what a restored backup ends, and
// what another tenant learns. The text of a token by itself, too.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Scope } from "../core/model.ts";
import { accessRoles, accessScopes, effectiveRole, roleScopes } from "../core/principal.ts";
import { systemPlatform } from "../platform/system.ts";
import type { Platform } from "../platform/platform.ts";
import { testStores, type TestStore } from "../../test/support/test-store.ts";
import { proves } from "../../test/support/proves.ts";
import { endTokens, keepTokens } from "./store-facts.ts";
import { newTokenId, newTokenSecret, parseTokenText, tokenText } from "./token-text.ts";
import { TokenLookup } from "./token-lookup.ts";
import { tokenVerbs, type TokenCreator } from "./tokens.ts";

const acme: Scope = { tenantId: "acme", projectId: "shop", environmentId: "live" };
const rival: Scope = { tenantId: "rival", projectId: "shop", environmentId: "live" };

describe("the text of a token", () => {
  const platform = systemPlatform();
  it("is read by position, and every changed character is noticed", () => {
    for (let n = 0; n < 50; n++) {
      const parts = { id: newTokenId(platform), secret: newTokenSecret(platform) };
      const text = tokenText(parts);
      expect(text).toMatch(/^pawl_[0-9a-z]{12}[\w-]{43}[\w-]{6}$/);
      expect(parseTokenText(text)).toEqual(parts);
      for (let i = 0; i < text.length; i++) {
        const other = text[i] === "a" ? "b" : "a";
        expect(parseTokenText(text.slice(0, i) + other + text.slice(i + 1)), `at ${i}`).toBeUndefined();
      }
    }
    for (const text of ["", "pawl_", "pawl_x", `${tokenText({ id: newTokenId(platform), secret: newTokenSecret(platform) })}x`])
      expect(parseTokenText(text)).toBeUndefined();
  });
});

describe("roles", () => {
  it("the effective role is the least permissive that the caller has and that permits the operation", proves("P-29"), () => {
    expect(effectiveRole("read", roleScopes.admin)).toBe("viewer");
    expect(effectiveRole("operate", roleScopes.admin)).toBe("operator");
    expect(effectiveRole("resolve", roleScopes.admin)).toBe("decider");
    expect(effectiveRole("admin", roleScopes.admin)).toBe("admin");
    expect(effectiveRole("operate", ["operate"]), "no role is as small").toBeUndefined();
    for (const role of accessRoles) {
      for (const scope of roleScopes[role]) {
        const found = effectiveRole(scope, roleScopes[role]);
        expect(roleScopes[found ?? "admin"].length).toBeLessThanOrEqual(roleScopes[role].length);
        expect(roleScopes[found ?? "viewer"]).toContain(scope);
      }
      for (const scope of accessScopes.filter((s) => !roleScopes[role].includes(s)))
        expect(effectiveRole(scope, roleScopes[role])).toBeUndefined();
    }
  });
});

describe.each(testStores)("on %s", { timeout: 60_000 }, (_, make) => {
  let b: TestStore;
  let aheadMs: number;
  let platform: Platform;
  beforeEach(async () => {
    b = await make();
    aheadMs = 0;
    platform = { ...b.platform, monotonicMs: () => b.platform.monotonicMs() + aheadMs };
  });
  afterEach(() => b.close());
  const verbs = (scope: Scope = acme, creator: TokenCreator | null = null) => tokenVerbs({ store: b.store, platform, scope }, creator);
  const lookup = (scope: Scope = acme) => new TokenLookup(b.store, platform, scope);

  it("a token is known by its secret, of which the store has only a hash; listings have neither", async () => {
    const { token, view } = await verbs().create({ subject: "shop", kind: "service", scopes: ["work", "read", "work"] });
    expect(view).toMatchObject({ subject: "shop", kind: "service", scopes: ["read", "work"] });
    expect(await lookup().find(token)).toMatchObject({ kind: "valid", row: { tokenId: view.tokenId, subject: "shop" } });
    const { id, secret } = parseTokenText(token)!;
    const wrong = tokenText({ id, secret: newTokenSecret(platform) });
    expect(await lookup().find(wrong), "the right id with another secret").toEqual({ kind: "unknown" });
    const rows = await b.store.kv.list({ collection: "access.tokens:acme/shop/live", limit: 10 });
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(JSON.stringify(await verbs().list())).not.toMatch(new RegExp(`${secret}|digest|[0-9a-f]{64}`));
  });

  it("a revoked token is refused at once where nothing is remembered, and everywhere within five seconds", async () => {
    const { token, view } = await verbs().create({ subject: "shop", scopes: ["read"] });
    const here = lookup();
    expect((await here.find(token)).kind).toBe("valid");
    const revoked = await verbs().revoke(view.tokenId);
    expect(revoked.revokedAt).toBeDefined();
    expect(await verbs().revoke(view.tokenId), "twice is once").toEqual(revoked);
    expect((await lookup().find(token)).kind).toBe("revoked");
    aheadMs = 5_000;
    expect((await here.find(token)).kind).toBe("revoked");
    expect((await here.check(view.tokenId)).kind).toBe("revoked");
    await expect(verbs().revoke("000000000000")).rejects.toMatchObject({ page: "PAWL4095" });
    await expect(verbs().revoke("no id")).rejects.toMatchObject({ page: "PAWL4095" });
  });

  it("a token has at most the scopes and the life of its creator", async () => {
    const { nowMs } = await b.store.info();
    const creator: TokenCreator = { subject: "ann", tokenId: "000000000000", scopes: ["read", "admin"], expiresAt: nowMs + 60_000 };
    const by = verbs(acme, creator);
    await expect(by.create({ subject: "x", scopes: ["read", "operate"] })).rejects.toMatchObject({
      page: "PAWL4081",
      message: expect.stringContaining("operate") as string,
    });
    await expect(by.create({ subject: "x", scopes: ["read"], ttlMs: 3_600_000 })).rejects.toMatchObject({ page: "PAWL4081" });
    const { view } = await by.create({ subject: "x", scopes: ["read"] });
    expect(Date.parse(view.expiresAt)).toBe(nowMs + 60_000);
    expect(view.createdBy).toBe("ann");
    for (const bad of [{ scopes: [] }, { scopes: ["root"] }, { ttlMs: 1 }, { ttlMs: Number.NaN }, { kind: "robot" }])
      await expect(by.create({ subject: "x", scopes: ["read"], ...bad } as never), JSON.stringify(bad)).rejects.toMatchObject({
        page: "PAWL4011",
      });
    await expect(by.create({ subject: "https://login.example|7", scopes: ["read"] }), "the subject of a JWT").rejects.toMatchObject({
      page: "PAWL1001",
    });
  });

  it("a token ends by the store's clock", async () => {
    const { token } = await verbs().create({ subject: "shop", scopes: ["read"], ttlMs: 10_000 });
    const here = lookup();
    expect((await here.find(token)).kind).toBe("valid");
    b.advanceClock(10_000);
    expect((await here.find(token)).kind).toBe(b.name === "memory" || b.name === "sqlite" ? "expired" : (await lookup().find(token)).kind);
    aheadMs = 5_000;
    expect((await here.find(token)).kind).toBe("expired");
  });

  it("a token for one run lives an hour at most, and ends with the token that made it", async () => {
    const made = await verbs().create({ subject: "shop", scopes: ["read", "work"] });
    const creator: TokenCreator = { subject: "shop", tokenId: made.view.tokenId, scopes: made.view.scopes };
    const by = verbs(acme, creator);
    await expect(by.share("r-1", { allow: "read", ttlMs: 3_600_001 })).rejects.toMatchObject({ page: "PAWL4011" });
    await expect(by.share("r-1", { allow: "all" as never })).rejects.toMatchObject({ page: "PAWL4011" });
    await expect(by.share("r-1", { allow: "views" }), "views are payloads").rejects.toMatchObject({ page: "PAWL4081" });
    const { token, view } = await by.share("r-1", { allow: "read" });
    expect(view).toMatchObject({ run: { runId: "r-1", allow: "read" }, scopes: ["read"], kind: "service" });
    expect((await lookup().find(token)).kind).toBe("valid");
    await verbs().revoke(made.view.tokenId);
    expect((await lookup().find(token)).kind).toBe("revoked");
  });

  it("another tenant's token is recognised only with its secret, and no listing or revocation reaches it", async () => {
    const { token, view } = await verbs(rival).create({ subject: "spy", scopes: ["read"] });
    expect((await lookup().find(token)).kind).toBe("foreign");
    const { id } = parseTokenText(token)!;
    expect((await lookup().find(tokenText({ id, secret: newTokenSecret(platform) }))).kind).toBe("unknown");
    expect((await verbs().list()).tokens).toEqual([]);
    await expect(verbs().revoke(view.tokenId)).rejects.toMatchObject({ page: "PAWL4095" });
    expect((await lookup(rival).find(token)).kind).toBe("valid");
  });

  it("lists go on where they ended", async () => {
    const made = new Set<string>();
    for (let n = 0; n < 5; n++) made.add((await verbs().create({ subject: `s${n}`, scopes: ["read"] })).view.tokenId);
    const seen: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages++) {
      const page = await verbs().list({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.tokens.map((t) => t.tokenId));
      cursor = page.cursor;
    }
    expect(seen).toEqual([...made].toSorted());
    await expect(verbs().list({ cursor: "'; drop table" })).rejects.toMatchObject({ page: "PAWL4011" });
  });

  it("after a restored backup tokens of before have ended, unless they were kept", async () => {
    const { token } = await verbs().create({ subject: "shop", scopes: ["read"] });
    const { incarnation } = await b.store.info();
    const raised = { ...b.store, info: async () => ({ ...(await b.store.info()), incarnation: incarnation + 1 }) };
    const after = () => new TokenLookup(raised, platform, acme).find(token);
    await endTokens(b.store);
    expect((await after()).kind).toBe("restored");
    await keepTokens(b.store, incarnation);
    expect((await after()).kind).toBe("valid");
    await endTokens(b.store);
    expect((await after()).kind, "a later restore keeps nothing").toBe("restored");
  });
});
