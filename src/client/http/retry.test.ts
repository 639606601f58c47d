// Proves when a request is sent again, and what is said when it is not: reads and writes with an id while the trouble may pass, other writes never. The
// network and the clock are the test's own; time passes only while everybody waits.
import { describe, expect, it } from "vitest";
import { encode } from "../../codec/value.ts";
import { PawlError } from "../../errors/error.ts";
import { toProblem } from "../../api/problem.ts";
import type { WebPlatform } from "../../platform/web.ts";
import { httpClient } from "./client.ts";
import type { TokenSource } from "./target.ts";

const exact = "application/vnd.pawl+json";
interface Seen {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Record<string, unknown> | undefined;
}
type Script = (seen: Seen, n: number) => Response | Error | "silence";

function world(script: Script): { web: WebPlatform; seen: Seen[] } {
  let now = 0;
  let timers: { at: number; fire: () => void }[] = [];
  const seen: Seen[] = [];
  const advance = (): void => {
    const [next] = timers.toSorted((a, b) => a.at - b.at);
    if (next === undefined) return;
    timers = timers.filter((t) => t !== next);
    now = Math.max(now, next.at);
    next.fire();
  };
  const web: WebPlatform = {
    fetch: (url, init) => {
      const { pathname, search } = new URL(url);
      const body = init.body === undefined || init.body === null ? undefined : (JSON.parse(init.body as string) as Record<string, unknown>);
      const request = {
        at: now,
        method: init.method ?? "",
        path: pathname + search,
        headers: init.headers as Record<string, string>,
        body,
      };
      seen.push(request);
      const answer = script(request, seen.length);
      return new Promise((resolve, reject) => {
        init.signal?.addEventListener("abort", () => reject(init.signal!.reason as Error));
        if (init.signal?.aborted === true) reject(init.signal.reason as Error);
        if (answer === "silence") return;
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      });
    },
    monotonicMs: () => now,
    wallMs: () => Date.UTC(2026, 0, 1) + now,
    random: () => 0.5,
    uuidV4: () => `id-${seen.length}`,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const timer = { at: now + ms, fire: resolve };
        timers.push(timer);
        signal?.addEventListener("abort", () => {
          timers = timers.filter((t) => t !== timer);
          reject(signal.reason as Error);
        });
        setImmediate(() => setImmediate(advance));
      }),
  };
  return { web, seen };
}

const connect = (web: WebPlatform, token?: TokenSource): ReturnType<typeof httpClient> =>
  httpClient({ url: "http://127.0.0.1:7350/pawl/", ...(token === undefined ? {} : { token }) }, web);
const ok = (value: unknown, status = 200): Response =>
  new Response(encode(value, { valueBytesMax: 1e9, depthMax: 64 }, "x"), { status, headers: { "content-type": exact } });
const problem = (e: PawlError, status: number, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(toProblem(e)), { status, headers: { "content-type": "application/problem+json", ...headers } });
const page = (status: number, headers: Record<string, string> = {}): Response =>
  new Response("<html>a proxy's page", { status, headers: { "content-type": "text/html", ...headers } });
const network = (code: string): Error => new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
const started = { runId: "r", workflowId: "w", created: true, replayed: false, served: true };
const failure = (p: Promise<unknown>): Promise<PawlError> =>
  p.then(
    () => expect.unreachable("it succeeded"),
    (e: unknown) => e as PawlError,
  );

describe("what is sent again", () => {
  it("a write with an id, under the same id, until it is answered", async () => {
    const troubles = [network("ECONNRESET"), page(502), page(503), page(504), page(429), "silence"] as const;
    const { web, seen } = world((_, n) => troubles[n - 1] ?? ok(started, 201));
    expect(await connect(web).start({ workflow: "w", input: 1n })).toMatchObject({ runId: "r", workflowId: "w", created: true });
    expect(seen.length).toBe(7);
    expect(new Set(seen.map((s) => s.body?.["idempotencyKey"]))).toEqual(new Set(["id-0"]));
    expect(seen[0]).toMatchObject({
      method: "POST",
      path: "/pawl/v1/runs",
      headers: { "content-type": exact },
      body: { workflow: "w", input: { $pawl: ["bigint", "1"] } },
    });
  });

  it("a restart whose old run is still ending, under the same key, until it has started", async () => {
    const ending = { ending: "old", workflowId: "w", pending: true };
    const { web, seen } = world((_, n) => (n < 4 ? ok(ending, 202) : ok(started, 201)));
    const restart = { workflow: "w", id: "w", onConflict: "restart", reason: "why" } as const;
    expect(await connect(web).start(restart)).toEqual(started);
    expect(seen.length).toBe(4);
    expect(new Set(seen.map((s) => s.body?.["idempotencyKey"])).size).toBe(1);
    const never = world(() => ok(ending, 202));
    const e = await failure(connect(never.web).start(restart, { timeoutMs: 1_000 }));
    expect([e.page, e.data]).toEqual(["PAWL4006", { runId: "old", workflowId: "w" }]);
  });

  it("after 30 seconds it ends as unknown: it may have arrived", async () => {
    const { web, seen } = world(() => network("ECONNRESET"));
    const e = await failure(connect(web).signal("o", "go", 1));
    expect([e.page, e.outcome, e.data["reason"]]).toEqual(["PAWL4088", "unknown", "ECONNRESET"]);
    expect(seen.at(-1)!.at).toBeGreaterThan(25_000);
    expect(seen.at(-1)!.at).toBeLessThan(30_000);
    expect(new Set(seen.map((s) => s.body?.["signalId"]))).toEqual(new Set(["id-0"]));
  });

  it("who asked is told once for each request that is sent again, and never for one that is sent once", async () => {
    const { web } = world(() => network("ECONNREFUSED"));
    const told: string[] = [];
    const client = httpClient({ url: "http://127.0.0.1:7350", onRetry: (e) => told.push(e.message) }, web);
    await failure(client.get("o"));
    await failure(client.start({ workflow: "w" }));
    await failure(client.tokens.revoke("t", { reason: "why" }));
    expect(told).toEqual(Array(2).fill("http://127.0.0.1:7350 did not answer: ECONNREFUSED"));
  });

  it("where nobody listened, nothing was done", async () => {
    const { web } = world(() => network("ECONNREFUSED"));
    expect(await failure(connect(web).start({ workflow: "w" }))).toMatchObject({ page: "PAWL4088", outcome: "none" });
  });

  it("a certificate that is not accepted is said at once: nothing was sent, and nothing will change", async () => {
    for (const code of [
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      "CERT_HAS_EXPIRED",
      "ERR_TLS_CERT_ALTNAME_INVALID",
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    ]) {
      const { web, seen } = world(() => network(code));
      const e = await failure(connect(web).start({ workflow: "w" }));
      expect([e.page, e.outcome, e.data["reason"], seen.length]).toEqual(["PAWL4088", "none", code, 1]);
    }
  });

  it("a refusal at the door does not say what became of an earlier try", async () => {
    const { web } = world((_, n) => (n === 1 ? network("ECONNRESET") : problem(new PawlError("PAWL4080", "expired"), 401)));
    expect(await failure(connect(web).start({ workflow: "w" }))).toMatchObject({ page: "PAWL4080", outcome: "unknown" });
    const later = world((_, n) => (n === 1 ? network("ECONNRESET") : problem(new PawlError("PAWL4002", "taken"), 409)));
    expect(await failure(connect(later.web).start({ workflow: "w" }))).toMatchObject({ page: "PAWL4002", outcome: "none" });
  });

  it("a write without an id never is", async () => {
    for (const trouble of [network("ECONNRESET"), page(503), "silence"] as const) {
      const { web, seen } = world(() => trouble);
      const e = await failure(connect(web).webhooks.pause("shop"));
      expect([e.page, e.outcome, seen.length]).toEqual(["PAWL4088", "unknown", 1]);
    }
  });

  it("a read, and it never ends as unknown", async () => {
    const { web, seen } = world((_, n) => (n < 5 ? network("ECONNRESET") : ok({ items: [] })));
    expect(await connect(web).list({ status: ["FAILED"], tags: { a: "b" } })).toEqual({ runs: [] });
    expect(seen.map((s) => s.path)).toEqual(Array(5).fill("/pawl/v1/runs?status=FAILED&tags.a=b"));
    const down = world(() => network("ECONNRESET"));
    expect(await failure(connect(down.web).list())).toMatchObject({ page: "PAWL4088", outcome: "none" });
  });

  it("not before the server wants it: Retry-After, in seconds or as a date", async () => {
    const after = [{ "retry-after": "7" }, { "retry-after": "Thu, 01 Jan 2026 00:00:20 GMT" }];
    const busy = new PawlError("PAWL4084", "too many");
    const { web, seen } = world((_, n) => (n <= 2 ? problem(busy, 429, after[n - 1]) : ok(started)));
    await connect(web).start({ workflow: "w" });
    expect(seen.map((s) => s.at)).toEqual([0, 7_000, 20_000]);
    const long = world(() => problem(busy, 429, { "retry-after": "600" }));
    expect(await failure(connect(long.web).start({ workflow: "w" }))).toMatchObject({ page: "PAWL4084", outcome: "none" });
    expect(long.seen.length).toBe(1);
  });

  it("not what the server calls final", async () => {
    for (const [e, status] of [
      [new PawlError("PAWL4002", "taken", { data: { runId: "r" } }), 409],
      [new PawlError("PAWL3013", "damaged"), 503],
      [new PawlError("PAWL4006", "late"), 504],
      [new PawlError("PAWL5010", "unexpected", { outcome: "unknown" }), 500],
    ] as const) {
      const { web, seen } = world(() => problem(e, status));
      expect(await failure(connect(web).start({ workflow: "w" }))).toMatchObject({ page: e.page, outcome: e.outcome });
      expect(seen.length, e.page).toBe(1);
    }
  });
});

describe("tokens", () => {
  it("a function is asked for each request, and once more when its token is refused", async () => {
    const { web, seen } = world((s) =>
      s.headers["authorization"] === "Bearer new" ? ok({ items: [] }) : problem(new PawlError("PAWL4080", "no"), 401),
    );
    const tokens = ["old", "new", "new"];
    const client = connect(web, () => Promise.resolve(tokens.shift()!));
    await client.list();
    await client.list();
    expect(seen.map((s) => s.headers["authorization"])).toEqual(["Bearer old", "Bearer new", "Bearer new"]);
    const never = world(() => problem(new PawlError("PAWL4080", "no"), 401));
    expect(await failure(connect(never.web, "fixed").list())).toMatchObject({ page: "PAWL4080" });
    expect(never.seen.length).toBe(1);
  });

  it("one that is no header is refused without showing it", async () => {
    const { web, seen } = world(() => ok({ items: [] }));
    const e = await failure(connect(web, "secret\nx").list());
    expect([e.page, e.message.includes("secret"), seen.length]).toEqual(["PAWL4011", false, 0]);
  });
});

describe("addresses", () => {
  it.each([
    ["http://pawl.example.com", "PAWL5042"],
    ["http://10.0.0.1:7350", "PAWL5042"],
    ["http://127.0.0.1.example.com", "PAWL5042"],
    ["ftp://127.0.0.1", "PAWL4011"],
    ["sqlite:x.db", "PAWL4011"],
    ["nothing", "PAWL4011"],
    ["https://user:secret@pawl.example.com", "PAWL4011"],
    ["https://pawl.example.com/?token=secret", "PAWL4011"],
  ])("%s is refused (%s), without its secret", (url, code) => {
    const { web } = world(() => ok({}));
    try {
      httpClient({ url }, web);
      expect.unreachable("it was accepted");
    } catch (e) {
      expect([(e as PawlError).page, (e as PawlError).message.includes("secret")]).toEqual([code, false]);
    }
  });

  it.each(["https://pawl.example.com", "http://localhost:7350", "http://[::1]:1", "http://127.9.9.9", "http://app.localhost"])(
    "%s is accepted",
    (url) => {
      expect(() => httpClient({ url }, world(() => ok({})).web)).not.toThrow();
    },
  );
});

describe("waiting", () => {
  it("is long polls of the run that it began with, until the caller's time is over", async () => {
    const { web, seen } = world(() => ok({ runId: "r-1", pending: true }, 202));
    const slow = {
      ...web,
      fetch: async (url: string, init: RequestInit) => (
        await web.sleep(Number(/wait=([\d.]+)/.exec(url)![1]) * 1000),
        web.fetch(url, init)
      ),
    };
    const e = await failure(connect(slow).waitForEnd("order/1", { timeoutMs: 60_000 }));
    expect([e.page, e.data]).toEqual(["PAWL4006", { runId: "r-1" }]);
    expect(seen.map((s) => s.path)).toEqual([
      "/pawl/v1/runs/~b3JkZXIvMQ/result?wait=25",
      "/pawl/v1/runs/r-1/result?wait=25",
      "/pawl/v1/runs/r-1/result?wait=10",
    ]);
  });

  it("survives a server that is away, for as long as the caller waits", async () => {
    const { web, seen } = world((s) => (s.at < 120_000 ? network("ECONNREFUSED") : ok({ runId: "r", status: "COMPLETED", result: 5n })));
    expect(await connect(web).waitForEnd("r", { timeoutMs: 600_000 })).toEqual({ runId: "r", status: "COMPLETED", result: 5n });
    expect(seen.length).toBeGreaterThan(50);
  });

  it("ends when the caller aborts it, or the client is closed", async () => {
    const { web } = world(() => "silence");
    const client = connect({ ...web, sleep: () => new Promise(() => {}) });
    const stop = new AbortController();
    const waiting = failure(client.update("r", "set", 1, { signal: stop.signal } as object));
    stop.abort(new Error("enough"));
    expect((await waiting).message).toBe("enough");
    const open = failure(client.waitForEnd("r"));
    await client.close();
    expect(await open).toMatchObject({ page: "PAWL4088" });
    expect(await failure(client.list())).toMatchObject({ page: "PAWL4088" });
  });

  it("a control is waited for as long as its caller says, under one id; an answer before its time is taken as it is", async () => {
    const run = { runId: "r", status: "RUNNING" };
    const { web, seen } = world((_, n) =>
      ok({ state: n < 3 ? "posted" : "applied", run, requestId: "id-0", replayed: n > 1 }, n < 3 ? 202 : 200),
    );
    const waits = (init: RequestInit): number => Number((JSON.parse(init.body as string) as { wait: number }).wait);
    const slow = { ...web, fetch: async (url: string, init: RequestInit) => (await web.sleep(waits(init) * 1000), web.fetch(url, init)) };
    expect(await connect(slow).control("r", "cancel", { timeoutMs: 60_000 })).toMatchObject({ state: "applied", replayed: false });
    expect(seen.map((s) => s.body?.["wait"])).toEqual([25, 25, 10]);
    expect(new Set(seen.map((s) => s.body?.["requestId"]))).toEqual(new Set(["id-0"]));
    const quick = world(() => ok({ state: "posted", run, requestId: "id-0", replayed: false }, 202));
    expect(await connect(quick.web).control("r", "cancel")).toMatchObject({ state: "posted" });
    expect(quick.seen.map((s) => s.body?.["wait"])).toEqual([5]);
  });

  it("an update that is not answered yet is asked for again under its id", async () => {
    const { web, seen } = world((_, n) =>
      n < 3 ? ok({ updateId: "u", pending: true }, 202) : ok({ updateId: "u", answer: new Map([[1, undefined]]) }),
    );
    expect(await connect(web).update("r", "set", undefined)).toEqual(new Map([[1, undefined]]));
    expect(new Set(seen.map((s) => s.body?.["updateId"]))).toEqual(new Set(["id-0"]));
  });
});

describe("what cannot travel", () => {
  it("is refused before anything is sent", async () => {
    const { web, seen } = world(() => ok({}));
    const client = connect(web);
    const tx = {} as never;
    const refused: (() => unknown)[] = [
      () => client.start({ workflow: "w", tx }),
      () => client.signal("r", "go", 1, { tx }),
      () => client.evidence("r", { key: "k" } as never),
      () => client.webhooks.add({ url: "https://h", secret: "whsec_x" }),
      () => client.webhooks.rotate("shop", { secret: "whsec_x" }),
      () => client.webhooks.test("shop", { allowPrivate: true }),
      () => client.webhooks.deliver(),
      () => client.subscribe({} as never),
      () => client.unsubscribe("c"),
      () => client.project(),
      () => client.rebuild(),
      () => client.stream("s"),
      () => client.producer({} as never),
      () => client.clearRejection("r", "k"),
      () => client.hold("r", {} as never),
      () => client.release("r", {} as never),
      () => client.holds(),
      () => client.applyRetention({}),
      () => client.exportRuns(),
      () => client.undoExport("x"),
      () => client.importRuns(() => [] as never),
      () => client.verifyStore(),
      () => client.repairStore(),
    ];
    for (const verb of refused) expect(await failure((async () => verb())())).toMatchObject({ page: "PAWL4086", outcome: "none" });
    expect(seen).toEqual([]);
  });
});
