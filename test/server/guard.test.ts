// What is refused before anybody is asked who they are, and how much one caller may take. Requests are made by hand, with the headers that
// browsers, proxies and attackers send.
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { proves } from "../support/proves.ts";
import { approval, order, rawRequest, serve, type Served } from "./serve.ts";
import type { HostCaller } from "../../src/server.ts";

const ann: HostCaller = { kind: "person", subject: "ann", scopes: ["read", "payloads", "work"] };
const start = JSON.stringify({ workflow: "order", id: "guarded" });
const json = { "content-type": "application/json" };

async function using<T>(options: Parameters<typeof serve>[0], body: (s: Served) => Promise<T>): Promise<T> {
  const s = await serve(options);
  try {
    return await body(s);
  } finally {
    await s.close();
  }
}

describe("the guard", () => {
  it("answers 421 to a Host that it does not know, also with the right port, and takes those that it was given", async () => {
    await using({ hosts: ["Pawl.example"] }, async (s) => {
      const ask = async (host: string, path = "/v1/me"): Promise<number> => (await rawRequest(s.port, { path, headers: { host } })).status;
      for (const host of ["evil.example", `evil.example:${s.port}`, "127.0.0.1.evil.example", "localhost.evil", "0.0.0.0", "10.0.0.1"])
        expect(await ask(host), host).toBe(421);
      for (const host of ["localhost", `127.0.0.1:${s.port}`, `[::1]:${s.port}`, "pawl.example", "PAWL.EXAMPLE:443"])
        expect(await ask(host), host).toBe(200);
      expect(await ask("10.1.2.3", "/livez")).toBe(200);
      expect(await ask("10.1.2.3", "/readyz")).toBe(200);
    });
  });

  it("refuses what a browser says comes from another page, and nothing is changed by it", async () => {
    await using({}, async (s) => {
      const own = `http://127.0.0.1:${s.port}`;
      const ask = async (headers: Record<string, string>): Promise<number> =>
        (await rawRequest(s.port, { method: "POST", path: "/v1/runs", headers: { ...json, ...headers }, body: start })).status;
      for (const site of ["cross-site", "same-site", "nonsense"]) expect(await ask({ "sec-fetch-site": site }), site).toBe(403);
      for (const origin of ["null", "https://evil.example", "http://127.0.0.1:1", `http://localhost:${s.port}`, "file://"])
        expect(await ask({ origin }), origin).toBe(403);
      expect((await s.get("/v1/runs")).json.items).toEqual([]);
      expect(await ask({ origin: own, "sec-fetch-site": "same-origin" })).toBe(201);
      expect(await ask({ "sec-fetch-site": "none" })).toBe(200);
    });
  });

  it("takes bodies as JSON only: what a form can send is refused", async () => {
    await using({}, async (s) => {
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "text/json"])
        for (const path of ["/v1/runs", "/rpc"])
          expect((await rawRequest(s.port, { method: "POST", path, headers: { "content-type": type }, body: start })).status, type).toBe(
            415,
          );
      expect((await s.get("/v1/runs")).json.items).toEqual([]);
    });
  });

  it("lets bearer requests come from everywhere, and shows answers to pages of listed origins only", async () => {
    const auth = (r: Request): HostCaller | null => (r.headers.get("authorization") === "Bearer good" ? ann : null);
    await using({ auth, cors: ["https://app.example"] }, async (s) => {
      const ask = (headers: Record<string, string>, method = "GET"): ReturnType<typeof rawRequest> =>
        rawRequest(s.port, { method, path: "/v1/me", headers: { host: "anything.example", ...headers } });
      const listed = await ask({ authorization: "Bearer good", origin: "https://app.example", "sec-fetch-site": "cross-site" });
      expect([listed.status, listed.headers["access-control-allow-origin"]]).toEqual([200, "https://app.example"]);
      expect(listed.headers["access-control-allow-credentials"]).toBeUndefined();
      const other = await ask({ authorization: "Bearer good", origin: "https://other.example" });
      expect(other.headers["access-control-allow-origin"]).toBeUndefined();
      const wrong = await ask({ authorization: "Bearer bad", origin: "https://app.example" });
      expect([wrong.status, wrong.headers["access-control-allow-origin"]]).toEqual([401, "https://app.example"]);
      expect(wrong.headers["www-authenticate"]).toContain("Bearer");
      const ambient = await ask({ origin: "https://app.example", host: "localhost" });
      expect([ambient.status, ambient.headers["access-control-allow-origin"]]).toEqual([403, undefined]);
      const preflight = { origin: "https://app.example", "access-control-request-method": "POST" };
      expect((await ask(preflight, "OPTIONS")).headers["access-control-allow-methods"]).toBe("GET, POST");
      expect((await ask({ ...preflight, origin: "https://other.example" }, "OPTIONS")).status).toBe(403);
    });
  });
});

describe("limits", () => {
  it("answers 429 to an address that keeps failing, before its credential is looked at, and not to other addresses", async () => {
    let asked = 0;
    const auth = (r: Request): HostCaller | null => {
      asked++;
      return r.headers.get("authorization") === "Bearer good" ? ann : null;
    };
    await using({ auth, trustProxy: ["127.0.0.0/8"] }, async (s) => {
      const ask = async (address: string, token: string): Promise<number> =>
        (await s.get("/v1/me", { authorization: `Bearer ${token}`, "x-forwarded-for": `9.9.9.9, ${address}` })).status;
      const answers = await Promise.all(Array.from({ length: 60 }, () => ask("203.0.113.7", "bad")));
      expect(answers.every((status) => status === 401 || status === 429)).toBe(true);
      expect(answers.filter((status) => status === 429).length).toBeGreaterThan(10);
      expect(asked).toBeLessThan(60);
      expect(await ask("203.0.113.8", "good")).toBe(200);
      expect(await ask("203.0.113.8", "bad")).toBe(401);
    });
  });

  it("lets a caller in who was let in before, although somebody at the same address keeps failing", async () => {
    const auth = (r: Request): HostCaller | null => (r.headers.get("cookie") === "session=ann" ? ann : null);
    await using({ auth }, async (s) => {
      expect((await s.get("/v1/me", { cookie: "session=ann" })).status).toBe(200);
      const answers = await Promise.all(Array.from({ length: 60 }, async () => (await s.get("/v1/me", { cookie: "session=eve" })).status));
      expect(answers).toContain(429);
      expect((await s.get("/v1/me", { cookie: "session=ann" })).status).toBe(200);
    });
  });

  it("believes no X-Forwarded-For of somebody who is not a trusted proxy", async () => {
    await using({ auth: () => null }, async (s) => {
      const statuses = await Promise.all(
        Array.from({ length: 40 }, async (_, i) => (await s.get("/v1/me", { "x-forwarded-for": `203.0.113.${i}` })).status),
      );
      expect(statuses).toContain(429);
    });
  });

  it("holds at most 100 requests of one caller at once; the rest gets 429 with Retry-After", proves("TX-20"), async () => {
    await using({ workflows: [order, approval] }, async (s) => {
      await s.post("/v1/runs", { workflow: "approval", id: "held" });
      const gone = new AbortController();
      const waits = Array.from({ length: 100 }, () =>
        fetch(`${s.url}/v1/runs/held/result?wait=30`, { signal: gone.signal }).catch(() => undefined),
      );
      let refused = await s.get("/v1/me");
      while (refused.status !== 429) refused = await s.get("/v1/me");
      expect([refused.json.page, refused.headers.get("retry-after"), refused.json.retryable]).toEqual(["PAWL4084", "1", true]);
      expect((await s.get("/livez")).status).toBe(200);
      gone.abort();
      await Promise.all(waits);
      let again = await s.get("/v1/me");
      while (again.status === 429) again = await s.get("/v1/me");
      expect(again.status).toBe(200);
    });
  });

  it("closes a connection whose headers do not arrive, and answers pipelined requests in order", async () => {
    await using({}, async (s) => {
      const text = await new Promise<string>((resolve) => {
        let got = "";
        const socket = connect(s.port, "127.0.0.1", () =>
          socket.write(
            "GET /v1/version HTTP/1.1\r\nHost: localhost\r\n\r\nGET /v1/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
          ),
        );
        socket.on("data", (d) => (got += String(d)));
        socket.on("close", () => resolve(got));
      });
      expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((m) => m[1])).toEqual(["200", "404"]);
      const slow = await new Promise<string>((resolve) => {
        let got = "";
        const socket = connect(s.port, "127.0.0.1", () => socket.write("GET /v1/version HTTP/1.1\r\nHost: localhost\r\nX-Slow: "));
        socket.on("data", (d) => (got += String(d)));
        socket.on("close", () => resolve(got));
      });
      expect(slow).toMatch(/^HTTP\/1\.1 408 /);
    });
  });
});
