// Pages of what follows from logs: steps, decisions, effects. Whatever the size of a page, all pages together hold everything once; a page
// reads a bounded part of the store, and a log that has not grown is not read again.
import { describe, expect, it } from "vitest";
import type { FullStore } from "../../store/full-store.ts";
import { storeKinds, testClusters, type ClusterEngine, type TestCluster } from "../../../test/support/test-cluster.ts";
import { workflow } from "../../workflow/define.ts";

const fresh = testClusters();

/** How often each verb of the store was called. */
function counted(calls: Map<string, number>): (s: FullStore) => FullStore {
  return (s) =>
    new Proxy(s, {
      get(t, name) {
        const verb = Reflect.get(t, name) as unknown;
        if (typeof verb !== "function") return verb;
        return (...args: unknown[]) => {
          calls.set(String(name), (calls.get(String(name)) ?? 0) + 1);
          return (verb as (...a: unknown[]) => unknown).apply(t, args);
        };
      },
    });
}

const busy = workflow({ name: "busy" }, async (ctx) => {
  for (let i = 0; i < 25; i++) await ctx.step("s", () => ({ i }), { key: `k${i % 5}`, dedup: "1h", input: i } as never);
  return 1;
});
const asking = workflow({ name: "asking" }, async (ctx) =>
  Promise.all(["a", "b", "c"].map((name) => ctx.step(name, () => 1, { approve: true } as never))),
);

async function pagesOf<P extends { readonly cursor?: string }>(read: (cursor?: { cursor: string }) => Promise<P>): Promise<P[]> {
  const pages: P[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor === undefined ? undefined : { cursor });
    pages.push(page);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return pages;
}

describe.each(storeKinds)("%s", (kind) => {
  const opened = async (calls: Map<string, number>): Promise<{ l: TestCluster; e: ClusterEngine }> => {
    const l = await fresh(kind);
    return { l, e: await l.engine([busy, asking], { wrap: counted(calls) }) };
  };

  it("steps come page by page, and their log is read once until it grows", async () => {
    const calls = new Map<string, number>();
    const { l, e } = await opened(calls);
    await l.advanceUntil(e.engine.run(busy, undefined, { id: "a" }));
    const { client } = e;
    const all = await client.steps("a");
    expect(all).toHaveLength(25);
    calls.clear();
    const pages = await pagesOf((from) => client.stepPage("a", { limit: 10, ...from }));
    expect(pages.map((p) => p.steps.length)).toEqual([10, 10, 5]);
    expect(pages.flatMap((p) => p.steps)).toEqual(all);
    expect(calls.get("events") ?? 0).toBe(0);
    const { cursor = "" } = pages[0]!;
    await l.advanceUntil(e.engine.run(busy, undefined, { id: "b" }));
    await expect(client.stepPage("b", { cursor })).rejects.toMatchObject({ page: "PAWL4082" });
    await expect(client.stepPage("a", { cursor: "5" })).rejects.toMatchObject({ page: "PAWL4011" });
    await expect(client.stepPage("a", { limit: 0 })).rejects.toMatchObject({ page: "PAWL4011" });
  });

  it("a page of effects costs the same number of reads, however many effects it has", async () => {
    const calls = new Map<string, number>();
    const { l, e } = await opened(calls);
    await l.advanceUntil(e.engine.run(busy, undefined, { id: "a" }));
    calls.clear();
    const { effects } = await e.client.effects({ limit: 50 });
    expect(effects.map((x) => [x.result, x.argumentsDiffer])).toEqual(Array.from({ length: 25 }, (_, i) => [{ i }, true]));
    expect([calls.get("effects"), calls.get("reusedKeys"), calls.get("payloadsAt"), calls.get("events") ?? 0]).toEqual([1, 1, 1, 0]);
    const pages = await pagesOf((from) => e.client.effects({ name: "s", limit: 10, ...from }));
    expect(pages.flatMap((p) => p.effects.map((x) => x.effectId))).toEqual(effects.map((x) => x.effectId));
    await expect(e.client.effects({ cursor: pages[0]?.cursor ?? "" })).rejects.toMatchObject({ page: "PAWL4082" });
  });

  it("decisions come page by page, across runs and within one, and an answered one leaves out no other", async () => {
    const calls = new Map<string, number>();
    const { l, e } = await opened(calls);
    for (const id of ["x", "y", "z"]) {
      await l.advanceUntil(e.engine.start(asking, undefined, { id }));
      await l.platform.advance(5);
    }
    const { client } = e;
    const name = (d: { workflowId: string; approval?: { stepId: string } }): string => `${d.workflowId}${d.approval?.stepId ?? ""}`;
    const all = (await client.decisions()).map(name);
    expect(all).toEqual(["za", "zb", "zc", "ya", "yb", "yc", "xa", "xb", "xc"]);
    calls.clear();
    for (const limit of [1, 2, 3, 4, 9]) {
      const pages = await pagesOf((from) => client.decisionPage({ limit, ...from }));
      expect(pages.flatMap((p) => p.decisions.map(name))).toEqual(all);
      expect(pages.every((p) => p.decisions.length <= limit)).toBe(true);
    }
    expect(calls.get("events") ?? 0, "the logs have not grown").toBe(0);
    expect((await client.decisions({ limit: 4 })).map(name)).toEqual(all.slice(0, 4));
    const first = await client.decisionPage({ limit: 2 });
    await l.advanceUntil(client.resolve(first.decisions[1]!.decisionId, { approve: true, by: "ann", reason: "fine" }));
    await l.platform.advance(100);
    const rest = await pagesOf((from) => client.decisionPage({ limit: 2, cursor: first.cursor ?? "", ...from }));
    const seen = rest.flatMap((p) => p.decisions.map(name));
    for (const d of ["zc", "ya", "yb", "yc", "xa", "xb", "xc"])
      expect(
        seen.filter((s) => s === d),
        d,
      ).toEqual([d]);
    await expect(client.decisionPage({ cursor: (await client.list({ limit: 1 })).cursor ?? "" })).rejects.toMatchObject({
      page: "PAWL4082",
    });
  });
});
