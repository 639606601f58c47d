// Signals over REST, JSON-RPC, the HTTP client and the command line, on real sockets: an id is optional and checked before anything is stored; a duplicate over
// any transport is answered with what was stored for the first, in the envelope of the request that asks. What is compared is the
// result, never the envelope.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { workflow } from "../../src/index.ts";
import { server, type PawlServer } from "../../src/server.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { openEngine } from "../../src/client/engine.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { killCommands } from "../cli/pawl-process.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { proves } from "../support/proves.ts";
import { type Transport, type Transports, transportsTo } from "./transports.ts";

const collect = workflow({ name: "collect", input: z.number(), signals: { go: z.any(), other: z.any() } }, async (ctx, n) => {
  const got: unknown[] = [];
  for (let i = 0; i < n; i++) got.push(await ctx.receive("go"));
  return got;
});
const fresh = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const success = { REST: 200, "JSON-RPC": 0, client: 0, CLI: 0 };

describe.each(testStores)("signals over every transport on %s", (_, open) => {
  let b: TestStore;
  let api: PawlServer;
  let t: Transports;
  let url: string;
  const serve = async (o: Parameters<typeof server>[0]): Promise<void> => {
    api = await server({ log: () => {}, ...o });
    url = (await api.listen({ port: 0 })).url;
    t = await transportsTo(url);
  };
  beforeEach(async () => {
    b = await open();
    await serve({ store: b.store, tenant: defaultScope, auth: "open" });
  });
  afterEach(async () => {
    await killCommands();
    await t.client.close();
    await api.stop();
    await b.close();
  });
  const rows = async (runId: string): Promise<number> => (await b.store.inbox({ runId, all: true })).length;
  const begin = async (id: string, input = 1): Promise<string> =>
    (await b.client().start({ workflow: "collect", input, id, allowUnknown: true })).runId;

  it(
    "signalId is an optional member: without one each request is accepted under a fresh id",
    proves("W-041", "W-043", "W-047", "W-093"),
    async () => {
      const runId = await begin("w");
      const ids = new Set<string>();
      for (const one of t.all) {
        for (let i = 0; i < 2; i++) {
          const heard = await one.signal({ to: "w", name: "go", payload: "same" });
          expect([heard.said, heard.replayed], one.name).toEqual([success[one.name], false]);
          expect(heard.result!.signalId).toMatch(fresh);
          ids.add(heard.result!.signalId);
        }
        const given = await one.signal({ to: "w", name: "go", payload: "same", signalId: `of ${one.name}` });
        expect([given.said, given.result!.signalId], one.name).toEqual([success[one.name], `of ${one.name}`]);
      }
      expect(ids.size).toBe(8);
      expect(await rows(runId)).toBe(12);
    },
  );

  it(
    "an id that is none is refused before anything is stored, in the transport's own words for bad input",
    proves("W-041", "W-048", "W-049", "W-050"),
    async () => {
      const runId = await begin("w");
      const texts = ["", "x".repeat(129), "é".repeat(65)];
      const bad: unknown[] = [...texts, 7, 0, null, {}, ["a"], true, false, "a\0b", "\ud800"];
      const refused = { REST: 422, "JSON-RPC": -32_602, client: 1, CLI: 2 };
      for (const one of t.all) {
        for (const signalId of one.name === "CLI" ? texts : bad) {
          const heard = await one.signal({ to: "w", name: "go", payload: 1, signalId });
          expect([heard.said, heard.fault?.page], `${one.name} ${JSON.stringify(signalId)}`).toEqual([refused[one.name], "PAWL4005"]);
          if (one.name === "REST") expect(heard.contentType).toBe("application/problem+json");
        }
      }
      expect(await rows(runId)).toBe(0);
      for (const [i, one] of t.all.entries())
        for (const signalId of [`${i}${"x".repeat(127)}`, `${i}${"é".repeat(63)}`])
          expect((await one.signal({ to: "w", name: "go", signalId })).result?.signalId, one.name).toBe(signalId);
      expect(await rows(runId)).toBe(8);
    },
  );

  it("ids that differ in case, spaces or Unicode form are different ids over a wire too", proves("W-052", "W-053", "W-055"), async () => {
    const runId = await begin("w");
    const ids = ["a", "A", " a", "a ", "\u00e9", "e\u0301", "\ufb01", "fi", "a:b", "a%3Ab", "../a", "a\nb"];
    for (const signalId of ids) {
      const heard = await Promise.all(t.quick.map((one) => one.signal({ to: "w", name: "go", payload: 1, signalId })));
      expect(heard.filter((h) => h.replayed === false)).toHaveLength(1);
      expect(heard.map((h) => h.result!.signalId)).toEqual([signalId, signalId, signalId]);
    }
    expect(await rows(runId)).toBe(ids.length);
  });

  it("a duplicate is one of the same workflow id, signal name and signalId", proves("W-044", "W-045", "W-046"), async () => {
    const [w, v] = [await begin("w"), await begin("v")];
    for (const one of t.all) {
      const s = { to: "w", name: "go", payload: 1, signalId: `s over ${one.name}` };
      const heard: (boolean | undefined)[] = [];
      for (const next of [s, { ...s, to: "v" }, { ...s, name: "other" }, { ...s, signalId: `${s.signalId}!` }, s])
        heard.push((await one.signal(next)).replayed);
      expect(heard, one.name).toEqual([false, false, false, false, true]);
    }
    expect([await rows(w), await rows(v)]).toEqual([12, 4]);
  });

  it("reserved characters in ids and names make no two signals one, over a wire too", proves("W-054", "W-056", "W-095"), async () => {
    const ids = ["w", "w:a", "w%3Aa", "w/a"];
    for (const id of ids) await begin(id);
    const tuples = ids.flatMap((to) =>
      ["a", "a:b", "a%3Ab"].flatMap((name) =>
        ["b", "b:c", ":c", "b%3Ac", "b%253Ac", "..", "b/c"].map((signalId) => ({ to, name, signalId })),
      ),
    );
    const keys = new Set<string>();
    for (const [i, s] of tuples.entries()) {
      const first = await t.quick[i % 3]!.signal(s);
      expect([first.replayed, first.result], JSON.stringify(s)).toEqual([
        false,
        expect.objectContaining({ workflowId: s.to, signalName: s.name, signalId: s.signalId }),
      ]);
      expect(await t.quick[(i + 1) % 3]!.signal(s), JSON.stringify(s)).toMatchObject({ replayed: true, result: first.result });
      keys.add(first.result!.signalStorageKey);
    }
    expect(keys.size).toBe(tuples.length);
  });

  it(
    "what is heard over each transport has six fields; what is stored of it has the eight of its record",
    proves("W-057 … W-064", "W-066 … W-071", "W-096"),
    async () => {
      await api.stop();
      await t.client.close();
      const { engine } = await b.engine({ workflows: [collect], signalRetention: "1m" });
      await serve({ engine, auth: "open" });
      const { runId } = await engine.start(collect, 9, { id: "w" });
      for (const one of t.all) {
        const signalId = `s:${one.name}`;
        const before = (await b.store.info()).nowMs;
        const { result } = await one.signal({ to: "w", name: "go", payload: 1, signalId });
        const signalStorageKey = `sig:default:default:default:w:go:s%3A${one.name}`;
        const acceptedAt = Date.parse(result!.acceptedAt);
        expect(result, one.name).toEqual({
          accepted: true,
          workflowId: "w",
          signalName: "go",
          signalId,
          acceptedAt: new Date(acceptedAt).toISOString(),
          signalStorageKey,
        });
        expect(acceptedAt).toBeGreaterThanOrEqual(before);
        b.advanceClock(1_000);
        const again = {
          scope: defaultScope,
          target: { runId },
          kind: "signal",
          name: "go",
          id: signalId,
          payload: "2",
          retainMs: null,
        } as const;
        expect(await b.store.post(again), one.name).toMatchObject({
          replayed: true,
          record: {
            version: 1,
            workflowId: "w",
            name: "go",
            id: signalId,
            storageKey: signalStorageKey,
            response: JSON.stringify(result),
            acceptedAt,
            expiresAt: acceptedAt + 60_000,
          },
        });
        for (const other of t.quick)
          expect((await other.signal({ to: "w", name: "go", payload: 3, signalId })).result, other.name).toEqual(result);
      }
    },
  );

  const cases: readonly (readonly [index: number, name: string, ids: readonly string[]])[] = [
    [0, "REST", ["W-088", "W-072"]],
    [1, "JSON-RPC", ["W-089", "W-072"]],
    [2, "the HTTP client", ["W-090", "W-072"]],
    [3, "the command line", ["W-072"]],
  ];
  for (const [index, name, ids] of cases) {
    it(
      `a duplicate over ${name} is answered with the stored result, in an envelope of success, and is not enqueued`,
      proves(...ids),
      async () => {
        const runId = await begin("w");
        const one = t.all[index]!;
        const first = await one.signal({ to: "w", name: "go", payload: 1, signalId: "s" });
        expect(first).toMatchObject({ said: success[one.name], replayed: false });
        const again = await one.signal({ to: "w", name: "go", payload: 2, signalId: "s" });
        expect(again).toMatchObject({ said: success[one.name], replayed: true, result: first.result });
        expect(await rows(runId)).toBe(1);
        // It is read, not made again: as a later version of the code might have stored it.
        const [row] = await b.store.inbox({ runId });
        const stored = { ...first.result!, acceptedAt: "2001-02-03T04:05:06.007Z" };
        await b.tamper({ table: "accepted", runId, at: row!.inboxId, set: { version: 2, response: JSON.stringify(stored) } });
        expect((await one.signal({ to: "w", name: "go", payload: 3, signalId: "s" })).result).toEqual(stored);
        // By runId too: it is the same signal.
        expect((await one.signal({ to: runId, name: "go", payload: 3, signalId: "s" })).result).toEqual(stored);
        expect(await rows(runId)).toBe(1);
      },
    );
  }

  it(
    "over JSON-RPC each answer has the id of its own request, duplicates too, alone and in a batch",
    proves("W-073", "W-097"),
    async () => {
      await begin("w");
      const s = { to: "w", name: "go", payload: 1, signalId: "s" };
      const first = await t.rpc("first", s);
      expect([first.id, first.replayed]).toEqual(["first", false]);
      for (const id of ["second", 7, 0, "", null, "first"]) {
        const again = await t.rpc(id, s);
        expect([again.id, again.replayed, again.result]).toEqual([id, true, first.result]);
      }
      const call = (id: unknown, signalId: string): object => ({
        jsonrpc: "2.0",
        id,
        method: "runs.signal",
        params: { id: "w", name: "go", payload: 1, signalId },
      });
      const response = await fetch(`${url}/rpc`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify([call(1, "s"), call("two", "t"), call(3, "t"), call("four", "")]),
      });
      const answers = (await response.json()) as {
        id: unknown;
        result?: { replayed: boolean; result: unknown };
        error?: { code: number };
      }[];
      expect(answers.map((a) => [a.id, a.result?.replayed ?? a.error?.code])).toEqual([
        [1, true],
        ["two", false],
        [3, true],
        ["four", -32_602],
      ]);
      expect(answers[0]!.result!.result).toEqual(first.result);
      expect(answers[2]!.result!.result).toEqual(answers[1]!.result!.result);
    },
  );

  it(
    "whichever transport was first, every other is answered with the same result",
    proves("W-072", "W-098", "W-065", "W-074"),
    async () => {
      const runId = await begin("w");
      for (const one of t.all) {
        const s = { to: "w", name: "go", signalId: `first over ${one.name}` };
        const first = await one.signal({ ...s, payload: one.name });
        expect(first.replayed).toBe(false);
        const others = await Promise.all(t.all.map((other) => other.signal({ ...s, payload: `again over ${other.name}` })));
        for (const [i, other] of others.entries()) {
          expect(other, t.all[i]!.name).toMatchObject({ said: success[t.all[i]!.name], replayed: true });
          expect(other.result).toEqual(first.result);
        }
        expect(first.result).toEqual((await b.client().signal("w", "go", "in process", { signalId: s.signalId })).result);
      }
      expect(await rows(runId)).toBe(4);
    },
  );

  it("of 100 equal requests at once, over all transports, one is enqueued and all hear the same", proves("W-075", "W-091"), async () => {
    const runId = await begin("w");
    const senders: Transport[] = Array.from({ length: 96 }, (_, i) => t.quick[i % 3]!).concat(Array(4).fill(t.all[3]!) as Transport[]);
    const heard = await Promise.all(senders.map((one, i) => one.signal({ to: "w", name: "go", payload: `from ${i}`, signalId: "same" })));
    expect(heard.filter((h) => h.fault !== undefined)).toEqual([]);
    expect(heard.filter((h) => h.replayed === false)).toHaveLength(1);
    expect(new Set(heard.map((h) => JSON.stringify(h.result))).size).toBe(1);
    expect(await rows(runId)).toBe(1);
  });

  it(
    "SignalAcceptanceIndeterminate is 409, -32009, a typed error, exit code 5: with the ids and a correlation id, never with the payload",
    proves("W-078", "W-082", "W-083", "W-084", "W-085", "W-086", "W-087", "W-099"),
    async () => {
      const runId = await begin("w");
      const secret = "card 4111-1111";
      const said = { REST: 409, "JSON-RPC": -32_009, client: 1, CLI: 5 };
      for (const one of t.all) {
        const s = { to: "w", name: "go", payload: { secret }, signalId: `s over ${one.name}` };
        const { result } = await one.signal(s);
        await b.forgetAccepted(result!.signalStorageKey);
        const correlations = new Set<unknown>();
        for (const to of ["w", "w", runId]) {
          const heard = await one.signal({ ...s, to });
          expect([heard.said, heard.fault?.code], one.name).toEqual([said[one.name], "SignalAcceptanceIndeterminate"]);
          if (one.name !== "CLI") expect([heard.fault?.page, heard.fault?.outcome]).toEqual(["PAWL4004", "unknown"]);
          expect(heard.fault!.data).toMatchObject({
            workflowId: "w",
            signalName: "go",
            signalId: s.signalId,
            correlationId: expect.stringMatching(fresh),
            retryable: false,
          });
          if (one.name === "REST") expect(JSON.parse(heard.text)).toMatchObject({ status: 409, retryable: false });
          if (one.name === "JSON-RPC") expect(JSON.parse(heard.text)).toMatchObject({ error: { data: { status: 409, retryable: false } } });
          expect(heard.text, one.name).not.toContain("4111-1111");
          correlations.add(heard.fault!.data["correlationId"]);
        }
        expect(correlations.size).toBe(3);
        // Once somebody has looked, it is a first request again.
        await b.releaseKey(result!.signalStorageKey);
        expect((await one.signal(s)).replayed, one.name).toBe(false);
      }
      expect(await rows(runId)).toBe(8);
    },
  );

  it("when its record's time is over a signal is a new one, and not a moment before", proves("W-081", "W-094"), async () => {
    await api.stop();
    await t.client.close();
    const { engine } = await b.engine({ workflows: [collect], signalRetention: "1m" });
    await serve({ engine, auth: "open" });
    const h = await engine.start(collect, 2, { id: "w" });
    const first = await t.quick[0]!.signal({ to: "w", name: "go", payload: "one", signalId: "s" });
    b.advanceClock(59_000);
    for (const one of t.quick) {
      const early = await one.signal({ to: "w", name: "go", payload: "early", signalId: "s" });
      expect([early.replayed, early.result], one.name).toEqual([true, first.result]);
    }
    b.advanceClock(1_000);
    const late = await t.quick[1]!.signal({ to: "w", name: "go", payload: "two", signalId: "s" });
    expect([late.replayed, late.result!.acceptedAt > first.result!.acceptedAt]).toEqual([false, true]);
    for (const one of t.all) {
      const again = await one.signal({ to: "w", name: "go", payload: "three", signalId: "s" });
      expect([again.replayed, again.result], one.name).toEqual([true, late.result]);
    }
    expect(await h.result()).toEqual(["one", "two"]);
  });

  it(
    "known ids are answered first: after the run has ended, and with a payload that no longer fits",
    proves("W-051", "W-080"),
    async () => {
      await api.stop();
      await t.client.close();
      const strict = workflow({ name: "strict", signals: { go: z.object({ n: z.number() }) } }, async (ctx) => ctx.receive("go"));
      const { engine } = await b.engine({ workflows: [strict] });
      await serve({ engine, auth: "open" });
      const h = await engine.start(strict, undefined, { id: "w" });
      const misfit = { REST: 422, "JSON-RPC": -32_602, client: 1, CLI: 2 };
      const ended = { REST: 409, "JSON-RPC": -32_009, client: 1, CLI: 5 };
      for (const one of t.all) {
        const bad = await one.signal({ to: "w", name: "go", payload: { n: "x" }, signalId: "bad" });
        expect([bad.said, bad.fault?.page], one.name).toEqual([misfit[one.name], "PAWL1008"]);
        const undeclared = await one.signal({ to: "w", name: "nope", payload: 1, signalId: "bad" });
        expect([undeclared.said, undeclared.fault?.page], one.name).toEqual([misfit[one.name], "PAWL1016"]);
      }
      expect(await rows(h.runId)).toBe(0);
      const first = await t.quick[0]!.signal({ to: "w", name: "go", payload: { n: 1 }, signalId: "s" });
      expect(await h.result()).toEqual({ n: 1 });
      for (const one of t.all) {
        const again = await one.signal({ to: "w", name: "go", payload: { n: "x" }, signalId: "s" });
        expect([again.said, again.replayed, again.result], one.name).toEqual([success[one.name], true, first.result]);
        const late = await one.signal({ to: "w", name: "go", payload: { n: 2 }, signalId: "late" });
        expect([late.said, late.fault?.page], one.name).toEqual([ended[one.name], "PAWL4003"]);
      }
    },
  );
});

it("a server on a store without conditionalBatch refuses signals at once and stores nothing", proves("W-076"), async () => {
  const platform = systemPlatform();
  const store = memoryStore(platform, { capabilities: { conditionalBatch: false } });
  const { engine } = await openEngine(
    { platform, log: () => {}, open: async () => store },
    { store, workflows: [collect], checkpointOwnership: "single-owner" },
  );
  const api = await server({ engine, auth: "open", log: () => {} });
  const t = await transportsTo((await api.listen({ port: 0 })).url);
  try {
    const { runId } = await engine.start(collect, 1, { id: "w" });
    const said = { REST: 500, "JSON-RPC": -32_603, client: 1, CLI: 10 };
    for (const one of t.all) {
      const heard = await one.signal({ to: "w", name: "go", payload: 1, signalId: "s" });
      expect([heard.said, heard.fault?.code], one.name).toEqual([said[one.name], "CheckpointOwnershipCapabilityError"]);
    }
    expect(await store.inbox({ runId, all: true })).toEqual([]);
  } finally {
    await killCommands();
    await t.client.close();
    await api.stop();
    await engine.stop();
  }
});
