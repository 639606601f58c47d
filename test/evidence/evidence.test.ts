// Evidence of real runs, checked by the verifier: what an engine wrote verifies, whole, without payloads and redacted; and the
// archive gives nothing away that was hidden, neither directly nor through a salt or an unsalted digest.
import { createHash, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { NotSent } from "../../src/errors/step-errors.ts";
import { workflow } from "../../src/workflow/define.ts";
import { verify, type Verification } from "../../src/verify.ts";
import { testClusters, storeKinds, type TestCluster } from "../support/test-cluster.ts";
import { membersOf } from "./archive.ts";
import { find, forge, insertAfter, type Forged } from "./forge.ts";
import { richRun, secretCard, workflows } from "./rich-run.ts";
import { proves } from "../support/proves.ts";
import { wrapCommit } from "../support/wrap-commit.ts";

const fresh = testClusters();
const failing = (v: Verification): unknown[] => v.checks.filter((c) => c.state === "fail");
const stateOf = (v: Verification, check: string): string | undefined => v.checks.find((c) => c.check === check)?.state;
const evidence = async (l: TestCluster, runId: string, o?: object): Promise<Uint8Array> =>
  l.advanceUntil((await l.engine(workflows)).client.evidence(runId, o));
const pem = (): { key: string; pub: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    key: privateKey.export({ format: "pem", type: "pkcs8" }) as string,
    pub: publicKey.export({ format: "pem", type: "spki" }) as string,
  };
};
const linesOf = (archive: Uint8Array, name: string): Record<string, unknown>[] =>
  (membersOf(archive).get(name) ?? "")
    .split("\n")
    .filter((x) => x !== "")
    .map((x) => JSON.parse(x) as Record<string, unknown>);

describe.each(storeKinds)("on %s", (kind) => {
  it(
    "a run with something of everything verifies, and its charge is said to have been sent twice under one key",
    proves("K21", "K22"),
    async () => {
      const l = await fresh(kind);
      const runId = await richRun(l);
      const v = verify(await evidence(l, runId));
      expect(failing(v)).toEqual([]);
      expect(v).toMatchObject({ ok: true, runId, status: "COMPLETED", signedBy: null });
      expect(v.events).toBe((await l.log(runId)).length);
      const of = (stepId: string): unknown => v.effects.find((e) => e.stepId === stepId);
      expect(of("charge")).toMatchObject({ class: "KEYED", sends: 2, answer: expect.stringContaining("only if the receiver") });
      expect(of("mail")).toMatchObject({ class: "AT-MOST-ONCE", sends: 1, answer: "no: sent once, or not at all" });
      expect(of("flaky")).toMatchObject({ class: "REPEATABLE", sends: 3 });
      expect(v.unsealed.join()).not.toContain("persistedAt"); // the end states its own time
    },
  );

  it("a run that failed, with its compensations, and its parts verify; so does one that a person cut short", async () => {
    const l = await fresh(kind);
    const runId = await richRun(l, -1);
    const v = verify(await evidence(l, runId));
    expect(failing(v)).toEqual([]);
    expect(v.status).toBe("FAILED");
    expect(v.effects.map((e) => e.stepId)).toContain("charge/~compensate");
    const { client } = await l.engine(workflows);
    const plain = await client.retry(runId);
    await l.advanceUntil(client.waitForEnd(plain.runId));
    expect(failing(verify(await l.advanceUntil(client.evidence(plain.runId))))).toEqual([]); // its timer was taken over: not fired early
    const again = await client.retry(plain.runId, { fromStep: "nap" });
    await l.advanceUntilLine(again.runId, "StepStarted nap");
    const mid = verify(await l.advanceUntil(client.evidence(again.runId)));
    expect(failing(mid)).toEqual([]);
    expect(mid.unsealed).toContain("the run has not ended: what comes after the head is not here");
    expect(mid.line).toMatchObject({ runs: [{ runId }, { runId: plain.runId }, { runId: again.runId }], missing: [] });
    await client.control(again.runId, "terminate", { reason: "enough" });
    await l.advanceUntil(client.waitForEnd(again.runId));
    const ended = await l.advanceUntil(client.evidence(again.runId));
    expect(failing(verify(ended))).toEqual([]);
    expect(linesOf(ended, "operators.jsonl").at(-1)).toMatchObject({ eventType: "RunCancelled", reason: "enough" });
  });

  it(
    "attempts are counted per step, a retry is a new one, and what was recorded of the failed one never changes",
    proves("P-35"),
    async () => {
      const l = await fresh(kind);
      let tries = 0;
      const wf = workflow({ name: "wf" }, async (ctx) =>
        ctx.step("s", () => (++tries < 3 ? Promise.reject(new Error(`no ${tries}`)) : tries), { retry: { attempts: 3, initial: "10s" } }),
      );
      const { engine } = await l.engine([wf]);
      const h = await engine.start(wf);
      await l.advanceUntilLine(h.runId, "StepFailed s");
      const before = await l.log(h.runId);
      await l.advanceUntil(h.result());
      const after = await l.log(h.runId);
      expect(after.slice(0, before.length)).toEqual(before);
      expect(after.filter((e) => e.stepId === "s").map((e) => [e.eventType, e.logicalAttemptId])).toEqual(
        [1, 2]
          .flatMap((n) => [
            ["StepStarted", n],
            ["StepFailed", n],
          ])
          .concat([
            ["StepStarted", 3],
            ["StepCompleted", 3],
          ]),
      );
      const archive = await l.advanceUntil(h.evidence());
      expect(failing(verify(archive))).toEqual([]);
      const second = forge(archive, (f) => void insertAfter(f, find(f, "StepFailed", "s"), {}, { category: "TIMEOUT" }), { rechain: true });
      expect(failing(verify(second)).map((c) => (c as { check: string }).check)).toContain("outcomes");
    },
  );

  it("a keyed effect whose new record came after its window, and was not sent for that, verifies", async () => {
    const l = await fresh(kind);
    let sent = 0;
    const wf = workflow({ name: "wf" }, (ctx) =>
      ctx.step("keyed", () => (sent++, new Promise<never>(() => {})), { key: "k", dedup: "30s", timeout: "5s" }),
    );
    const a = await l.engine([wf], { lease: "1s" });
    const h = await l.advanceUntil(a.engine.start(wf));
    await l.advanceUntilLine(h.runId, "StepStarted keyed");
    await l.platform.advance(100);
    a.kill();
    const wrap = wrapCommit(async (real, batch, renew) => {
      const again = batch.some((c) => c.events.some((e) => e.eventType === "pawl.StepRedispatched"));
      if (again) await new Promise<void>((resolve) => void l.platform.timer(60_000, resolve)); // the database is away for a while
      return real(batch, renew);
    });
    const b = await l.engine([wf], { lease: "600s", wrap });
    await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
    expect(sent).toBe(1);
    const v = verify(await l.advanceUntil(b.client.evidence(h.runId)));
    expect(failing(v)).toEqual([]);
    expect(v.effects).toMatchObject([{ stepId: "keyed", state: "IN DOUBT" }]);
    const [d] = await b.client.decisions();
    await l.advanceUntil(b.client.resolve(d!.decisionId, { fail: true, by: "ann", reason: "asked the bank" }));
    await l.advanceUntil(b.client.waitForEnd(h.runId));
    const ended = await l.advanceUntil(b.client.evidence(h.runId));
    expect(failing(verify(ended))).toEqual([]);
    // The same log, had it been sent: an outcome of its own says so.
    const lie = (f: Forged): void => {
      const doubt = f.pieces.findIndex((p) => p.event["eventType"] === "pawl.StepInDoubt");
      f.pieces.splice(doubt, 2); // and the answer
      find(f, "StepFailed", "keyed").payload = { category: "TIMEOUT" };
    };
    const lied = forge(ended, lie, { rechain: true });
    expect(failing(verify(lied)).map((c) => (c as { check: string }).check)).toContain("dedup");
  });

  it("an effect in doubt, and a keyed one past its window, verify as what they are", async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await Promise.all([
        ctx.step("once", () => new Promise<never>(() => {}), { once: true, timeout: "60s" }),
        ctx.step("keyed", () => Promise.reject(new Error("no")), {
          key: "k",
          dedup: "30s",
          timeout: "5s",
          retry: { attempts: 9, initial: "10s", backoff: "fixed" },
        }),
      ]);
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.platform.advance(120_000);
    const v = verify(await l.advanceUntil(h.evidence()));
    expect(failing(v)).toEqual([]);
    expect(v.effects).toMatchObject([
      { stepId: "once", state: "IN DOUBT", sends: 1 },
      { stepId: "keyed", state: "IN DOUBT" },
    ]);
  });
});

describe("people and the ledger", () => {
  it(
    "what nobody approved was not sent: evidence of approvals verifies, and a send, an outcome or a second send without leave is found",
    proves("I6"),
    async () => {
      const l = await fresh("sqlite");
      const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("pay", () => 1, { once: true, approve: "may it?" }));
      const { engine } = await l.engine([wf]);
      const h = await engine.start(wf);
      await l.advanceUntilLine(h.runId, "StepStarted pay");
      await l.platform.settle();
      const waits = await l.advanceUntil(h.evidence());
      expect(verify(waits)).toMatchObject({
        ok: true,
        effects: [{ stepId: "pay", sends: 0, verdict: "not-at-all", answer: "no: it was never sent" }],
      });
      const [d] = await engine.decisions();
      await l.advanceUntil(engine.resolve(d!.decisionId, { by: "ann", reason: "so be it", approve: true }));
      await l.advanceUntil(h.result());
      const good = await l.advanceUntil(h.evidence());
      expect(verify(good)).toMatchObject({
        ok: true,
        effects: [{ stepId: "pay", sends: 1, verdict: "once", answer: "no: sent once, or not at all" }],
      });
      expect(verify(await l.advanceUntil(h.evidence({ payloads: false })))).toMatchObject({
        ok: true,
        effects: [{ sends: 1, verdict: "once" }],
      });

      const found = (change: Parameters<typeof forge>[1]): string[] =>
        verify(forge(good, change, { rechain: true })).checks.flatMap((c) => (c.state === "fail" ? [c.check] : []));
      const again = { stepId: "pay", engineAttemptId: 2, fence: 1 };
      const notice = { eventType: "pawl.StepRedispatched", stepId: undefined };
      expect(found((f) => void (find(f, "pawl.DecisionAnswered").payload.answer = "refuse"))).toContain("doubt");
      expect(found((f) => void insertAfter(f, find(f, "StepStarted", "pay"), notice, again))).toContain("doubt");
      expect(found((f) => void insertAfter(f, find(f, "pawl.DecisionAnswered"), notice, again))).toContain("at-most-once");
    },
  );

  it("what a person decided, what the step itself denied, and a retry that was given up, verify against log and ledger", async () => {
    const l = await fresh("sqlite");
    let sent = 0;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      let tries = 0;
      await ctx.step("early", () => (tries++ === 0 ? Promise.reject(new NotSent("no route")) : 1), {
        once: true,
        retry: { attempts: 3, initial: "1s" },
      });
      await ctx.step("once", () => (sent++ === 0 ? new Promise<never>(() => {}) : "paid"), { once: true, timeout: "1s" });
      await ctx.step("again", () => Promise.reject(new Error("no")), { key: "k", dedup: "1d", retry: { attempts: 9, initial: "1h" } });
    });
    const { engine, client } = await l.engine([wf], { ledger: "all" });
    const h = await engine.start(wf);
    await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
    await l.platform.advance(120_000);
    const [decision] = await client.decisions();
    await l.advanceUntil(client.resolve(decision!.decisionId, { by: "ann", reason: "the bank says no", happened: false }));
    await l.advanceUntilLine(h.runId, "StepFailed again");
    expect(failing(verify(await l.advanceUntil(h.evidence())))).toEqual([]);
    await h.cancel("enough");
    await l.advanceUntil(client.waitForEnd(h.runId));
    const archive = await l.advanceUntil(h.evidence());
    const v = verify(archive);
    expect(failing(v)).toEqual([]);
    expect(stateOf(v, "ledger")).toBe("pass");
    expect(linesOf(archive, "ledger.jsonl")).toMatchObject([
      { stepId: "early", status: "completed", attempts: 2 },
      { stepId: "once", status: "completed", attempts: 2 },
      { stepId: "again", phase: "settled", attempts: 1 },
    ]);
    expect(v.effects.map((e) => e.answer)).toEqual([
      "only if the step was wrong in saying that an earlier send had not happened",
      "only if a person was wrong in saying that an earlier send had not happened",
      "no: sent once",
    ]);
    expect(linesOf(archive, "operators.jsonl").find((o) => o["eventType"] === "pawl.DecisionAnswered")).toMatchObject({ by: "ann" });
  });
});

describe("what is shown", () => {
  it("the same run gives the same bytes, signed or not", async () => {
    const l = await fresh();
    const runId = await richRun(l);
    const { key } = pem();
    for (const o of [{}, { key }, { payloads: false }])
      expect(Buffer.from(await evidence(l, runId, o)).equals(await evidence(l, runId, o))).toBe(true);
  });

  it("without payloads there is no input, no result, no salt and no digest to guess from, and the chain still verifies", async () => {
    const l = await fresh();
    const runId = await richRun(l);
    const archive = await evidence(l, runId, { payloads: false });
    const all = [...membersOf(archive).values()].join("\n");
    const log = await l.log(runId);
    expect(log.filter((e) => e.salt !== null).length).toBeGreaterThan(10);
    for (const e of log) expect(e.salt === null || !all.includes(e.salt)).toBe(true);
    for (const hidden of [secretCard, 'order-1"', "lunch", (await l.row(runId)).inputDigest]) expect(all).not.toContain(hidden);
    for (const e of log) {
      const { digest } = JSON.parse(e.payload ?? "{}") as { digest?: string };
      expect(digest === undefined || !all.includes(digest)).toBe(true);
    }
    const v = verify(archive);
    expect(failing(v)).toEqual([]);
    expect(v.effects.find((e) => e.stepId === "charge")).toMatchObject({ class: "KEYED", sends: 2 });
    expect(v.assumed.join()).toContain("is the maker's word");
  });

  it(
    "whatever is redacted, the evidence verifies: classes, names and outcomes of steps are told beside the payload",
    proves("K22"),
    async () => {
      const l = await fresh();
      const runId = await richRun(l);
      const plain = verify(await evidence(l, runId));
      for (const path of [
        "*",
        "**.*",
        "**.name",
        "class",
        "kind",
        "**.stepId",
        "**.category",
        "**.engineAttemptId",
        "**.fence",
        "**.retryAt",
        "key",
      ]) {
        const v = verify(await evidence(l, runId, { redact: [path] }));
        expect(
          v.checks.filter((c) => c.state === "fail"),
          path,
        ).toEqual([]);
        expect(v.effects, path).toEqual(plain.effects);
      }
    },
  );

  it("a redacted value is nowhere in the archive, what is beside it is shown, and the chain still verifies", proves("K22"), async () => {
    const l = await fresh();
    const runId = await richRun(l);
    const archive = await evidence(l, runId, { redact: ["**.card", "reason", "input.cents"] });
    const all = [...membersOf(archive).values()].join("\n");
    expect(all).not.toContain(secretCard);
    expect(all).not.toContain("lunch");
    expect(all).toContain('\\"charged\\":500');
    const shown = linesOf(archive, "payloads.jsonl");
    const hit = shown.filter((p) => p["redacted"] === true);
    expect(hit.length).toBeGreaterThan(2);
    for (const p of hit) expect([p["salt"], String(p["payload"]).includes("[redacted]")]).toEqual([undefined, true]);
    // A redacted copy must not be provable by guessing: neither its salt nor an unsalted digest of the same input is there.
    const log = await l.log(runId);
    for (const p of hit) {
      const e = log.find((x) => x.runSeq === p["runSeq"])!;
      const { digest } = JSON.parse(e.payload!) as { digest?: string };
      for (const guess of [e.salt!, digest ?? e.salt!]) expect(all).not.toContain(guess);
    }
    expect(all).not.toContain((await l.row(runId)).inputDigest);
    expect(shown.some((p) => p["salt"] !== undefined)).toBe(true);
    expect(failing(verify(archive))).toEqual([]);
    for (const redact of [["input..card"], [7], [null], "input"])
      await expect(evidence(l, runId, { redact } as never)).rejects.toMatchObject({ code: "PAWL4011" });
  });

  it("the manifest says which store, under which settings, and which head; members are listed with their digests", async () => {
    const l = await fresh("sqlite");
    const runId = await richRun(l);
    const archive = await evidence(l, runId);
    const members = membersOf(archive);
    const m = JSON.parse(members.get("manifest.json")!) as Record<string, any>;
    const row = await l.row(runId);
    const info = await l.store.info();
    expect(m).toMatchObject({
      kind: "pawl.evidence",
      format: 1,
      madeBy: { name: "pawl" },
      store: { storeId: info.storeId, incarnation: info.incarnation, identity: info.identity, unsafe: info.unsafe },
      run: { runId, workflowId: "order-500", status: "COMPLETED" },
      definition: { workflow: "rich", version: "7" },
      head: { runSeq: row.headSeq, link: row.headLink },
    });
    expect(info.unsafe.length).toBeGreaterThan(0); // the lab runs without fsync, and evidence says so
    expect(verify(archive).assumed.join()).toContain(info.unsafe[0]);
    expect(m["members"].map((x: { name: string }) => x.name)).toEqual([...members.keys()].filter((n) => !n.startsWith("manifest")));
    for (const x of m["members"]) expect(createHash("sha256").update(members.get(x.name)!).digest("hex")).toBe(x.sha256);
  });

  it("a signature pins who made it: another key, another manifest or no signature fails, a key that is none is refused", async () => {
    const l = await fresh();
    const runId = await richRun(l);
    const [mine, other] = [pem(), pem()];
    const signed = await evidence(l, runId, { key: mine.key });
    expect(verify(signed).signedBy).not.toBeNull();
    expect(stateOf(verify(signed, { signer: mine.pub }), "signature")).toBe("pass");
    expect(stateOf(verify(signed, { signer: other.pub }), "signature")).toBe("fail");
    const plain = await evidence(l, runId);
    expect(stateOf(verify(plain), "signature")).toBe("skipped");
    expect(verify(plain, { signer: mine.pub })).toMatchObject({ ok: false });
    expect(verify(signed, { signer: "no key" })).toMatchObject({ ok: false });
    await expect(evidence(l, runId, { key: mine.pub })).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(evidence(l, "nobody")).rejects.toMatchObject({ code: "PAWL4001" });
  });
});
