// The audit log on every store: written before the operation begins, or else the operation is not done; found by run, time and ids; folded where
// there is much of one kind, whole after lost answers, and every change of it noticed.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Scope } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import type { FullStore } from "../store/full-store.ts";
import type { KvTable, KvWrite } from "../store/reader-store.ts";
import { testStores, type TestStore } from "../../test/support/test-store.ts";
import { proves } from "../../test/support/proves.ts";
import { AuditLog } from "./audit-log.ts";
import { readAudit } from "./audit-read.ts";
import { auditKeepMsMin, removeOldAudit } from "./audit-retention.ts";
import { auditCollections, type AuditRow } from "./audit-rows.ts";
import { loggedHeads, verifyAudit } from "./audit-verify.ts";

const acme: Scope = { tenantId: "acme", projectId: "shop", environmentId: "live" };
const rival: Scope = { tenantId: "rival", projectId: "shop", environmentId: "live" };
const ann = { kind: "person", subject: "ann" } as const;
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe.each(testStores)("on %s", { timeout: 60_000 }, (_, make) => {
  let b: TestStore;
  let logged: string[];
  beforeEach(async () => {
    b = await make();
    logged = [];
  });
  afterEach(() => b.close());
  const open = (scope: Scope = acme, store: FullStore = b.store, aheadMs: () => number = () => 0): AuditLog =>
    new AuditLog({
      store,
      platform: { ...b.platform, wallMs: () => b.platform.wallMs() + aheadMs() },
      scope,
      log: (_level, message) => void logged.push(message),
    });
  const read = async (q = {}, scope: Scope = acme) => (await readAudit(b.store, scope, q)).records;
  const { rows: rowsOf, ...others } = auditCollections(acme);
  const stored = (): Promise<readonly { key: string; value: string }[]> => b.store.kv.list({ collection: rowsOf, limit: 5_000 });
  /** A store whose puts do something else first. */
  const withPut = (put: (writes: readonly KvWrite[], real: KvTable["put"]) => ReturnType<KvTable["put"]>): FullStore => {
    const real: KvTable["put"] = (w) => b.store.kv.put(w);
    return { ...b.store, kv: { put: (w) => put(w, real), get: (c, k) => b.store.kv.get(c, k), list: (q) => b.store.kv.list(q) } };
  };

  it("a granted operation is on record before it begins, and its outcome follows", proves("P-27"), async () => {
    const log = open();
    const requestId = "5d3c2d3e-0f0a-4c6e-9a3b-1f2e3d4c5b6a";
    const act = {
      operation: "runs.terminate",
      principal: ann,
      role: "operator",
      tokenId: "t1",
      runId: "r/1",
      reason: "stuck",
      requestId,
    } as const;
    const begun = await log.begin(act);
    expect(begun.policyDecisionId).toMatch(uuid4);
    const [before] = await read();
    expect(before).toMatchObject({ ...act, decision: "granted", policyDecisionId: begun.policyDecisionId });
    expect(before).not.toHaveProperty("outcome");
    begun.end(200);
    begun.end(500, "PAWL5010");
    await log.close();
    expect(await read()).toMatchObject([{ operation: "runs.terminate", outcome: { status: 200 } }]);
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(before?.at ?? "")); // records of one millisecond have no order
    const other = await open().begin({ operation: "engines.drain", principal: ann, target: "e1" });
    for (const q of [{ run: "r/1" }, { id: begun.policyDecisionId }, { id: requestId }, { run: "r/1", subject: "ann" }])
      expect(await read(q), JSON.stringify(q)).toMatchObject([{ operation: "runs.terminate", outcome: { status: 200 } }]);
    expect((await read({ subject: "ann" })).map((r) => r.operation)).toEqual(["engines.drain", "runs.terminate"]);
    expect(await read({ subject: "bob" })).toEqual([]);
    expect(await read({ until: before?.at })).toEqual([]);
    expect((await read({ since: before?.at })).at(-1)?.policyDecisionId).toBe(begun.policyDecisionId);
    expect(await read({ id: other.policyDecisionId })).toHaveLength(1);
    expect(await read({}, rival), "another tenant").toEqual([]);
    expect(await verifyAudit(b.store, acme)).toMatchObject({ ok: true, records: 3, chains: 2 });
  });

  it("what cannot be recorded is refused; a lost answer is looked up, and the chain stays whole", proves("P-27"), async () => {
    let fault: "none" | "before" | "after" | "late" = "before";
    let late: (() => Promise<unknown>) | undefined;
    const store = withPut(async (writes, real) => {
      if (fault === "before") throw new PawlError("PAWL3002", "refused", { outcome: "none" });
      if (fault === "late") {
        late ??= () => real(writes);
        throw new PawlError("PAWL3001", "no answer", { outcome: "unknown" });
      }
      const answer = await real(writes);
      if (fault === "after") throw new PawlError("PAWL3001", "the answer was lost", { outcome: "unknown" });
      return answer;
    });
    const log = open(acme, store);
    await expect(log.begin({ operation: "a" })).rejects.toMatchObject({ page: "PAWL4094", outcome: "none" });
    expect(await stored()).toEqual([]);
    fault = "after";
    (await log.begin({ operation: "b" })).end(200);
    fault = "late";
    await expect(log.begin({ operation: "c" })).rejects.toMatchObject({ page: "PAWL4094" });
    fault = "none";
    // The first try of c lands now, after everything was given up.
    expect(await late?.()).toMatchObject({ kind: "put" });
    (await log.begin({ operation: "d" })).end(200);
    await log.close();
    expect((await read()).map((r) => [r.operation, r.outcome?.status])).toEqual([
      ["d", 200],
      ["c", 503],
      ["b", 200],
    ]);
    expect(await verifyAudit(b.store, acme)).toMatchObject({ ok: true, chains: 1 });
  });

  it("what waits while something is being written is written before the log is closed", async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let puts = 0;
    const log = open(
      acme,
      withPut(async (writes, real) => {
        if (++puts === 1) await held;
        return real(writes);
      }),
    );
    const begun = log.begin({ operation: "first" });
    log.denied({ operation: "second" }, 403, "PAWL4081");
    const closed = log.close();
    release();
    (await begun).end(200);
    await closed;
    expect((await read()).map((r) => r.operation)).toEqual(["second", "first"]);
  });

  it("many at a time go together, in one chain without gaps", async () => {
    let puts = 0;
    const log = open(
      acme,
      withPut((writes, real) => (puts++, real(writes))),
    );
    const begun = await Promise.all(Array.from({ length: 250 }, (_, n) => log.begin({ operation: "runs.cancel", runId: `r${n % 7}` })));
    for (const o of begun) o.end(202);
    await log.close();
    expect(puts).toBeLessThan(12);
    expect(new Set(begun.map((o) => o.policyDecisionId)).size).toBe(250);
    const seen: string[] = [];
    for (let cursor: string | undefined, n = 0; n === 0 || cursor !== undefined; n++) {
      const page = await readAudit(b.store, acme, { limit: 60, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.records.map((r) => r.policyDecisionId ?? ""));
      expect(page.records.every((r) => r.outcome?.status === 202)).toBe(true);
      cursor = page.cursor;
    }
    expect(seen.toSorted()).toEqual(begun.map((o) => o.policyDecisionId).toSorted());
    expect((await read({ run: "r3", limit: 1_000 })).length).toBe(36);
    expect(await verifyAudit(b.store, acme)).toMatchObject({ ok: true, records: 500, chains: 1 });
  });

  it(
    "refusals and reads are counted per minute, however many runs are probed; nothing of a credential is kept",
    proves("P-48"),
    async () => {
      const log = open();
      const token = `pawl_${"a".repeat(12)}${"S".repeat(43)}${"c".repeat(6)}`;
      for (let n = 0; n < 50; n++) log.denied({ operation: "runs.cancel", principal: ann, runId: "r1" }, 403, "PAWL4081");
      for (let n = 0; n < 30; n++) log.read({ operation: "runs.result", principal: ann, runId: "r1" });
      for (let n = 0; n < 5_000; n++) log.denied({ operation: "runs.get", runId: `guess-${n}` }, 401, "PAWL4080");
      await log.begin({
        operation: "tokens.revoke",
        principal: ann,
        target: token,
        reason: `leaked ${token} eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.`,
      });
      await log.close();
      const records = await read({ run: "r1", limit: 1_000 });
      expect(records.find((r) => r.operation === "runs.cancel")).toMatchObject({
        decision: "denied",
        times: 50,
        runId: "r1",
        outcome: { status: 403, code: "PAWL4081" },
      });
      expect(records.find((r) => r.operation === "runs.result")).toMatchObject({ decision: "granted", times: 30 });
      expect((await stored()).length).toBeLessThanOrEqual(1_010);
      const all = JSON.stringify([await stored(), await b.store.kv.list({ collection: others.byId, limit: 1_000 })]);
      expect(all).not.toMatch(/SSSS|eyJhb/);
      expect(await verifyAudit(b.store, acme)).toMatchObject({ ok: true });
    },
  );

  it("a changed byte, a removed record, a cut end, a hidden row and a forged record are found", proves("P-48"), async () => {
    const log = open();
    for (let n = 1; n <= 6; n++) (await log.begin({ operation: "runs.pause", principal: ann, runId: "r1", reason: `n${n}` })).end(200);
    await log.close();
    expect((await verifyAudit(b.store, acme)).ok).toBe(true);
    const heads = loggedHeads(logged.join("\n"));
    expect(heads).toHaveLength(1);
    const kinds = async (): Promise<string[]> => [...new Set((await verifyAudit(b.store, acme)).findings.map((f) => f.kind))];
    const all = await stored();
    const byRun = await b.store.kv.list({ collection: others.byRun, limit: 100 });
    const [head] = await b.store.kv.list({ collection: others.heads, limit: 1 });
    const put = (collection: string, key: string, value: string | null) => b.store.kv.put([{ collection, key, value }]);
    // A row that was taken away and put again has version 1, as if it had never been touched.
    const replace = async (key: string, value: string): Promise<void> => {
      await put(rowsOf, key, null);
      await put(rowsOf, key, value);
    };
    for (const [n, { key, value }] of all.entries()) {
      const changed = value.replace('"at":', '"by":"x","at":');
      await replace(key, changed);
      expect(await kinds(), `record ${n} changed`).toEqual(["changed"]);
      await put(rowsOf, key, null);
      expect(
        (await kinds()).some((k) => k === (n === 0 ? "cut" : "removed")),
        `record ${n} removed`,
      ).toBe(true);
      await replace(key, value);
      expect(await kinds(), `record ${n} as it was`).toEqual([]);
    }
    for (const { key } of all.slice(0, 3)) await put(rowsOf, key, null);
    expect(await kinds(), "a cut end").toEqual(["cut"]);
    // A hand that also writes the head again is found by what was logged elsewhere.
    const last = JSON.parse(all[2]?.value ?? "") as AuditRow;
    await put(others.heads, last.chain, JSON.stringify({ seq: last.seq - 1, link: last.prev, at: last.at }));
    expect(await kinds()).toEqual([]);
    expect((await verifyAudit(b.store, acme, heads)).findings).toMatchObject([{ kind: "cut" }]);
    for (const { key, value } of all.slice(0, 3)) await replace(key, value);
    await put(others.heads, last.chain, head?.value ?? "");
    expect(await kinds()).toEqual([]);

    await put(others.byRun, byRun[2]?.key ?? "", null);
    expect(await kinds(), "hidden from listings").toEqual(["hidden"]);
    await put(others.byRun, byRun[2]?.key ?? "", "1");
    await put(others.heads, last.chain, null);
    expect(await kinds(), "no head").toContain("cut");
    await put(others.heads, last.chain, head?.value ?? "");
    for (const { key } of all) await put(rowsOf, key, null);
    expect(await kinds(), "all records").toEqual(["cut"]);
  });

  it("records are kept for seven years, then removed; what is left is whole, and less is refused", proves("P-48", "P-27"), async () => {
    const dayMs = 86_400_000;
    const old = open(acme, b.store, () => -2_558 * dayMs);
    (await old.begin({ operation: "runs.cancel", runId: "old" })).end(200);
    await old.close();
    let aheadMs = -2_558 * dayMs;
    const both = open(acme, b.store, () => aheadMs);
    (await both.begin({ operation: "runs.cancel", runId: "old" })).end(200);
    await both.flush();
    aheadMs = -2_556 * dayMs;
    (await both.begin({ operation: "runs.cancel", runId: "kept" })).end(200);
    await both.close();
    await expect(removeOldAudit(b.store, acme, auditKeepMsMin - 1)).rejects.toMatchObject({ page: "PAWL5001" });
    expect((await read()).length).toBe(3);
    expect(await removeOldAudit(b.store, acme)).toBe(4);
    expect(await removeOldAudit(b.store, acme)).toBe(0);
    expect(await read({ run: "old" })).toEqual([]);
    expect(await read()).toMatchObject([{ runId: "kept", outcome: { status: 200 } }]);
    expect(await verifyAudit(b.store, acme)).toMatchObject({ ok: true, records: 2, chains: 1 });
    const [floor] = await b.store.kv.list({ collection: others.floors, limit: 1 });
    const forged = { ...(JSON.parse(floor?.value ?? "{}") as object), at: b.platform.wallMs() - dayMs };
    await b.store.kv.put([{ collection: others.floors, key: floor?.key ?? "", value: JSON.stringify(forged) }]);
    expect((await verifyAudit(b.store, acme)).findings, "retention that came too early").toMatchObject([{ kind: "removed" }]);
  });

  it("wrong questions are answered with a code", async () => {
    for (const q of [{ limit: 0 }, { limit: 1_001 }, { cursor: "x" }, { since: "soon" }, { run: "" }, { run: "a", id: "b" }])
      await expect(readAudit(b.store, acme, q), JSON.stringify(q)).rejects.toMatchObject({ page: "PAWL4011" });
  });
});
