// What a node's time limit means for what the node has open: waits are given up, what may repeat is stopped, and what may not is awaited, since stopping it
// says nothing of what it did. The time counts from an item's own first step, and over a change of owner.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { append, graph, last, send } from "../../src/graph.ts";
import { replayGraph } from "../../src/testing.ts";
import { proves } from "../support/proves.ts";
import { deferred, payloadOf, storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it("an item that waits for its turn loses no time; the time goes on when its engine has died", proves("LX-17"), async () => {
    const l = await fresh(kind);
    const g = graph({ name: "turns", state: { done: append<number>(), late: append<string>() }, concurrency: 1 })
      .nodes(({ each }) => ({
        rest: each(
          z.number(),
          async (ms, _s, ctx) => {
            await ctx.sleep("rest", ms);
            return { done: ms };
          },
          { timeout: "20s" },
        ),
        help: (_s, ctx) => ({ late: ctx.failures.map((f) => `${f.item} ${f.code}`) }),
      }))
      .edges(
        { start: () => [15_000, 15_001, 25_000].map((ms) => send("rest", ms)), rest: "end", help: "end" },
        { catch: { rest: "help" } },
      );
    const one = await l.engine([g], { lease: "1s" });
    const h = await one.engine.start(g, {}, { id: "t" });
    await l.advanceUntilLine(h.runId, "StepStarted 1/rest~3/rest");
    one.kill();
    await l.platform.advance(10_000);
    const two = await l.engine([g], { lease: "1s" });
    expect((await l.advanceUntil(two.client.waitForEnd(h.runId))).result).toEqual({ done: [15_000, 15_001], late: ["1/rest~3 PAWL1057"] });
    const at = async (line: string): Promise<number> =>
      (await l.log(h.runId)).find((e) => `${e.eventType} ${e.stepId}` === line)!.persistedAt;
    const kept = (await l.log(h.runId)).find((e) => e.eventType === "StepFailed" && e.stepId === "1/rest/node%20deadline");
    expect(payloadOf(kept), "a deadline that was kept").toMatchObject({
      category: "ABANDONED",
      error: { message: "the node that called this step has ended" },
    });
    const took = (await at("StepCompleted 1/rest~3/node%20deadline")) - (await at("StepStarted 1/rest~3/rest"));
    expect(took >= 20_000 && took <= 20_200, String(took)).toBe(true); // within 1%
  });

  it("what may repeat is stopped; what may not is awaited to its end, recorded, and the node has failed all the same", async () => {
    const l = await fresh(kind);
    const heard: string[] = [];
    const answers = deferred<string>();
    const hears = (name: string) => (s: { signal: AbortSignal }) =>
      new Promise<never>((_r, no) => s.signal.addEventListener("abort", () => (heard.push(name), no(new Error("stopped")))));
    const g = graph({ name: "limits", state: { why: last("") } })
      .nodes(({ node }) => ({
        slow: node(
          async (_s, ctx) => {
            const sent = ctx.step("send", (s) => Promise.race([answers.promise, hears("send")(s)]), { once: true });
            await Promise.all([sent, ctx.step("read", hears("read"), { repeatable: true, retry: { attempts: 3 } })]);
          },
          { timeout: "2s" },
        ),
        help: (_s, ctx) => ({ why: ctx.failures.map((f) => `${f.code} ${f.message}`).join() }),
      }))
      .edges({ start: "slow", slow: "end", help: "end" }, { catch: { slow: "help" } });
    const { engine } = await l.engine([g]);
    const h = await engine.start(g, {}, { id: "l" });
    await l.advanceUntilLine(h.runId, "StepFailed 1/slow/read");
    await l.platform.advance(5_000);
    expect(heard).toEqual(["read"]);
    expect(
      (await l.lines(h.runId)).filter((x) => x === "pawl.Superstep"),
      "the superstep is open",
    ).toHaveLength(1);
    answers.open("arrived");
    expect(await l.advanceUntil(h.result())).toEqual({ why: "PAWL1057 node slow did not end within 2000 ms" });
    const log = await l.log(h.runId);
    expect(payloadOf(log.find((e) => e.eventType === "StepCompleted" && e.stepId === "1/slow/send"))["result"]).toBe("arrived");
    expect(
      log.filter((e) => e.eventType === "StepFailed" && e.stepId === "1/slow/read"),
      "and not tried again",
    ).toHaveLength(1);
  });

  it("an effect that may not repeat and never answers is in doubt by its own limit: the superstep is open until a person decides", async () => {
    const l = await fresh(kind);
    const g = graph({ name: "doubt", state: { why: last("") } })
      .nodes(({ node }) => ({
        slow: node(async (_s, ctx) => void (await ctx.step("send", () => new Promise(() => {}), { once: true, timeout: "10s" })), {
          timeout: "2s",
        }),
        help: (_s, ctx) => ({ why: ctx.failures[0]!.code }),
      }))
      .edges({ start: "slow", slow: "end", help: "end" }, { catch: { slow: "help" } });
    const { engine, client } = await l.engine([g]);
    const h = await engine.start(g, {}, { id: "d" });
    await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
    await l.platform.advance(60_000);
    expect((await l.lines(h.runId)).filter((x) => x === "pawl.Superstep")).toHaveLength(1);
    const [decision] = await client.decisions();
    expect(decision).toMatchObject({ kind: "effect", step: { stepId: "1/slow/send" } });
    await l.advanceUntil(client.resolve(decision!.decisionId, { happened: false, by: "ann", reason: "nothing there" }));
    expect(await l.advanceUntil(h.result())).toEqual({ why: "PAWL1057" });
    expect(
      (await l.lines(h.runId)).filter((x) => x.startsWith("StepStarted 1/slow/send")),
      "not sent again: nobody waits for it",
    ).toHaveLength(1);
  });

  it("a step that waits to be tried again when its node ends is not tried again: the superstep ends, over a killed engine too", async () => {
    const l = await fresh(kind);
    let tried = 0;
    const g = graph({ name: "lost", state: { done: append<string>() }, signals: { go: z.string() } })
      .nodes({
        race: async (_s, ctx) => {
          const fails = (): never => {
            tried++;
            throw new Error("no");
          };
          ctx.step("lost", fails, { key: "lost", dedup: "1d", retry: { attempts: 3, initial: "1h" } }).catch(() => {});
          await ctx.sleep("short", "2s");
          return { done: "race" };
        },
        wait: async (_s, ctx) => ({ done: await ctx.receive("go") }),
      })
      .edges({ start: "race", race: "wait", wait: "end" });
    const one = await l.engine([g], { lease: "1s", limits: { snapshotTailBytesMin: 1 } });
    const h = await one.engine.start(g, {}, { id: "l" });
    await l.advanceUntilLine(h.runId, "StepFailed 1/race/lost");
    if (kind === "sqlite") one.kill(); // the next owner ends the node
    const two = await l.engine([g], { lease: "1s", limits: { snapshotTailBytesMin: 1 } });
    await l.advanceUntilLine(h.runId, "StepStarted 2/wait/go");
    one.kill();
    await l.platform.advance(5_000);
    await two.client.signal("l", "go", "went");
    expect((await l.advanceUntil(two.client.waitForEnd(h.runId))).result).toEqual({ done: ["race", "went"] });
    expect(tried).toBe(1);
    const log = await l.log(h.runId);
    expect(payloadOf(log.find((e) => e.eventType === "StepSkipped"))).toEqual({ why: "abandoned", by: [] });
    expect(log.at(-1)!.persistedAt - log[0]!.persistedAt, "nothing waited for the hour").toBeLessThan(60_000);
    expect(JSON.stringify(await two.client.why("l", "1/race/lost"))).toContain("the node that called it has ended");
    expect((await two.client.verifyStore()).findings, "ledger and log agree").toEqual([]);
    const again = (await two.engine.get(g, "l"))!;
    expect((await replayGraph(g, again.events({ follow: false }))).mismatches).toEqual([]);
  });
});
