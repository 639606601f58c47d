// The commands about effects, as a person uses them after a crash: what is in doubt is listed, proved and found by its key;
// an answer needs who and why, is durable without an engine, and the run goes on from it.
import { afterEach, expect, it } from "vitest";
import { killCommands, CliFolder } from "./pawl-process.ts";

afterEach(killCommands);

const payoutFile = `import { workflow } from "pawl";
export const payout = workflow({ name: "payout" }, async (ctx) => {
  const ref = await ctx.step("pay", () => ({ ref: "tr-1" }), { key: "pay-" + ctx.run.workflowId, timeout: "1s", settle: 10 });
  return { paid: ref };
});
`;

it(
  "an effect that was under way at a kill is in doubt: listed, proved, answered with who and why, and the run goes on",
  { timeout: 120_000 },
  async () => {
    const place = new CliFolder({ "payout.ts": payoutFile });
    const run = ["run", "./payout.ts", "--id", "p-1"] as const;
    await place.start([...run], { PAWL_CRASH: "pay:D" }).ended;
    const stuck = await place.pawl(...run);
    expect([stuck.code, stuck.err]).toEqual([8, expect.stringContaining("PAWL2001 EffectInDoubt: pay:")]);

    const [listed, found, none] = await place.all([["decisions"], ["effects", "pay-p-1"], ["effects", "other"]]);
    expect(listed?.code).toBe(8);
    expect(listed?.out).toMatch(/^[0-9a-f-]{36}:\d+ {2}p-1 {2}pay at-most-once pay-p-1\n {2}since .*\(PAWL2001\)\n {2}sent at most 1 time/);
    expect(listed?.out).toMatch(/--happened --result … {2}the step completes[^]*--did-not-happen[^]*--fail/);
    expect(found?.out).toMatch(/^KEY +NAME +GUARANTEE +STATUS +RUN +CHANGED\npay-p-1 +pay +AT-MOST-ONCE +in doubt +p-1 +/);
    expect(none?.err).toBe("no effects\n");

    const { decisions } = JSON.parse((await place.pawl("decisions", "--json")).out) as { decisions: unknown };
    expect(decisions).toMatchObject([
      { kind: "effect", workflowId: "p-1", step: { key: "pay-p-1", sends: 1 }, evidence: expect.any(Array) as unknown[] },
    ]);
    const proof = await place.pawl("proof", "p-1");
    expect(proof.code).toBe(8);
    expect(proof.out).toContain(
      "pay for pay-p-1 was attempted once; whether it took effect is not known: it began and nobody recorded how it ended (AT-MOST-ONCE).",
    );
    expect(JSON.parse((await place.pawl("proof", "pay-p-1", "--json")).out)).toMatchObject({ verdict: "in-doubt" });

    const unknown = await place.pawl("effects", "--status", "lost");
    expect([unknown.code, unknown.err.includes("indeterminate, doubt, not")]).toEqual([2, true]);
    const bad = await place.all([
      ["resolve", "p-1", "--by", "ann", "--reason", "x"],
      ["resolve", "p-1", "--by", "ann", "--reason", "x", "--happened", "--fail"],
      ["resolve", "p-1", "--by", "ann", "--reason", "x", "--retry"],
      ["resolve", "p-2", "--by", "ann", "--reason", "x", "--fail"],
    ]);
    expect(bad.map((b) => b.code)).toEqual([2, 2, 2, 4]);
    expect(bad[3]?.err).toContain("PAWL4072 DecisionNotFound");

    const answer = ["resolve", "p-1", "--by", "ann", "--reason", "asked the bank", "--happened", "-P", "ref=tr-7"] as const;
    expect((await place.pawl(...answer, "--dry-run")).out).toMatch(/: the step completes with the result you give/);
    const queued = await place.pawl(...answer);
    expect([queued.code, queued.err]).toEqual([0, "queued: no engine that serves payout is alive\n"]);
    expect((await place.json(...run)).result).toEqual({ paid: { ref: "tr-7" } });
    const [after, ledger, proved] = await place.all([["decisions"], ["effects", "--json"], ["proof", "p-1"]]);
    expect([after?.code, after?.err]).toEqual([0, "no open decisions\n"]);
    expect(JSON.parse(ledger?.out ?? "")).toMatchObject({ effects: [{ status: "completed", result: { ref: "tr-7" } }] });
    expect(proved?.code).toBe(0);
    expect(proved?.out).toMatch(
      /took effect once, because a person said so \(AT-MOST-ONCE\)\.[^]*assumptions:\n[^]*ann was right that it happened: asked the bank/,
    );
  },
);

it("an effect that happened without a result completes with undefined, and resolve says so", { timeout: 120_000 }, async () => {
  const place = new CliFolder({
    "quiet.ts": `import { workflow } from "pawl";
export const quiet = workflow({ name: "quiet" }, async (ctx) => {
  const seen = await ctx.step("ring", () => process.kill(process.pid, "SIGKILL"), { once: true });
  return { seen: String(seen) };
});
`,
  });
  await place.pawl("run", "./quiet.ts", "--id", "q-1");
  await place.pawl("run", "./quiet.ts", "--id", "q-1", "--timeout", "1s");
  const done = await place.pawl("resolve", "q-1", "--by", "ann", "--reason", "heard it", "--happened");
  expect([done.code, done.err]).toEqual([0, expect.stringContaining("no --result was given: the step completes with undefined")]);
  expect((await place.json("run", "./quiet.ts", "--id", "q-1", "--json")).result).toEqual({ seen: "undefined" });
});

it(
  "the proof of a key that several operations sent, and of an altered log, ends with exit code 8, and inspect points to the check",
  { timeout: 120_000 },
  async () => {
    const place = new CliFolder({
      "thrice.ts": `import { workflow } from "pawl";
export const thrice = workflow({ name: "thrice" }, async (ctx) => {
  for (let i = 0; i < 3; i++) await ctx.step("a", () => i, { key: "SO" });
});
`,
    });
    expect((await place.pawl("run", "./thrice.ts", "--id", "t-1")).code).toBe(0);
    const [ofKey, ofRun, whole] = await place.all([
      ["proof", "SO"],
      ["proof", "t-1"],
      ["inspect", "t-1"],
    ]);
    expect([ofKey?.code, ofRun?.code]).toEqual([8, 0]);
    expect(ofKey?.out).toMatch(/^key SO was sent at most 3 times, by 3 operations of 1 run; nothing deduplicated/);
    expect(ofRun?.out).toContain("its key SO was used by 3 operations of 1 run");
    expect(whole?.out).not.toContain("doctor");
    await place.tamper("delete from pawl_events where run_seq = 4");
    const [broken, looked] = await place.all([
      ["proof", "t-1"],
      ["inspect", "t-1"],
    ]);
    expect(broken?.code).toBe(8);
    expect(broken?.out).toMatch(/^the log of run [0-9a-f-]{36} was altered or has a gap \(event 5\)/);
    expect(broken?.out).not.toContain("1 took effect once");
    expect(looked?.out).toContain("its log was changed or is damaged: events 5, link: pawl doctor --verify");
  },
);
