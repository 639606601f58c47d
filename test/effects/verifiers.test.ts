// The verifiers of pawl/verifiers against what they look at: a real HTTP server on this machine, real files, real SQL on the
// databases that hold stores. Each says that nothing changed, and says what did; none follows a redirect, trusts what it cannot
// read, or hands a token to somebody else.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Connection } from "mysql2/promise";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ResourceVerifier, StepScope } from "../../src/index.ts";
import { fileVerifier, httpVerifier, objectVerifier, placeholderVerifier, restVerifier, sqlVerifier } from "../../src/verifiers.ts";
import { databases } from "../own/databases.ts";
import { proves } from "../support/proves.ts";

type Answer = Awaited<ReturnType<ResourceVerifier<unknown, unknown>["check"]>>;
const scope = (signal: AbortSignal = new AbortController().signal): StepScope => ({ signal }) as StepScope;
const yes: Answer = { matches: true };
const no = (reason: string): Answer => ({ matches: false, reason });

describe("over HTTP", () => {
  let server: Server;
  let base = "";
  let answer: (req: IncomingMessage, res: ServerResponse) => void;
  const seen: IncomingMessage[] = [];
  beforeAll(async () => {
    server = createServer((req, res) => {
      seen.push(req);
      answer(req, res);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => void seen.splice(0));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const replies = (status: number, body: string | Buffer = "", headers: Record<string, string> = {}): void => {
    answer = (_req, res) => void res.writeHead(status, headers).end(body);
  };

  it("httpVerifier compares status, ETag and JSON members, and names the first that differs", proves("A-36", "A-37"), async () => {
    const v = httpVerifier<{ id: string }, { etag: string; total: number }>({
      name: "order",
      url: (i) => new URL(`${base}/orders/${i.id}`),
      headers: (_i, r) => ({ "x-seen": r.etag }),
      status: [200, 203],
      etag: (_i, r) => r.etag,
      json: { "/total": (_i, r) => r.total, "/lines/0/a~1b": () => null },
    });
    const check = (): Promise<Answer> => v.check({ id: "7" }, { etag: '"e1"', total: 5 }, scope());
    const good = JSON.stringify({ total: 5, lines: [{ "a/b": null }] });
    replies(203, good, { etag: '"e1"' });
    expect(await check()).toEqual(yes);
    expect([seen[0]!.method, seen[0]!.url, seen[0]!.headers["x-seen"], seen[0]!.headers["accept-encoding"]]).toEqual([
      "GET",
      "/orders/7",
      '"e1"',
      "identity",
    ]);
    replies(404);
    expect(await check()).toEqual(no("it answers 404, not 200 or 203"));
    replies(200, good, { etag: 'W/"e1"' });
    expect(await check()).toEqual(no('its ETag is W/"e1", not "e1"'));
    replies(200, good);
    expect(await check()).toEqual(no('its ETag is absent, not "e1"'));
    replies(200, good.replace("5", "6"), { etag: '"e1"' });
    expect(await check()).toEqual(no("/total is 6, not 5"));
    replies(200, JSON.stringify({ total: 5, lines: [] }), { etag: '"e1"' });
    expect(await check()).toEqual(no("/lines/0/a~1b is undefined, not null"));
    for (const body of ["{", Buffer.from([0xff, 0xfe]), `"${"x".repeat(1024 * 1024)}"`]) {
      replies(200, body, { etag: '"e1"' });
      expect(await check()).toEqual(no("it is no JSON, or too long"));
    }
  });

  it("httpVerifier follows no redirect, asks HEAD when told, looks at http and https only, and throws when nobody answers", async () => {
    const v = httpVerifier<string, unknown>({ url: (i) => i, method: "HEAD" });
    replies(302, "", { location: `${base}/elsewhere` });
    expect(await v.check(`${base}/a`, 1, scope())).toEqual(no("it answers 302, not 200"));
    expect(seen.map((r) => [r.method, r.url])).toEqual([["HEAD", "/a"]]);
    await expect(v.check("file:///etc/hosts", 1, scope())).rejects.toMatchObject({ code: "PAWL5001" });
    answer = (_req, res) => void res.destroy();
    await expect(v.check(`${base}/a`, 1, scope())).rejects.toThrow("fetch failed");
    const controller = new AbortController();
    answer = () => controller.abort(new Error("too late"));
    await expect(v.check(`${base}/a`, 1, scope(controller.signal))).rejects.toThrow("too late");
    const bad =
      (o: object): (() => unknown) =>
      () =>
        httpVerifier({ url: () => base, ...o });
    expect(bad({ json: { total: () => 1 } })).toThrow(expect.objectContaining({ code: "PAWL5001" }));
    expect(bad({ method: "HEAD", json: { "/total": () => 1 } })).toThrow(expect.objectContaining({ code: "PAWL5001" }));
  });

  it(
    "restVerifier looks at an issue as GitHub serves it: present and the same, changed, gone, moved, not to be seen",
    proves("A-37"),
    async () => {
      interface Issue {
        number: number;
        node_id: string;
      }
      const v = restVerifier<{ repo: string; title: string }, Issue>({
        name: "github",
        base: `${base}/api/v3/`,
        token: async () => "t-1",
        headers: { accept: "application/vnd.github+json" },
        path: (i, r) => `/repos/${i.repo}/issues/${r.number}`,
        same: ["number", "node_id"],
        match: (i) => ({ title: i.title, state: "open", user: { login: "bot" } }),
      });
      const issue = { number: 3, node_id: "I_3", title: "A", state: "open", user: { login: "bot", id: 9 }, labels: [] };
      const check = (): Promise<Answer> => v.check({ repo: "o/r", title: "A" }, { number: 3, node_id: "I_3" }, scope());
      replies(200, JSON.stringify(issue));
      expect(await check()).toEqual(yes);
      const [req] = seen;
      expect([req!.url, req!.headers.authorization, req!.headers.accept, req!.headers["user-agent"]]).toEqual([
        "/api/v3/repos/o/r/issues/3",
        "Bearer t-1",
        "application/vnd.github+json",
        "pawl",
      ]);
      replies(200, JSON.stringify({ ...issue, state: "closed" }));
      expect(await check()).toEqual(no('/state is "closed", not "open"'));
      replies(200, JSON.stringify({ ...issue, user: { login: "eve" } }));
      expect(await check()).toEqual(no('/user/login is "eve", not "bot"'));
      replies(200, JSON.stringify({ ...issue, node_id: "I_4" }));
      expect(await check()).toEqual(no('/node_id is "I_4", not "I_3"'));
      replies(200, "[]");
      expect(await check()).toMatchObject({ matches: false });
      for (const [status, reason] of [
        [404, "it is gone, or may not be looked at"],
        [410, "it is gone"],
        [301, "it has moved"],
        [401, "the token is not accepted"],
        [403, "it may not be looked at"],
        [429, "it may not be looked at now"],
        [500, "it answers 500"],
      ] as const) {
        replies(status, "{}", status === 301 ? { location: base } : {});
        expect(await check()).toEqual(no(reason));
      }
      replies(200, "no json");
      expect(await check()).toEqual(no("it is no JSON, or too long"));
    },
  );

  it("restVerifier sends a token over https or to this machine only, and to no other host", async () => {
    const of = (address: string, path: string): ResourceVerifier<unknown, unknown> =>
      restVerifier({ base: address, token: () => "t", path: () => path });
    expect(() => of("http://example.org", "/a")).toThrow(expect.objectContaining({ code: "PAWL5001" }));
    expect(of("https://example.org", "/a").name).toBe("rest");
    expect(of("http://[::1]:1", "/a").name).toBe("rest");
    for (const path of [".evil.example/a", "@evil.example/a", "a"])
      await expect(of(base, path).check(1, 1, scope()), path).rejects.toMatchObject({ code: "PAWL5001" });
    expect(seen).toEqual([]);
    replies(200, "{}");
    expect(await of(base, "//evil.example/a").check(1, 1, scope())).toEqual(yes);
    expect(seen.map((r) => r.url)).toEqual(["//evil.example/a"]); // still here
  });
});

describe("by digest", () => {
  const dir = mkdtempSync(join(tmpdir(), "pawl-verifiers-"));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

  it(
    "fileVerifier says whether a file is byte for byte what was recorded, however large; one that is gone differs",
    proves("A-36"),
    async () => {
      const path = join(dir, "report.bin");
      const bytes = Buffer.alloc(300_000, 7);
      writeFileSync(path, bytes);
      const v = fileVerifier<string, { sha256: string }>({ path: (i) => i, sha256: (_i, r) => r.sha256 });
      const recorded = { sha256: sha256(bytes).toUpperCase() };
      expect(v.name).toBe("file");
      expect(await v.check(path, recorded, scope())).toEqual(yes);
      bytes[299_999] = 8;
      writeFileSync(path, bytes);
      expect(await v.check(path, recorded, scope())).toEqual(no(`its SHA-256 is ${sha256(bytes)}, not ${recorded.sha256.toLowerCase()}`));
      rmSync(path);
      expect(await v.check(path, recorded, scope())).toEqual(no("it is gone"));
      await expect(v.check(dir, recorded, scope())).rejects.toThrow("EISDIR");
      await expect(v.check(path, { sha256: "abc" }, scope())).rejects.toMatchObject({ code: "PAWL5001" });
    },
  );

  it("objectVerifier reads whole or in pieces from wherever the author says, and stops when it is told to", async () => {
    const [a, b] = [Buffer.from("one"), Buffer.from("two")];
    const recorded = sha256(Buffer.concat([a, b]));
    const of = (read: () => unknown): Promise<Answer> =>
      objectVerifier<unknown, string>({ read: read as never, sha256: (_i, r) => r }).check(1, recorded, scope());
    expect(await of(() => Buffer.concat([a, b]))).toEqual(yes);
    expect(await of(async () => [a, b])).toEqual(yes);
    expect(
      await of(async function* () {
        yield a;
        yield b;
      }),
    ).toEqual(yes);
    expect(await of(() => [b, a])).toMatchObject({ matches: false });
    expect(await of(async () => undefined)).toEqual(no("it is gone"));
    const stopped = AbortSignal.abort(new Error("enough"));
    const v = objectVerifier<unknown, string>({ read: () => [a, b], sha256: (_i, r) => r });
    await expect(v.check(1, recorded, scope(stopped))).rejects.toThrow("enough");
  });
});

describe("by row", () => {
  interface Rows {
    query(text: string, values: readonly unknown[]): Promise<readonly object[]>;
  }
  /** The author's own connection, of the driver itself. */
  const rowsOf = (tx: unknown): Rows["query"] => {
    if (tx instanceof pg.Client) return async (text, values) => (await tx.query(text, [...values])).rows as object[];
    if ("query" in (tx as object)) return async (text, values) => (await (tx as Connection).query(text, [...values]))[0] as object[];
    const handle = tx as { prepare(text: string): { all(...values: readonly unknown[]): object[] } };
    return async (text, values) => handle.prepare(text).all(...values);
  };

  it.each(databases.filter((d) => !d.missing).map((d) => [d.name, d] as const))(
    "sqlVerifier on %s wants exactly the recorded row, or none",
    proves("A-36"),
    async (name, database) => {
      const where = await database.make();
      const mine = await where.mine();
      const db = { query: rowsOf(mine.tx), mark: name === "postgres" ? "$1" : "?" };
      try {
        await mine.sql("create table account (id varchar(20), cents integer, note varchar(20))");
        await mine.sql("insert into account values ('a', 5, null)");
        const v = sqlVerifier<string, { cents: number }>({
          query: (text, values) => db.query(text, values),
          text: `select cents, note from account where id = ${db.mark}`,
          values: (i) => [i],
          row: (_i, r) => ({ cents: r.cents, note: null }),
        });
        expect(await v.check("a", { cents: 5 }, scope())).toEqual(yes);
        expect(await v.check("a", { cents: 6 }, scope())).toEqual(no("cents is 5, not 6"));
        expect(await v.check("b", { cents: 5 }, scope())).toEqual(no("there is no such row"));
        await mine.sql("insert into account values ('a', 5, null)");
        expect(await v.check("a", { cents: 5 }, scope())).toEqual(no("there are 2 rows, and should be one"));
        const none = sqlVerifier<string, unknown>({
          name: "deleted",
          query: (text, values) => db.query(text, values),
          text: `select id from account where id = ${db.mark}`,
          values: (i) => [i],
          row: () => null,
        });
        expect(await none.check("b", 1, scope())).toEqual(yes);
        expect(await none.check("a", 1, scope())).toEqual(no("there are 2 rows, and should be none"));
      } finally {
        await mine.end();
        await where.remove();
      }
    },
  );
});

it("the placeholder confirms everything, and says that it is one", proves("A-37"), async () => {
  const v = placeholderVerifier();
  expect(v.placeholder).toBe(true);
  expect(await v.check(1, 2, scope())).toEqual(yes);
});
