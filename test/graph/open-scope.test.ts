// What a node leaves open when it returns, killed at every moment: the loser of a race, a step that nobody awaits, a loop over signals that is left. The next
// owner ends the run as an undisturbed one ends: no signal is lost or taken twice, nothing stays open behind its node, and what was booked is
// undone once.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { append, graph, sum } from "../../src/graph.ts";
import { task } from "../../src/index.ts";
import { proves } from "../support/proves.ts";
import { payloadOf, storeKinds, testClusters, type ClusterEngine, type TestCluster } from "../support/test-cluster.ts";
import { wholeDose } from "../support/whole-dose.ts";

const fresh = testClusters();

interface Seen {
  readonly booked: string[];
  readonly undone: string[];
}

function made(seen: Seen) {
  const book = task({ name: "book", input: z.string() }, (what) => (seen.booked.push(what), what), {
    key: (what) => what,
    dedup: "1d",
    compensate: { undo: (what) => void seen.undone.push(what), key: (what) => `undo ${what}`, dedup: "1d" },
  });
  return graph({ name: "open", state: { got: append<string>(), n: sum() }, tasks: [book], signals: { go: z.string() } })
    .nodes({
      race: async (_s, ctx) => {
        // Loses; waits until it is told to stop.
        const lost = ctx.step("lost", (s) => new Promise((_r, no) => s.signal.addEventListener("abort", () => no(new Error("aborted")))), {
          repeatable: true,
        });
        lost.catch(() => {});
        ctx.do(book, "nobody awaits it").catch(() => {});
        await Promise.race([ctx.receive("go"), ctx.sleep("short", 100)]);
        return { got: "timer" };
      },
      loop: async (_s, ctx) => {
        const got: string[] = [];
        for await (const v of ctx.receiveAll("go")) {
          got.push(await ctx.step(`take ${got.length}`, () => v, { repeatable: true }));
          if (got.length === 2) break;
        }
        return { got, n: 1 };
      },
      last: async (_s, ctx) => {
        const got = await ctx.receive("go");
        await ctx.do(book, "hotel");
        if (got === "third") ctx.fail("no money");
      },
    })
    .edges({ start: "race", race: "loop", loop: "last", last: "end" });
}

/** Signals come once the race is over, from outside, whoever owns the run then. The first owner may die before and after that. */
async function play(l: TestCluster, killAt: number): Promise<{ readonly died: boolean; readonly runId: string; readonly seen: Seen }> {
  const seen: Seen = { booked: [], undone: [] };
  const g = made(seen);
  let hits = 0;
  const limits = { snapshotTailBytesMin: killAt % 2 === 0 ? 1 : 131_072 };
  const outside = (await l.engine([])).client;
  const one = await l.engine([g], { lease: "1s", limits, onHit: () => ++hits === killAt });
  one.engine.start(g, {}, { id: "o" }).catch(() => {}); // of an engine that dies meanwhile it is never answered
  let next: ClusterEngine | undefined;
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    for (let t = 0; t < 400; t++) {
      if (!one.alive && next === undefined) {
        next = await l.engine([g], { lease: "1s", limits });
        if ((await outside.get("o")) === undefined) await next.engine.start(g, {}, { id: "o" });
      }
      if (await isSo()) return;
      await l.platform.advance(250);
    }
    throw new Error(`killed at ${killAt}, it did not continue: ${(await l.lines((await l.byWorkflowId("o")).runId)).join("; ")}`);
  };
  await until(async () => {
    const run = await outside.get("o");
    return run !== undefined && (await l.lines(run.runId)).includes("StepStarted 2/loop/go");
  });
  const { runId } = (await outside.get("o"))!;
  for (const v of ["first", "second", "third"]) await outside.signal(runId, "go", v, { signalId: v });
  await until(async () => (await outside.get(runId))!.status === "FAILED");
  return { died: !one.alive, runId, seen };
}

describe.each(storeKinds)("%s", (kind) => {
  it("killed at any moment, nothing that was open is lost, taken twice or undone twice", proves("L-51", "L-52"), async () => {
    let deaths = 0;
    const every = wholeDose ? 1 : 3;
    for (let killAt = 1; killAt < 60; killAt += kind === "memory" ? every : every * 4) {
      const l = await fresh(kind, 7);
      const { died, runId, seen } = await play(l, killAt);
      if (!died) break;
      deaths++;
      const log = await l.log(runId);
      const where = `killed at ${killAt}`;
      const steps = log.filter((e) => e.eventType === "pawl.Superstep").map((e) => payloadOf(e)["n"]);
      expect(steps, where).toEqual([0, 1, 2]);
      const taken = log.filter((e) => e.eventType === "StepCompleted" && /\/go(~\d+)?$/.test(e.stepId!));
      expect(
        taken.map((e) => payloadOf(e)["result"]),
        where,
      ).toEqual(["first", "second", "third"]);
      const ended = new Set(log.filter((e) => /^Step(Completed|Failed)$/.test(e.eventType)).map((e) => e.stepId));
      const begun = log.filter((e) => e.eventType === "StepStarted").map((e) => e.stepId);
      expect(
        begun.filter((id) => !ended.has(id)),
        `${where}: nothing stays open`,
      ).toEqual([]);
      // KEYED: a key that is sent twice is one booking, and one undo.
      expect([...new Set(seen.booked)].toSorted(), where).toEqual(["hotel", "nobody awaits it"]);
      expect([...new Set(seen.undone)].toSorted(), `${where}: undone once`).toEqual(["hotel", "nobody awaits it"]);
    }
    expect(deaths).toBeGreaterThan(3);
  });
});

describe.each(storeKinds)("%s", (kind) => {
  it("code that a node left running calls nothing more: no step, and no view behind the superstep's end", async () => {
    const l = await fresh(kind);
    const refused: string[] = [];
    const g = graph({ name: "leaves", state: { n: sum() }, signals: { go: z.string() }, views: { at: z.string() } })
      .nodes({
        a: async (_s, ctx) => {
          ctx.publish("at", "a");
          const later = async (): Promise<void> => {
            await ctx.step("late", () => 1, { repeatable: true });
            for (let i = 0; i < 50; i++) await Promise.resolve(); // the superstep has ended meanwhile
            ctx.publish("at", "too late");
          };
          later().catch((e: unknown) => refused.push((e as { code: string }).code));
          return { n: 1 };
        },
        b: async (_s, ctx) => {
          await ctx.receive("go");
          ctx.publish("at", "b");
        },
      })
      .edges({ start: "a", a: "b", b: "end" });
    const one = await l.engine([g], { lease: "1s" });
    const h = await one.engine.start(g, {}, { id: "v" });
    await l.advanceUntilLine(h.runId, "StepStarted 2/b/go");
    expect(refused).toEqual(["PAWL1015"]);
    expect(await h.view("at")).toBe("a");
    one.kill(); // the next owner begins behind the first superstep, and knows nothing of what it left running
    const two = await l.engine([g], { lease: "1s" });
    await two.client.signal("v", "go", "on");
    expect((await l.advanceUntil(two.client.waitForEnd(h.runId))).status).toBe("COMPLETED");
    expect(await two.client.view("v", "at")).toBe("b");
  });
});
