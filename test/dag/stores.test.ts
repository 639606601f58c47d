// DAGs and templates as a user runs them, on every store: all kinds of nodes in one graph, decisions, batches, failures, a retry, a person's answers, where
// a run stands, and which starts are the same run. Real stores and real clocks; crashes are in walker.test.ts, transactions.test.ts and first-start.test.ts.
import { afterEach, describe, expect, it } from "vitest";
import { defaultScope } from "../../src/client/environment.ts";
import { dag, dagFromTemplate, Fatal, task, workflow, type Template } from "../../src/index.ts";
import type { EventRecord } from "../../src/store/port.ts";
import { proves } from "../support/proves.ts";
import { anySchema, deferred, payloadOf } from "../support/test-cluster.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { wrapCommit } from "../support/wrap-commit.ts";

const open: TestStore[] = [];
afterEach(async () => {
  for (const s of open.splice(0)) await s.close();
});
async function place(make: () => Promise<TestStore>): Promise<TestStore> {
  const s = await make();
  open.push(s);
  return s;
}
const any = anySchema<any>();
const logOf = (s: TestStore, runId: string): Promise<readonly EventRecord[]> => s.store.events({ runId, after: 0, limit: 10_000 });
const linesOf = async (s: TestStore, runId: string): Promise<string[]> =>
  (await logOf(s, runId)).map((e) => (e.stepId === null ? e.eventType : `${e.eventType} ${e.stepId}`));
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((done) => setTimeout(done, 20));
}

describe.each(testStores)("%s", (name, make) => {
  it(
    "every kind of node in one graph: a decision and what follows from it are one Commit, a batch yields and continues, no work leaves a placeholder",
    proves("TX-10", "TX-11", "TX-12"),
    async () => {
      const s = await place(make);
      const double = task({ name: "double", input: any }, (n: number) => n * 2, { queue: "work" });
      const child = workflow({ name: "child", input: any }, (ctx, n: number) => ctx.step("x", () => n + 1));
      const wf = dag({ name: "all", input: anySchema<{ n: number }>() }, (t) => {
        const rows = t.task("rows", {}, ({ input }) => Array.from({ length: input.n }, (_, i) => i + 1));
        const route = t.decide("route", { rows }, ["few", "many"], ({ rows }) => (rows.length < 3 ? "few" : "many"));
        const few = t.task("few", {}, () => "few", { on: route.on("few") });
        const many = t.each("many", rows, double, { id: (n) => `r${n}`, input: (n) => n, on: route.on("many"), queue: "work" });
        const after = t.task("after_few", { few }, () => "after");
        const sums = t.batch(
          "sums",
          { rows },
          ({ rows }) => rows.slice(0, 2),
          (b) => (b.cursor < 10 ? b.yield(b.cursor + 10, (b.carried ?? 0) + 1) : { at: b.cursor, carried: b.carried }),
          { workersMax: 2, carried: 5 as number },
        );
        const none = t.batch(
          "none",
          { rows },
          (): number[] => [],
          () => 1,
        );
        const nap = t.sleep("nap", { rows }, "50ms");
        const go = t.receive("go", { nap }, { name: "go", payload: anySchema<number>() });
        const called = t.call("called", { go }, child, ({ go }) => go);
        const no = t.task("no", { rows }, () => 1, { when: ({ rows }) => rows.length > 99 });
        const met = t.task("met", { few, many, after }, ({ few, many, after }) => ({ few, many, after }), { trigger: "converge" });
        return t.task("end", { met, sums, none, nap, called, no }, (d) => ({ ...d, input: null }), { trigger: "none-failed" });
      });
      const commits: (readonly string[])[] = [];
      const watching = wrapCommit((real, batch, renew) => {
        for (const c of batch) commits.push(c.events.map((e) => `${e.eventType} ${e.stepId ?? ""}`.trim()));
        return real(batch, renew);
      });
      const { engine } = await s.engine({ workflows: [wf, child], store: watching(s.store) });
      const h = await engine.start(wf, { n: 4 });
      await h.signal("go", 41);
      expect(await h.result()).toEqual({
        input: null,
        met: { many: [2, 4, 6, 8] },
        sums: [
          { at: 11, carried: 6 },
          { at: 12, carried: 6 },
        ],
        none: [],
        nap: null,
        called: 42,
      });
      const starts = (await logOf(s, h.runId)).filter((e) => e.eventType === "StepStarted");
      expect(Object.fromEntries(starts.map((e) => [e.stepId, payloadOf(e)["needs"]]))).toMatchObject({
        rows: undefined,
        route: ["rows"],
        nap: ["rows"],
        go: ["nap"],
        called: ["go"],
        sums: ["rows"],
        "sums/1": ["sums"],
        "many/r1": ["rows"],
      });
      const lines = await linesOf(s, h.runId);
      expect(lines.filter((x) => x.startsWith("StepSkipped")).toSorted()).toEqual([
        "StepSkipped after_few",
        "StepSkipped few",
        "StepSkipped no",
      ]);
      expect(lines.filter((x) => x === "pawl.StepYielded").length).toBe(2);
      expect(lines).toContain("StepCompleted none/placeholder");
      const decided = commits.find((c) => c.includes("StepCompleted route"))!;
      expect(decided).toEqual(
        expect.arrayContaining(["pawl.StepsPlanned", "StepSkipped few", "StepStarted many/r1", "StepStarted many/r4"]),
      );
    },
  );

  it("a failure lets the other branches finish; a retry keeps what completed, and sends nothing again that may be sent once", async () => {
    const s = await place(make);
    const ran: string[] = [];
    let broken = true;
    const wf = dag({ name: "pay", input: any }, (t) => {
      const pay = t.task("pay", {}, () => (ran.push("pay"), "paid"), { once: true });
      const items = t.task("items", { pay }, () => ["a", "b", "c"], { repeatable: true });
      const each = t.each(
        "each",
        items,
        (item) => {
          ran.push(item);
          if (item === "b" && broken) throw new Fatal("b is bad");
          return item.toUpperCase();
        },
        { id: (item) => item, repeatable: true },
      );
      const beside = t.task("beside", { pay }, () => (ran.push("beside"), 1), { key: "beside", dedup: "1d" });
      return t.task("end", { each, beside }, ({ each }) => each.join(""));
    });
    const { engine } = await s.engine({ workflows: [wf], limits: { snapshotTailBytesMin: 1 } });
    const first = await engine.start(wf, {});
    await expect(first.result()).rejects.toMatchObject({ message: "b is bad" });
    expect(ran.toSorted()).toEqual(["a", "b", "beside", "c", "pay"]);
    expect(payloadOf((await logOf(s, first.runId)).at(-1))).toMatchObject({ failed: ["each"], blocked: ["end"] });
    broken = false;
    const again = await first.retry();
    expect(await again.result()).toBe("ABC");
    expect(ran.toSorted()).toEqual(["a", "b", "b", "beside", "c", "pay"]);
  });

  it("a person skips, completes, resolves or retries what is held; the log has who and why", proves("TX-15"), async () => {
    const s = await place(make);
    let broken = true;
    const wf = dag({ name: "held", input: any, onFailure: "hold" }, (t) => {
      const nodes = ["skip", "complete", "resolve", "retry"].map((id) =>
        t.task(id, {}, () => {
          if (broken) throw new Fatal(`${id} failed`);
          return "tried again";
        }),
      );
      const [skip, complete, resolve, retry] = nodes as [(typeof nodes)[0], (typeof nodes)[0], (typeof nodes)[0], (typeof nodes)[0]];
      const other = t.task("other", {}, () => "done");
      return t.task("end", { skip, complete, resolve, retry, other }, (d) => ({ ...d, input: null }), { trigger: "none-failed" });
    });
    const { engine, client } = await s.engine({ workflows: [wf] });
    const h = await engine.start(wf, {}, { id: "r" });
    await until(async () => (await linesOf(s, h.runId)).filter((x) => x === "pawl.StepHeld").length === 4);
    broken = false;
    const ann = { by: "ann", reason: "looked at it" };
    await client.act("r", "skip", { do: "skip" }, ann);
    await client.act("r", "complete", { do: "complete", result: 7 }, ann);
    await client.act("r", "resolve", { do: "resolve" }, ann);
    await client.act("r", "retry", { do: "retry" }, ann);
    expect(await h.result()).toEqual({ input: null, complete: 7, retry: "tried again", other: "done" });
    const answers = (await logOf(s, h.runId)).filter((e) => e.eventType === "pawl.DecisionAnswered").map((e) => payloadOf(e));
    expect(answers.map((a) => [a["stepId"], a["answer"], a["by"], a["reason"]])).toEqual(
      ["skip", "complete", "resolve", "retry"].map((id) => [id, id, "ann", "looked at it"]),
    );
    expect((await client.why("r")).map((w) => [w.stepId, w.readiness])).toEqual([
      ["skip", "skipped"],
      ["complete", "succeeded"],
      ["resolve", "resolved"],
      ["retry", "succeeded"],
      ["other", "succeeded"],
      ["end", "succeeded"],
    ]);
  });

  it(
    "evaluate and why from a client without code: not ready is an answer, a failure outranks ready work, and a run ends once whoever asks",
    proves("T-50", "T-51", "T-52", "T-53", "T-58", "T-59", "C12", "TX-03", "TX-17"),
    async () => {
      const s = await place(make);
      const gate = deferred();
      const wf = dag({ name: "standing", input: any }, (t) => {
        const slow = t.task("slow", {}, () => gate.promise);
        const bad = t.task("bad", {}, () => Promise.reject(new Fatal("no such row")));
        const next = t.task("next", { slow }, () => 1);
        t.task("never", { bad }, () => 1);
        return next;
      });
      const sound = dag({ name: "sound", input: any }, (t) => t.task("only", {}, () => gate.promise));
      const { engine } = await s.engine({ workflows: [wf, sound] });
      const h = await engine.start(wf, {}, { id: "r" });
      const good = await engine.start(sound, {}, { id: "g" });
      await until(async () => (await linesOf(s, h.runId)).includes("StepFailed bad"));
      await until(async () => (await linesOf(s, good.runId)).includes("StepStarted only"));
      const client = s.client();
      expect(await client.evaluate("r")).toMatchObject({ status: "blocked-by-failures", final: false, alreadyFinal: false });
      expect(await client.evaluate("g")).toMatchObject({ status: "processing", final: false, alreadyFinal: false, counts: { running: 1 } });
      expect((await client.why("r")).map((w) => [w.stepId, w.readiness, w.waitsFor])).toEqual([
        ["slow", "running", []],
        ["bad", "failed", []],
        ["next", "waiting-for-dependencies", ["slow"]],
        ["never", "blocked", ["bad"]],
      ]);
      gate.open();
      const finalisers = Array.from({ length: 8 }, () => client.evaluate("g"));
      expect((await Promise.all(finalisers)).filter((e) => e.status === "blocked-by-failures")).toEqual([]);
      await good.result();
      expect(await Promise.all([client.evaluate("g"), client.evaluate("g")])).toMatchObject([
        { status: "all-complete", final: true, alreadyFinal: true },
        { status: "all-complete", final: true, alreadyFinal: true },
      ]);
      expect((await linesOf(s, good.runId)).filter((x) => x === "RunCompleted")).toEqual(["RunCompleted"]);
      await expect(h.result()).rejects.toMatchObject({ message: "no such row" });
      expect(await client.evaluate("r")).toMatchObject({ counts: { succeeded: 2, failed: 1, blocked: 1 }, final: true });
    },
  );

  it(
    "which starts are the same run: equal input, the caller's key, never; other content under one version is refused with both digests",
    proves("T-37", "T-06", "TX-09"),
    async () => {
      const s = await place(make);
      const base = { namespace: "shop", version: "1", steps: [{ name: "only", handler: "ask" }] } as const;
      const ask = task({ name: "ask", input: any }, () => "asked");
      const of = (t: Partial<Template>): ReturnType<typeof dagFromTemplate> => dagFromTemplate({ ...base, name: "strict", ...t }, [ask]);
      const [strict, caller, unique] = [
        of({}),
        of({ name: "caller", identity: { strategy: "caller" } }),
        of({ name: "u", identity: { strategy: "unique" } }),
      ];
      const [space, named] = [of({ namespace: "other" }), of({ name: "strict2" })];
      const { engine } = await s.engine({ workflows: [strict, caller, unique, space, named] });
      const first = await engine.start(strict, { a: 1, b: [1, 2] });
      for (const another of [space, named]) expect((await engine.start(another, { a: 1, b: [1, 2] })).created, another.name).toBe(true);
      const same = await engine.start(strict, { b: [1, 2], a: 1 });
      expect([same.runId, same.created]).toEqual([first.runId, false]);
      expect((await engine.start(strict, { a: 1, b: [2, 1] })).created).toBe(true);
      await expect(engine.start(caller, {})).rejects.toMatchObject({ page: "PAWL4012" });
      const k = await engine.start(caller, { a: 1 }, { idempotencyKey: "k" });
      expect((await engine.start(caller, { a: 1 }, { idempotencyKey: "k" })).runId).toBe(k.runId);
      const refused = (await engine.start(caller, { a: 2 }, { idempotencyKey: "k" }).catch((e: unknown) => e)) as Error & { data: object };
      expect(refused).toMatchObject({ page: "PAWL4009" });
      expect(JSON.stringify([refused.message, refused.data])).not.toContain(k.runId);
      expect((await engine.start(unique, { a: 1 })).runId).not.toBe((await engine.start(unique, { a: 1 })).runId);
      const other = of({ description: "changed" });
      const second = await s.engine({ workflows: [other] });
      await expect(second.engine.start(other, { a: 9 })).rejects.toMatchObject({
        page: "PAWL1026",
        data: { registered: expect.stringMatching(/^[0-9a-f]{64}$/), given: expect.stringMatching(/^[0-9a-f]{64}$/) },
      });
      expect(await first.result()).toEqual({ only: "asked" });
      expect(name).toBe(s.name);
    },
  );

  it(
    "a run that nobody can help is found by the sweep, once, and its record has a history; nothing of it is sent again",
    proves("TX-13", "TX-14"),
    async () => {
      const s = await place(make);
      const steps: Template["steps"] = [{ name: "pack", handler: "pack", queue: "nobody" }];
      const wf = dagFromTemplate({ namespace: "shop", name: "parcel", version: "1", stale: { waitingForDependencies: "10m" }, steps }, []);
      const { engine, client } = await s.engine({ workflows: [wf], queues: {}, lease: "10m" });
      const h = await engine.start(wf, {}, { id: "r" });
      await until(async () => (await linesOf(s, h.runId)).includes("StepStarted pack"));
      expect(await client.investigations.list()).toEqual([]);
      for (let m = 0; m < 20; m++) {
        s.advanceClock(60_000);
        await new Promise((done) => setTimeout(done, 30));
      }
      await until(async () => (await client.investigations.list()).length > 0);
      const before = await linesOf(s, h.runId);
      const [found] = await client.investigations.list({ open: true });
      expect(found).toMatchObject({ runId: h.runId, n: 1, why: "no-worker", notes: [{ by: "pawl" }] });
      expect(found!.snapshot).toMatchObject({ status: "RUNNING", steps: [{ stepId: "pack", readiness: "queued" }] });
      const ann = { by: "ann", reason: "the packers are on strike" };
      await expect(client.investigations.open("r", ann)).rejects.toMatchObject({ page: "PAWL4010" });
      await client.investigations.note("r", ann);
      await client.investigations.close("r", "resolved", { by: "ann", reason: "back at work" });
      expect(await client.investigations.list({ open: true })).toEqual([]);
      const second = await client.investigations.open("r", ann);
      expect([second.n, second.why]).toEqual([2, "by-hand"]);
      const all = await client.investigations.list({ open: false, run: "r" });
      expect(all.map((i) => [i.n, i.notes.length, i.closed?.by])).toEqual([[1, 2, "ann"]]);
      expect(await linesOf(s, h.runId)).toEqual(before);
      expect((await s.store.queues.rows({ scope: defaultScope, runId: h.runId, limit: 9 })).map((d) => [d.stepId, d.attempt])).toEqual([
        ["pack", 1],
      ]);
    },
  );
});
