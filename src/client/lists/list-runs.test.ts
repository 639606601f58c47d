// Listing runs through a client: what each filter finds on every store, what is refused, and that a cursor belongs to its filter. How a page
// is bounded is shown by the suite of stores.
import { describe, expect, it } from "vitest";
import { anySchema, storeKinds, testClusters } from "../../../test/support/test-cluster.ts";
import { workflow } from "../../workflow/define.ts";
import { collectRuns } from "./list-runs.ts";
import type { Client, RunFilter } from "../types.ts";

const fresh = testClusters();

const failing = workflow({ name: "failing", input: anySchema<string>() }, async (_, code) => {
  throw Object.assign(new TypeError("no"), code === "" ? {} : { code });
});
const waiting = workflow({ name: "waiting", signals: { go: anySchema() } }, async (ctx) => ctx.receive("go"));
const calling = workflow({ name: "calling" }, async (ctx) => ctx.call(waiting, undefined, { id: "child" }));

describe.each(storeKinds)("%s", (kind) => {
  it("runs are listed by error code, time of creation, caller and what they wait for", async () => {
    const l = await fresh(kind);
    const { engine, client } = await l.engine([failing, waiting, calling]);
    const ids = async (q: RunFilter): Promise<string[]> => (await client.list(q)).runs.map((r) => r.workflowId);
    await l.advanceUntil(engine.run(failing, "E_CARD", { id: "card" }).catch(() => {}));
    await l.platform.advance(1_000);
    await l.advanceUntil(engine.run(failing, "", { id: "type" }).catch(() => {}));
    await l.platform.advance(1_000);
    const parent = await l.advanceUntil(engine.start(calling, undefined, { id: "caller" }));
    await l.advanceUntil(client.waitForChange("child", { timeoutMs: 50 }));
    await l.platform.settle();
    expect(await ids({ errorCode: "E_CARD" })).toEqual(["card"]);
    expect(await ids({ errorCode: "TypeError" })).toEqual(["type"]);
    expect((await client.get("type"))?.errorCode).toBe("TypeError");
    expect((await client.get("caller"))?.errorCode).toBeUndefined();
    const at = (await client.get("type"))?.createdAt ?? "";
    expect(await ids({ since: at })).toEqual(["child", "caller", "type"]);
    expect(await ids({ until: at })).toEqual(["card"]);
    expect(await ids({ since: at, until: new Date(Date.parse(at) + 1).toISOString() })).toEqual(["type"]);
    const offset = `${new Date(Date.parse(at) + 5_400_000).toISOString().slice(0, -1)}+01:30`;
    expect(await ids({ since: offset, status: ["FAILED"] })).toEqual(["type"]);
    expect(await ids({ parent: parent.runId })).toEqual(["child"]);
    expect(await ids({ waiting: "signal" })).toEqual(["child"]);
    expect(await ids({ waiting: "child" })).toEqual(["caller"]);
  });
});

describe("a filter", () => {
  const opened = async (): Promise<Client> => {
    const l = await fresh("memory");
    const { engine, client } = await l.engine([waiting]);
    for (const id of ["a", "b", "c"]) await l.advanceUntil(engine.start(waiting, undefined, { id, tags: { id } }));
    return client;
  };

  it.each([
    ["a status that is none", { status: ["running"] }],
    ["a status that is no list", { status: "FAILED" }],
    ["something that no run waits for", { waiting: "godot" }],
    ["a time without a zone", { since: "2026-01-31T12:00:00" }],
    ["a day that is none", { until: "2026-02-30T12:00:00Z" }],
    ["a number for a time", { since: 5 }],
    ["tags that are no texts", { tags: { a: 1 } }],
    ["a parent that is no text", { parent: 7 }],
    ["a misspelt member, which would match every run", { stauts: ["FAILED"] }],
    ["no run at all", { limit: 0 }],
    ["too many at once", { limit: 1_001 }],
    ["a cursor that is none", { cursor: "page-2" }],
    ["a cursor of a store", { cursor: "WzUsImEiXQ" }],
  ])("that says %s is refused", async (_, q) => {
    await expect((await opened()).list(q as never)).rejects.toMatchObject({ page: "PAWL4011", outcome: "none" });
  });

  it("and its cursor belong together, in whatever order its members are said", async () => {
    const client = await opened();
    const first = await client.list({ status: ["RUNNING", "PENDING"], workflow: "waiting", limit: 1 });
    const { cursor = "" } = first;
    const next = await client.list({ workflow: "waiting", status: ["PENDING", "RUNNING"], limit: 5, cursor });
    expect([...first.runs, ...next.runs].map((r) => r.workflowId)).toEqual(["c", "b", "a"]);
    const otherwise: RunFilter[] = [{ workflow: "waiting" }, {}, { workflow: "waiting", status: ["RUNNING"] }, { tags: { id: "a" } }];
    for (const q of otherwise) await expect(client.list({ ...q, cursor })).rejects.toMatchObject({ page: "PAWL4082", outcome: "none" });
  });

  it("that is misspelt counts nothing, watches nothing and is no batch of all runs", async () => {
    const client = await opened();
    const filter = { stauts: ["FAILED"] } as RunFilter;
    const refused = { page: "PAWL4011", message: 'the filter has no member "stauts"; did you mean "status"?' };
    await expect(client.count(filter)).rejects.toMatchObject(refused);
    await expect(client.batches.create({ filter, action: "cancel", reason: "tidy" })).rejects.toMatchObject(refused);
    expect((await client.batches.list()).batches).toEqual([]);
  });

  it("that few match is asked for page by page until there are enough", async () => {
    const client = await opened();
    const asked: RunFilter[] = [];
    const list = (q: RunFilter): ReturnType<Client["list"]> => (asked.push(q), client.list({ ...q, limit: 1 }));
    expect((await collectRuns(list, {}, 2)).runs.map((r) => r.workflowId)).toEqual(["c", "b"]);
    expect(asked.map((q) => q.limit)).toEqual([2, 1]);
    const all = await collectRuns(list, {}, 9);
    expect([all.runs.length, all.cursor]).toEqual([3, undefined]);
  });
});
