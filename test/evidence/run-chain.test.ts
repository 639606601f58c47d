// Evidence of a line of runs: the archive of a run that was retried or restarted carries the logs of the others, the verifier counts
// over all of them what the proof counts, and a line that was cut, changed or said to have done less is found.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workflow, type Verdict } from "../../src/index.ts";
import type { Client } from "../../src/client/types.ts";
import { textOf, verify, type Verification } from "../../src/verify.ts";
import { never, effectTest } from "../effects/effect-test.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { testClusters } from "../support/test-cluster.ts";
import { proves } from "../support/proves.ts";
import { membersOf } from "./archive.ts";
import { find, forge, type Forged } from "./forge.ts";
import { evidenceKey } from "./golden.ts";
import { inRelative, withoutRelative } from "./forgeries.ts";
import { runChainArchive, order, retriedRuns, shop } from "./retried-run.ts";

const failing = (v: Verification): string[] => v.checks.filter((c) => c.state === "fail").map((c) => `${c.check}: ${c.detail}`);
const checksOf = (v: Verification): string[] => v.checks.filter((c) => c.state === "fail").map((c) => c.check);
const of = (v: Verification, stepId: string): unknown => v.effects.find((e) => e.stepId === stepId);
const text = (archive: Uint8Array): string => [...membersOf(archive)].map(([name, t]) => (name.endsWith(".zip") ? inner(t) : t)).join("\n");
const inner = (t: string): string => [...membersOf(Buffer.from(t, "latin1")).values()].join("\n");

/** The verifier, which has the archive alone, says of the line what the client says who has the store; whatever is shown. */
async function sameAsProof(client: Client, runId: string): Promise<Verification> {
  const { verdict, effects } = await client.proof(runId);
  const wanted = effects.map((e) => [e.runId, e.stepId, e.class, e.verdict, e.sends, e.sentBy]);
  for (const o of [{ redact: ["**.key", "key", "input"] }, { payloads: false }, {}]) {
    const archive = await client.evidence(runId, o);
    const v = verify(archive);
    expect(failing(v)).toEqual([]);
    expect(v.effects.map((e) => [e.runId, e.stepId, e.class, e.verdict, e.sends, e.sentBy])).toEqual(wanted);
    expect((JSON.parse(membersOf(archive).get("proof.json")!) as { verdict: string }).verdict).toBe(verdict);
  }
  const v = verify(await client.evidence(runId));
  expect(v.effects.map((e) => e.orders)).toEqual(effects.map((e) => e.orders));
  return v;
}

async function expire({ store }: TestStore, runId: string): Promise<void> {
  const { nowMs } = await store.info();
  const unless = { collection: "hold", keys: [runId] };
  expect(await store.archive.prune({ runId, stage: "expire", endedBefore: nowMs + 1, unlessHeld: unless, limit: 100 })).toMatchObject({
    kind: "pruned",
  });
}

describe.each(testStores)("the evidence of a line on %s", (_, open) => {
  const p = effectTest(open);

  it(
    "of a retried run of every class it says what the proof says, from each of its runs, and names who had what sent again",
    proves("K19", "K22", "I7"),
    async () => {
      const verdicts: Verdict<string>[] = [{ state: "not-completed" }];
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.step("keyed", () => p.send("keyed"), { key: "k-1", dedup: "1d" });
        await ctx.step<unknown>("verified", () => p.send("verified"), { verify: async () => verdicts[0]!, timeout: 100, settle: 10 });
        await ctx.step("once", () => p.send("once"), { once: true });
        await ctx.step("plain", () => (p.send("plain") < 3 ? Promise.reject(new Error("no")) : "ok"));
      });
      const { engine, client } = await p.engine({ workflows: [wf] });
      const first = await engine.start(wf);
      await client.waitForEnd(first.runId);
      expect(verify(await client.evidence(first.runId)).line).toBeNull();
      const second = await client.retry(first.runId);
      await client.waitForEnd(second.runId);
      const third = await client.retry(second.runId, { rerun: ["keyed", "verified"], ...order });
      expect((await client.waitForEnd(third.runId)).status).toBe("COMPLETED");
      expect(Object.fromEntries(p.sent)).toEqual({ keyed: 2, verified: 2, once: 1, plain: 3 });
      const ids = [first.runId, second.runId, third.runId];
      for (const runId of ids) {
        const v = await sameAsProof(client, runId);
        expect(v.line).toMatchObject({ runs: ids.map((id) => ({ runId: id })), missing: [] });
        expect(of(v, "keyed")).toMatchObject({ verdict: "once", sends: 2, orders: [{ runId: third.runId, ...order }] });
        expect(of(v, "verified")).toMatchObject({ verdict: "at-least-once", sends: 2 });
        expect(of(v, "once")).toMatchObject({ verdict: "once", sends: 1, sentBy: [first.runId] });
        expect(of(v, "plain")).toMatchObject({ verdict: "at-least-once", sends: 3, sentBy: ids });
        expect(textOf(v)).toContain(`sent again by run ${third.runId} on the order of ann: the customer asked`);
      }
      const hidden = text(await client.evidence(third.runId, { payloads: false }));
      for (const word of ["k-1", "ann", "the customer asked"]) expect(hidden).not.toContain(word);
    },
  );

  it("a restart is counted with the run in whose place it began", proves("K19", "K22", "I7"), async () => {
    let stuck = true;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("plain", () => p.send("plain"));
      await ctx.step("charge", () => (p.send("charge"), stuck ? never() : Number(stuck)), {
        verify: async () => Promise.resolve({ state: "completed-with-result", result: 1 }),
      });
    });
    const { engine, client } = await p.engine({ workflows: [wf] });
    const first = await engine.start(wf, undefined, { id: "order" });
    await p.until(() => p.sent.get("charge") === 1);
    stuck = false;
    const next = await engine.start(wf, undefined, { id: "order", onConflict: "restart" });
    await next.result();
    expect(Object.fromEntries(p.sent)).toEqual({ plain: 2, charge: 1 });
    for (const runId of [first.runId, next.runId]) {
      const v = await sameAsProof(client, runId);
      expect(v.line).toMatchObject({ runs: [{ runId: first.runId, status: "CANCELLED" }, { runId: next.runId }], missing: [] });
      expect(of(v, "plain")).toMatchObject({ verdict: "at-least-once", sends: 2 });
      expect(of(v, "charge")).toMatchObject({ sends: 1, sentBy: [first.runId] });
    }
  });

  it("a run of the line whose log is not here is named, and makes every verdict say less", proves("K19", "K22"), async () => {
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("once", () => p.send("once"), { once: true });
      ctx.fail("no");
    });
    const { engine, client } = await p.engine({ workflows: [wf] });
    const first = await engine.start(wf);
    await client.waitForEnd(first.runId);
    const second = await client.retry(first.runId);
    await client.waitForEnd(second.runId);
    await expire(p.testStore(), first.runId);
    const v = await sameAsProof(client, second.runId);
    expect(v.line).toMatchObject({ runs: [{ runId: second.runId }], missing: [first.runId] });
    expect(of(v, "once")).toMatchObject({ verdict: "at-least-once" });
    expect(textOf(v)).toContain(`what run ${first.runId} sent is not here`);
    expect(failing(verify(await client.evidence(first.runId)))).toEqual([]); // of what is left of it
  });
});

describe("a line that lies", () => {
  const fresh = testClusters();
  /** Says `once` of everything that was said to be less. */
  const once = (f: Forged): void => void f.members.set("proof.json", f.members.get("proof.json")!.replaceAll("at-least-once", "once"));
  const change = (f: Forged, name: string, from: string | RegExp, to: string): void => {
    const was = f.members.get(name)!;
    expect(was).toMatch(from);
    f.members.set(name, was.replace(from, to));
  };
  const first = (f: Forged): string => f.manifest["line"].runs[0].runId as string;

  it("a run that is taken out is found by the run that names it, whatever else was changed to fit", proves("K22", "I7"), async () => {
    const good = await runChainArchive({});
    expect(failing(verify(good))).toEqual([]);
    const runs: string[] = [];
    const cut = verify(forge(good, (f) => (runs.push(withoutRelative(f)), once(f))));
    expect(checksOf(cut)).toEqual(["verdict", "line"]);
    expect(failing(cut).join()).toContain(`run ${runs[0]}, which run ${cut.runId} takes over from, is not here and not said to be missing`);
    const renamed = forge(good, (f) => {
      withoutRelative(f);
      Object.assign(f.manifest["run"], { originalRunId: null, rootRunId: f.manifest["run"].runId });
      once(f);
    });
    expect(checksOf(verify(renamed))).toEqual(["verdict", "line"]);
    // The file alone is gone, and the manifest still names it.
    const lost = forge(good, (f) => void f.members.delete("line/1.zip"));
    expect(checksOf(verify(lost))).toContain("line");
    // Said to be missing, the proof must say less of everything.
    const less = forge(good, (f) => {
      f.manifest["line"].missing.push({ runId: withoutRelative(f), reason: "absent" });
    });
    expect(checksOf(verify(less))).toEqual(["verdict"]);
    expect(verify(less).effects.map((e) => e.verdict)).not.toContain("once");
  });

  it("made into the archive of one run alone, nothing of it is said to have happened once", proves("K22", "I7"), async () => {
    const good = await runChainArchive({});
    const alone = forge(good, (f) => {
      withoutRelative(f);
      delete f.manifest["line"];
      f.manifest["format"] = 1;
      f.members.delete("line.jsonl");
      f.members.delete("proof.json");
    });
    const v = verify(alone);
    expect(failing(v)).toEqual([]);
    expect(v.effects.map((e) => e.verdict)).not.toContain("once");
    expect(v.assumed.join()).toContain("what that one sent is in its own evidence");
  });

  it("a log of the line that was changed, swapped or moved is found as that of the run itself would be", proves("K22"), async () => {
    const good = await runChainArchive({});
    const cheaper = (r: Forged): void => void (r.pieces[0]!.shown!["payload"] = r.pieces[0]!.shown!["payload"].replace("500", "5"));
    /** As if producers had written it, who promise nothing: then it would have no effects. */
    const outside = (r: Forged): void => {
      r.manifest["run"].origin = "external";
      for (const name of ["effects.jsonl", "operators.jsonl"]) r.members.set(name, "");
      for (const name of ["ledger.jsonl", "proof.json"]) r.members.delete(name);
    };
    const changed = verify(forge(good, (f) => inRelative(f, cheaper)));
    expect(failing(changed)).toEqual([
      expect.stringMatching(/^line: run .*: payloads: the payload of event 1 is not the one in the chain/),
    ]);
    const withoutEffects = verify(
      forge(good, (f) => {
        inRelative(f, outside);
        const others = f.members
          .get("line.jsonl")!
          .split("\n")
          .filter((l) => !l.includes(first(f)));
        f.members.set("line.jsonl", others.join("\n"));
        f.members.delete("proof.json");
      }),
    );
    expect(failing(withoutEffects)).toEqual([expect.stringContaining("and only engines retry and restart")]);
    for (const lie of [
      (f: Forged) => inRelative(f, (r) => void (r.manifest["run"].rootRunId = "another")),
      (f: Forged) => inRelative(f, (r) => void (r.manifest["run"].workflowId = "another")),
      (f: Forged) => inRelative(f, (r) => void (r.manifest["run"].generation = 9)),
      (f: Forged) => inRelative(f, (r) => void (r.manifest["format"] = 3)),
      (f: Forged) => void f.members.set("line/1.zip", "no zip"),
      (f: Forged) => void f.members.set("line/2.zip", f.members.get("line/1.zip")!),
      (f: Forged) => void f.manifest["line"].runs.push(f.manifest["line"].runs[0]),
      (f: Forged) => void f.manifest["line"].runs.reverse(),
      (f: Forged) => void (f.manifest["line"].asOf = "2026-01-01T00:00:00.000Z"),
      (f: Forged) => void delete f.manifest["line"],
      (f: Forged) => void (f.manifest["run"].originalRunId = "another"),
    ])
      expect(checksOf(verify(forge(good, lie))), String(lie)).toContain("line");
  });

  it("what line.jsonl says of keys, starts and orders must be what the logs say, where they are shown", proves("K22"), async () => {
    const good = await runChainArchive({});
    for (const [from, to] of [
      ['"key":1', '"key":2'],
      ['"key":1,', ""],
      ['"gated":true,', ""],
      ['"by":"ann"', '"by":"bob"'],
      [/^.*\n/, ""],
      [/^(.*\n)/, "$1$1"],
      ["mail", "post"],
    ] as const)
      expect(checksOf(verify(forge(good, (f) => change(f, "line.jsonl", from, to)))), String(from)).toContain("line");
    for (const [from, to] of [
      ['"verdict": "at-least-once"', '"verdict": "once"'],
      ['"sends": 2', '"sends": 1'],
      ['"by": "ann"', '"by": "bob"'],
    ] as const)
      expect(checksOf(verify(forge(good, (f) => change(f, "proof.json", from, to)))), from).toEqual(["verdict"]);
    const hidden = verify(await runChainArchive({ payloads: false }));
    expect(hidden.ok).toBe(true);
    expect(hidden.assumed.join()).toContain("what line.jsonl says of them is the maker's word");
  });

  it("with the key of the seals, a log of the line that was made anew as a whole is found", proves("K22", "I7"), async () => {
    const dir = mkdtempSync(join(tmpdir(), "pawl-line-"));
    try {
      const keyFile = join(dir, "key.pem");
      writeFileSync(keyFile, evidenceKey.private, { mode: 0o600 });
      const l = await fresh("sqlite");
      const [, second] = await retriedRuns(l, { seal: { keyFile } });
      const good = await l.advanceUntil((await l.engine([shop], { seal: { keyFile } })).client.evidence(second));
      const key = evidenceKey.public;
      const v = verify(good, { key });
      expect(failing(v)).toEqual([]);
      expect(v.line!.runs.map((r) => r.sealed?.end)).toEqual([true, true]);
      const anew = forge(good, (f) =>
        inRelative(f, (r) => void (find(r, "StepCompleted", "charge").payload["result"] = 5), { rechain: true }),
      );
      expect(failing(verify(anew))).toEqual([]); // without a key nobody can see it, and that is said
      expect(verify(anew).assumed.join()).toContain("nobody who can write to the store rewrote the log");
      expect(failing(verify(anew, { key })).join()).toMatch(/^line: run .*: seals: /);
      // Of a witness, too, each log is compared with the heads it saw.
      const witness = `${JSON.stringify({ runId: v.line!.runs[0]!.runId, runSeq: 2, link: "0".repeat(64) })}\n`;
      expect(failing(verify(good, { witness })).join()).toMatch(/^line: run .*: witness: /);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });

  it("a line that was moved is whole where it goes on, and says less where it was", proves("K19", "K22"), async () => {
    const [here, there] = [await fresh("memory", 3), await fresh("sqlite", 4)];
    const [one, two] = await retriedRuns(here);
    const [from, to] = [(await here.engine([shop])).client, (await there.engine([shop])).client];
    const lines: string[] = [];
    for await (const line of from.exportRuns({ ids: ["shop-1"], move: true })) lines.push(line);
    await to.importRuns(async function* () {
      yield* lines;
    });
    const moved = verify(await here.advanceUntil(from.evidence(two)));
    expect(failing(moved)).toEqual([]);
    expect(moved.line).toMatchObject({ runs: [{ runId: one }, { runId: two }], missing: [one, two] });
    expect(moved.effects.map((e) => e.verdict)).not.toContain("once");
    const whole = verify(await there.advanceUntil(to.evidence(two)));
    expect(failing(whole)).toEqual([]);
    expect(whole.line).toMatchObject({ runs: [{ runId: one }, { runId: two }], missing: [] });
    expect(of(whole, "mail")).toMatchObject({ verdict: "once", sentBy: [one] });
  });

  it("signed, the whole line is: nothing of it can be left out or exchanged", proves("K22"), async () => {
    const good = await runChainArchive({ key: evidenceKey.private });
    expect(failing(verify(good, { signer: evidenceKey.public }))).toEqual([]);
    const less = forge(good, (f) => void f.manifest["line"].missing.push({ runId: first(f), reason: "moved" }));
    expect(checksOf(verify(less, { signer: evidenceKey.public }))).toContain("signature");
  });

  it("nothing that stands in its place makes the verifier throw", async () => {
    const good = await runChainArchive({});
    for (const line of [
      null,
      7,
      [],
      {},
      { runs: [], missing: [] },
      { runs: [null], missing: [] },
      { runs: [{}], missing: [null], asOf: 1 },
    ])
      expect(verify(forge(good, (f) => void (f.manifest["line"] = line))).ok, JSON.stringify(line)).toBe(false);
    for (const name of ["line.jsonl", "line/1.zip", "proof.json"])
      for (const t of ["", "{}\n", "null\n", "[1]\n", "not json\n"])
        expect(verify(forge(good, (f) => void f.members.set(name, t))).ok, `${name} ${t}`).toBe(false);
  });
});
