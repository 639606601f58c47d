// The envelope against signatures that others made: the vectors that Standard Webhooks publishes, and one made with openssl from
// the first key of RFC 8032. Then what a receiver must refuse.
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { describe, expect, it } from "vitest";
import { verifyWebhook } from "../webhooks.ts";
import { virtualPlatform } from "../platform/virtual.ts";
import { signedHeaders } from "./signature-headers.ts";
import { newSecret, publicHalf, signingKey, verifyingKey } from "./secrets.ts";

const id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const atMs = 1_614_265_330_999;
const body = '{"test": 2432232314}';
const hmac = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const pair = "whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==";
const rfc8032 = "whsk_nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2DXWpgBgrEKt9VL/tPJZAc6DuFy89qmIyWvAhpo9wdRGg==";
const v1 = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
const v1a = "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==";
const v1aRfc = "v1a,fldxM4gAKugP6nnt1hdz3sgGfZ6d99nzrMFnZOELIxbzEHoVmAb2ADpkJK7zgPePmPsle0zV9jSeGlHFG2NVAw==";

const headers = (signature: string, timestamp = "1614265330"): Record<string, string> => ({
  "webhook-id": id,
  "webhook-timestamp": timestamp,
  "webhook-signature": signature,
});
const now = (): number => atMs;

describe("the envelope", () => {
  it("signs id, time and body as the published vectors say, with every key, the newest first", () => {
    expect(signedHeaders(id, atMs, body, [signingKey(hmac)])).toEqual(headers(v1));
    expect(signedHeaders(id, atMs, body, [signingKey(pair), signingKey(hmac), signingKey(rfc8032)])).toEqual(
      headers(`${v1a} ${v1} ${v1aRfc}`),
    );
    expect(publicHalf(pair)).toBe("whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=");
    expect(publicHalf(hmac)).toBeUndefined();
  });

  it("is verified with the shared secret or the public key, old or new, from Node's headers or the web's", () => {
    const signed = headers(`v2,unknown ${v1} ${v1a}`);
    const other = newSecret("hmac", virtualPlatform());
    for (const secret of [hmac, publicHalf(pair)!, [other, hmac], [publicHalf(rfc8032)!, publicHalf(pair)!]]) {
      const seen = verifyWebhook(signed, body, secret, { now });
      expect(seen).toEqual({ id, at: new Date("2021-02-25T15:02:10.000Z"), event: { test: 2_432_232_314 } });
      expect(verifyWebhook(new Headers(signed), Buffer.from(body), secret, { now })).toEqual(seen);
    }
  });

  it("is compared in constant time, with every key and whatever came before, so that nobody learns a signature by guessing", () => {
    const real = crypto.timingSafeEqual;
    let compared = 0;
    crypto.timingSafeEqual = (a, b) => (compared++, real(a, b));
    syncBuiltinESMExports();
    try {
      verifyWebhook(headers(`${v1} ${v1}`), body, [hmac, newSecret("hmac", virtualPlatform())], { now });
      expect(compared).toBe(4);
    } finally {
      crypto.timingSafeEqual = real;
      syncBuiltinESMExports();
    }
  });

  it("is refused when anything that was signed differs, when nothing was, and when it is not recent", () => {
    const refused = (h: Record<string, string | string[] | undefined>, b = body, secret: string | string[] = hmac, o = { now }): void =>
      expect(() => verifyWebhook(h, b, secret, o)).toThrow(expect.objectContaining({ code: "PAWL4035" }));
    refused(headers(v1), `${body} `);
    refused({ ...headers(v1), "webhook-id": "msg_other" });
    refused(headers(v1, "1614265331"));
    refused(headers(v1.replace("g0", "g1")));
    refused(headers("v1,"));
    refused(headers(v1.slice(3)));
    refused(headers(v1.replace("v1,", "v1a,")));
    refused(headers(v1), body, newSecret("hmac", virtualPlatform()));
    refused(headers(v1a), body, publicHalf(rfc8032)!);
    refused(headers(v1), body, []);
    for (const name of Object.keys(headers(v1))) {
      refused({ ...headers(v1), [name]: undefined });
      refused({ ...headers(v1), [name]: [headers(v1)[name]!, "more"] });
    }
    refused(headers(v1), body, hmac, { now: () => 1_614_265_330_000 + 300_001 });
    refused(headers(v1), body, hmac, { now: () => 1_614_265_330_000 - 300_001 });
    expect(verifyWebhook(headers(v1), body, hmac, { now: () => 1_614_265_330_000 + 300_000 }).id).toBe(id);
    expect(verifyWebhook(headers(v1), body, hmac, { now: () => 0, tolerance: "4000w" }).id).toBe(id);
    const signedText = signedHeaders(id, atMs, "no JSON", [signingKey(hmac)]);
    refused(signedText, "no JSON");
  });
});

describe("secrets", () => {
  it("are made of 32 random bytes, and are what they say", () => {
    const p = virtualPlatform();
    const made = [newSecret("hmac", p), newSecret("hmac", p), newSecret("ed25519", p)];
    expect(new Set(made).size).toBe(3);
    expect(made.map((s) => signingKey(s).scheme)).toEqual(["hmac", "hmac", "ed25519"]);
    expect(Buffer.from(made[0]!.slice("whsec_".length), "base64")).toHaveLength(32);
    expect(verifyingKey(publicHalf(made[2]!)!).scheme).toBe("ed25519");
  });

  it("are refused in any other form, without being shown", () => {
    const short = `whsec_${Buffer.alloc(23).toString("base64")}`;
    const foreign = `whsk_${Buffer.concat([Buffer.alloc(32, 1), Buffer.alloc(32, 2)]).toString("base64")}`;
    for (const s of [
      "",
      "secret",
      "whsec_",
      "whsec_%%%",
      `${hmac} `,
      short,
      foreign,
      "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=",
    ]) {
      expect(() => signingKey(s), s).toThrow(expect.objectContaining({ code: "PAWL5020" }));
      expect(() => signingKey(s), s).toThrow(/^the secret is not whsec_(… or whsk_…| and base64 of 24 to 64 bytes)$/);
    }
    expect(() => verifyingKey(pair)).toThrow(expect.objectContaining({ code: "PAWL5020" }));
  });
});
