// Access tokens of an identity provider: real keys, real signatures, and the tokens that attackers make. What is wrong in one thing is refused; a key
// set at an address is read over a real socket.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createHmac, createPrivateKey, createSign } from "node:crypto";
import { exportJWK, exportPKCS8, exportSPKI, generateKeyPair, SignJWT, type JWK, type JWTHeaderParameters, type JWTPayload } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemPlatform } from "../../platform/system.ts";
import { JwtVerifier, type JwtOptions } from "./jwt.ts";

const tenant = { tenantId: "acme", projectId: "shop", environmentId: "live" };
const issuer = "https://login.example";
const audience = "https://pawl.example";
type Pair = Awaited<ReturnType<typeof generateKeyPair>>;

let rsa: Pair;
let ec: Pair;
let stranger: Pair;
let keys: { keys: JWK[] };
let options: JwtOptions;
let server: Server | undefined;

beforeAll(async () => {
  [rsa, ec, stranger] = [
    await generateKeyPair("RS256", { extractable: true }),
    await generateKeyPair("ES256"),
    await generateKeyPair("RS256"),
  ];
  keys = {
    keys: [
      { ...(await exportJWK(rsa.publicKey)), kid: "a", alg: "RS256", use: "sig" },
      { ...(await exportJWK(ec.publicKey)), kid: "b", alg: "ES256", use: "sig" },
    ],
  };
  options = { issuer, audience, jwks: keys as never, kindClaim: "kind" };
});
afterAll(() => void server?.close());

const now = (): number => Math.floor(Date.now() / 1_000);
const claims = (): JWTPayload => ({
  iss: issuer,
  aud: audience,
  sub: "248289761001",
  iat: now() - 10,
  exp: now() + 600,
  tenant: "acme/shop/live",
  scope: "read work root payloads",
});
const header = (): JWTHeaderParameters => ({ alg: "RS256", kid: "a", typ: "at+jwt" });
const sign = (c: JWTPayload = {}, h: Partial<JWTHeaderParameters> = {}, key = rsa.privateKey): Promise<string> => {
  const payload = Object.fromEntries(Object.entries({ ...claims(), ...c }).filter(([, v]) => v !== undefined));
  return new SignJWT(payload).setProtectedHeader({ ...header(), ...h }).sign(key);
};
/** With any header: the library signs no such thing. */
const signRaw = async (h: object): Promise<string> => {
  const text = `${b64(h)}.${b64(claims())}`;
  const key = createPrivateKey(await exportPKCS8(rsa.privateKey));
  return `${text}.${createSign("sha256").update(text).sign(key).toString("base64url")}`;
};
const verifier = (o: Partial<JwtOptions> = {}): JwtVerifier => new JwtVerifier({ ...options, ...o }, tenant, systemPlatform());
const b64 = (x: unknown): string => Buffer.from(typeof x === "string" ? x : JSON.stringify(x)).toString("base64url");

describe("a good token", () => {
  it("says who, what for, and until when; unknown scopes are left out", async () => {
    const good = await verifier().verify(await sign());
    expect(good).toMatchObject({ principal: { kind: "service", subject: `${issuer}|248289761001` }, scopes: ["read", "work", "payloads"] });
    const exp = now() + 300;
    expect((await verifier().verify(await sign({ exp }))).expiresAt).toBe(exp * 1_000);
    const iat = now() - 80_000;
    expect((await verifier().verify(await sign({ iat, exp: now() + 900_000 }))).expiresAt, "a day at most").toBe((iat + 86_400) * 1_000);
    expect((await verifier().verify(await sign({ kind: "person" }))).principal.kind).toBe("person");
    expect((await verifier().verify(await sign({ kind: "root" }))).principal.kind).toBe("service");
    expect((await verifier({ kindClaim: undefined as never }).verify(await sign({ kind: "person" }))).principal.kind).toBe("service");
    expect((await verifier().verify(await sign({}, { alg: "ES256", kid: "b" }, ec.privateKey))).scopes).toHaveLength(3);
  });

  it("has its scopes in another claim, as a list, with a prefix", async () => {
    const own = verifier({ scopeClaim: "roles", scopePrefix: "pawl:" });
    const { scopes } = await own.verify(await sign({ roles: ["pawl:operate", "operate", "pawl:root", 7, "pawl:operate"] }));
    expect(scopes).toEqual(["operate"]);
    expect((await own.verify(await sign())).scopes, "no such claim").toEqual([]);
  });
});

it("a token that is signed by hand is as good: what follows differs from it in one thing", async () => {
  expect((await verifier().verify(await signRaw(header()))).scopes).toContain("read");
});

describe("a token that is wrong in one thing is refused", () => {
  it.each<[string, () => Promise<string>]>([
    ["another issuer", () => sign({ iss: "https://evil.example" })],
    ["another audience", () => sign({ aud: "https://other.example" })],
    ["no audience", () => sign({ aud: undefined as never })],
    ["another type", () => sign({}, { typ: "JWT" })],
    ["no type", () => sign({}, { typ: undefined as never })],
    ["expired", () => sign({ exp: now() - 60 })],
    ["no expiry", () => sign({ exp: undefined as never })],
    ["no time of issue", () => sign({ iat: undefined as never })],
    ["issued more than a day ago", () => sign({ iat: now() - 90_000 })],
    ["issued in the future", () => sign({ iat: now() + 3_600 })],
    ["not valid yet", () => sign({ nbf: now() + 3_600 })],
    ["no subject", () => sign({ sub: undefined as never })],
    ["an empty subject", () => sign({ sub: "" })],
    ["a subject with U+0000", () => sign({ sub: "ann\0" })],
    ["no tenant", () => sign({ tenant: undefined as never })],
    ["a key that is not the issuer's", () => sign({}, {}, stranger.privateKey)],
    ["a kid that the issuer does not have", () => sign({}, { kid: "../../etc/passwd" }, stranger.privateKey)],
    ["no kid, and another key", () => sign({}, { kid: undefined as never }, stranger.privateKey)],
    ["the kid of another algorithm", () => sign({}, { kid: "b" })],
    ["a header that nobody understands", () => signRaw({ ...header(), crit: ["boss"], boss: true })],
    ["its own key in the header", async () => sign({}, { kid: "z", jwk: await exportJWK(stranger.publicKey) }, stranger.privateKey)],
    ["the address of its own keys", () => sign({}, { kid: "z", jku: "http://127.0.0.1:1/keys" }, stranger.privateKey)],
    ["no signature", async () => `${b64({ alg: "none", typ: "at+jwt" })}.${b64(claims())}.`],
    ["no signature, in capitals", async () => `${b64({ alg: "NONE", typ: "at+jwt", kid: "a" })}.${b64(claims())}.`],
    [
      "HS256 with the public key as secret",
      async () => {
        const text = `${b64({ alg: "HS256", typ: "at+jwt", kid: "a" })}.${b64(claims())}`;
        return `${text}.${createHmac("sha256", await exportSPKI(rsa.publicKey))
          .update(text)
          .digest("base64url")}`;
      },
    ],
    ["a changed payload", async () => (await sign()).replace(/\.[^.]+\./, `.${b64({ ...claims(), scope: "admin" })}.`)],
    ["a cut signature", async () => (await sign()).slice(0, -8)],
    ["too many parts", async () => `${await sign()}.x.y`],
    ["no token at all", async () => "eyJ.eyJ"],
    ["far too long", async () => `${await sign()}${"x".repeat(20_000)}`],
  ])("%s", async (_, make) => {
    const token = await make();
    const refused = await verifier()
      .verify(token)
      .then(
        () => undefined,
        (e: unknown) => e,
      );
    expect(refused).toMatchObject({ page: "PAWL4080" });
    expect(String(refused), "the token in the message").not.toContain(token.split(".")[1]!.slice(0, 40));
  });

  it("a good token of another tenant is another tenant's", async () => {
    await expect(verifier().verify(await sign({ tenant: "rival/shop/live" }))).rejects.toMatchObject({ page: "PAWL4092" });
    await expect(verifier().verify(await sign({ tenant: ["acme/shop/live"] }))).rejects.toMatchObject({ page: "PAWL4092" });
  });

  it("any type is accepted only where that was said", async () => {
    const token = await sign({}, { typ: "JWT" });
    expect((await verifier({ typ: false }).verify(token)).scopes).toContain("read");
  });
});

describe("settings", () => {
  it("issuer, audience and public keys are needed", async () => {
    const privateJwk = await exportJWK(rsa.privateKey);
    const secret = { keys: [{ kty: "oct", k: "c2VjcmV0" }] };
    for (const wrong of [
      { issuer: "" },
      { issuer: undefined },
      { issuer: ["a", "b"] },
      { audience: "" },
      { audience: undefined },
      { jwks: "" },
      { jwks: undefined },
      { jwks: { keys: [] } },
      { jwks: secret },
      { jwks: { keys: [privateJwk] } },
      { jwks: "http://login.example/keys" },
      { jwks: "/nowhere/keys.json" },
    ])
      expect(() => verifier(wrong as never), JSON.stringify(wrong).slice(0, 60)).toThrow(
        expect.objectContaining({ page: "PAWL5040" }) as Error,
      );
  });

  it("keys at an address are read over a socket; an address that fails says nothing about the token", async () => {
    let status = 500;
    server = createServer((_, response) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(keys)));
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const jwks = `http://127.0.0.1:${port}/keys`;
    await expect(verifier({ jwks }).verify(await sign())).rejects.toMatchObject({ page: "PAWL4088" });
    status = 200;
    const remote = verifier({ jwks });
    expect((await remote.verify(await sign())).principal.subject).toBe(`${issuer}|248289761001`);
    await expect(remote.verify(await sign({}, { kid: "z" }, stranger.privateKey))).rejects.toMatchObject({ page: "PAWL4080" });
    await expect(verifier({ jwks: "http://127.0.0.1:9/keys" }).verify(await sign())).rejects.toMatchObject({ page: "PAWL4088" });
  });
});
