// Cases about runs as rows: creating them, naming them, finding them again. A row is compared whole, so that a field which
// a store forgets is found here.
import type { Commit, RunRow } from "../port.ts";
import { equal, kind, ok, present, throws, unanswered } from "./assert.ts";
import { commitOne, create, otherScope, event, next, owned, rowOf, scope } from "./build.ts";
import { type SuiteCase, suiteCase } from "./bundle.ts";

export const runCases: readonly SuiteCase[] = [
  suiteCase("a new store works at once, knows its format and its identity", ["L-24"], async ({ store }) => {
    const info = await store.info();
    equal([info.format, info.oldestReader, info.oldestWriter, info.incarnation], [8, 1, 8, 1], "formats");
    equal(info.identity, info.identityRecorded, "K4: a store that was never moved");
    equal(info.engines, [], "engines");
    ok(info.storeId.length > 0, "a store has an id");
    equal((await store.runs({ scope, limit: 10 })).runs, [], "runs");
  }),

  suiteCase("an event is found again by its key, with its eventId, runSeq and persistedAt", ["D-074", "D-075"], async ({ store }) => {
    await commitOne(store, create("a", {}, { events: [event(1), event(2)] }));
    const [second] = await store.events({ runId: "a", idempotencyKey: "key-2" });
    equal(
      [second?.eventId, second?.runSeq, second?.persistedAt],
      ["event-2", 2, (await rowOf(store, "a")).persistedAt],
      "the stored record",
    );
    equal(await store.events({ runId: "a", idempotencyKey: "key-3" }), [], "no such key");
    equal(await store.events({ runId: "b", idempotencyKey: "key-2" }), [], "no such run");
  }),

  suiteCase("events are found by their places, each once and in order, whatever else is asked for", [], async ({ store }) => {
    await commitOne(store, create("a", {}, { events: [1, 2, 3, 4].map((n) => event(n)) }));
    const found = await store.events({ runId: "a", runSeqs: [4, 1, 9, 4, 3] });
    equal(
      found.map((e) => [e.runSeq, e.eventId, e.payload]),
      [1, 3, 4].map((n) => [n, `event-${n}`, `{"n":${n}}`]),
      "events",
    );
    equal(await store.events({ runId: "a", runSeqs: [] }), [], "none asked");
    equal(await store.events({ runId: "b", runSeqs: [1] }), [], "another run");
  }),

  suiteCase("a created run is read back with every field that it was given", ["K20"], async ({ store }) => {
    const nowMs = (await store.info()).nowMs;
    const run = {
      tags: { team: "a", "": "empty", __proto__x: "y" },
      idempotencyKey: "start-1",
      deadlineInMs: 5_000,
      originalRunId: "before",
      rootRunId: "root",
      parentRunId: "parent",
      parentStepId: "call/1",
      owner: "engine-1",
      fence: { epoch: 7, token: "t" },
    };
    const more: Partial<Commit> = { events: [event(1), event(3)], waiting: "signal", due: { at: null, inMs: 250 }, exactVersion: true };
    const answer = await store.commit([create("a", run, more)]);
    equal(answer, { answers: [{ kind: "committed", persistedAt: nowMs, dueAt: nowMs + 250, children: [] }], renewal: null }, "answer");
    const { deadlineInMs, ...kept } = run;
    const expected: RunRow = {
      ...kept,
      runId: "a",
      scope,
      workflowId: "order-a",
      generation: 1,
      workflow: "order",
      version: "1",
      status: "PENDING",
      waiting: "signal",
      stateVersion: 1,
      commitId: "create-a",
      headSeq: 3,
      headLink: "link-3",
      persistedAt: nowMs,
      dueAt: nowMs + 250,
      createdAt: nowMs,
      deadlineAt: nowMs + deadlineInMs,
      inputDigest: "digest",
      idleClaims: 0,
      exactVersion: true,
      origin: "engine",
      expiredAt: null,
      purgedAt: null,
      errorCode: null,
    };
    equal(await rowOf(store, "a"), expected, "by runId");
    equal(await store.run({ scope, workflowId: "order-a" }), expected, "by workflowId");
    equal(await store.run({ runId: "b" }), undefined, "a run that is not there");
  }),

  suiteCase("a run that failed keeps what its failure is listed by, whichever Commit failed it", [], async ({ store }) => {
    const rows = [await owned(store, "a"), await owned(store, "b"), await owned(store, "c")];
    const code = "E_CARD ü '";
    await commitOne(store, next(rows[0]!, { status: "FAILED", errorCode: code, events: [event(1)] }));
    const many = [next(rows[1]!, { status: "FAILED", errorCode: "E2" }), next(rows[2]!, { status: "COMPLETED" })];
    const made = [create("d", {}, { status: "FAILED", errorCode: "E4" }), create("e", {}, { status: "FAILED" })];
    equal(new Set((await store.commit([...many, ...made])).answers.map((x) => x.kind)), new Set(["committed"]), "a batch");
    const external = create("x", { origin: "external" }, { status: "FAILED", errorCode: "EX", due: { at: null, inMs: null } });
    await commitOne(store, external);
    await commitOne(store, next(await rowOf(store, "x"), { status: "FAILED", events: [event(1)], due: { at: null, inMs: null } }));
    const codes = await Promise.all(["a", "b", "c", "d", "e", "x"].map(async (id) => (await rowOf(store, id)).errorCode));
    equal(codes, [code, "E2", null, "E4", null, "EX"], "codes; a later Commit without one leaves it");
  }),

  suiteCase("a caller cannot change a stored row through what it gave or got", [], async ({ store }) => {
    const tags: Record<string, string> = { team: "a" };
    await commitOne(store, create("a", { tags }, { events: [event(1)] }));
    tags["team"] = "b";
    const row = (await rowOf(store, "a")) as { tags: Record<string, string>; status: string };
    row.tags["team"] = "c";
    row.status = "FAILED";
    const [e] = (await store.events({ runId: "a", after: 0, limit: 1 })) as unknown as { payload: string }[];
    present(e, "event").payload = "changed";
    const after = await rowOf(store, "a");
    equal([after.tags, after.status], [{ team: "a" }, "PENDING"], "row");
    equal((await store.events({ runId: "a", after: 0, limit: 1 }))[0]?.payload, '{"n":1}', "event");
  }),

  suiteCase("a workflowId has one unsettled run, and its runs are numbered", ["K9", "K19"], async ({ store }) => {
    const first = await owned(store, "a");
    const second = create("b", { workflowId: "order-a" });
    const taken = kind((await store.commit([second])).answers[0], "conflict");
    equal([taken.by, taken.existing.runId], ["workflowId", "a"], "an unsettled run");
    const early = create("b", { workflowId: "order-a", supersedes: "a" });
    equal(kind((await store.commit([early])).answers[0], "conflict").by, "workflowId", "superseding needs a settled run");
    await commitOne(store, next(first, { status: "COMPLETED" }));
    equal(kind((await store.commit([second])).answers[0], "conflict").existing.runId, "a", "null supersedes no run at all");
    await commitOne(store, early);
    const late = create("c", { workflowId: "order-a", supersedes: "a" });
    equal(kind((await store.commit([late])).answers[0], "conflict").existing.runId, "b", "only the latest is superseded");
    const latest = present(await store.run({ scope, workflowId: "order-a" }), "latest");
    equal([latest.runId, latest.generation, (await rowOf(store, "a")).generation], ["b", 2, 1], "generations");
    equal(await store.run({ runId: "c" }), undefined, "a conflict writes nothing");
  }),

  suiteCase("a start key belongs to one run of its scope", ["C2"], async ({ store }) => {
    await commitOne(store, create("a", { idempotencyKey: "k" }));
    const again = kind((await store.commit([create("b", { idempotencyKey: "k" })])).answers[0], "conflict");
    equal([again.by, again.existing.runId], ["idempotencyKey", "a"], "the second start");
    equal(await store.run({ runId: "b" }), undefined, "the second run");
    await commitOne(store, create("c", { idempotencyKey: "K" }));
    await commitOne(store, create("d", { idempotencyKey: "k", scope: otherScope }));
    const found = async (s: typeof scope, key: string): Promise<unknown> => (await store.run({ scope: s, idempotencyKey: key }))?.runId;
    equal(
      [
        await found(scope, "k"),
        await found(scope, "K"),
        await found(otherScope, "k"),
        await found(otherScope, "K"),
        await found(scope, "none"),
      ],
      ["a", "c", "d", undefined, undefined],
      "found by the key",
    );
  }),

  suiteCase("a create that died before its commit left nothing, after it is answered as the same create", ["C1", "C2"], async (b) => {
    const c = create("a", { idempotencyKey: "k" }, { events: [event(1)] });
    b.failAt("engine:create");
    ok(await unanswered(() => b.store.commit([c])), "the process dies before COMMIT");
    equal(await b.store.run({ runId: "a" }), undefined, "nothing exists");
    equal((await b.store.events({ runId: "a", after: 0, limit: 9 })).length, 0, "no events");
    b.failAt("engine:created");
    ok(await unanswered(() => b.store.commit([c])), "the process dies after COMMIT");
    kind((await b.store.commit([c])).answers[0], "duplicate");
    equal((await b.store.runs({ scope, limit: 9 })).runs.length, 1, "one run");
    equal((await b.store.events({ runId: "a", after: 0, limit: 9 })).length, 1, "one event");
  }),

  suiteCase("a run id is used once, and a create asked again is a duplicate", ["K9", "K10", "C2"], async ({ store }) => {
    const c = create("a");
    await commitOne(store, c);
    kind((await store.commit([c])).answers[0], "duplicate");
    const other = { ...create("a", { workflowId: "another" }), commitId: "other" };
    equal(kind((await store.commit([other])).answers[0], "conflict").by, "runId", "another create of the same run");
  }),

  suiteCase("runs are listed newest first, page by page, without gaps or repeats", [], async (b) => {
    for (const runId of ["a", "b", "c", "d", "e"]) {
      await commitOne(b.store, create(runId, { tags: { even: String("bd".includes(runId)) } }));
      if (runId !== "b") b.advanceClock(1);
    }
    const first = await b.store.runs({ scope, limit: 2 });
    const second = await b.store.runs({ scope, limit: 2, cursor: present(first.cursor, "cursor") });
    const third = await b.store.runs({ scope, limit: 2, cursor: present(second.cursor, "cursor") });
    const pages = [first, second, third].map((p) => p.runs.map((r) => r.runId));
    equal(pages, [["e", "d"], ["c", "b"], ["a"]], "pages; b and c were made in the same millisecond");
    equal(third.cursor, undefined, "the last page has no cursor");
    await throws("PAWL4011", () => b.store.runs({ scope, limit: 2, cursor: "nonsense" }));
  }),

  suiteCase("a listing is narrowed by status, workflow, workflowId, parent and tags", [], async ({ store }) => {
    await commitOne(store, create("a", { tags: { team: "x", kind: "1" } }));
    await commitOne(store, create("b", { workflow: "refund", tags: { team: "x" }, parentRunId: "a" }));
    await commitOne(store, create("c", { tags: { team: "X" } }, { status: "RUNNING" }));
    const ids = async (q: object): Promise<string[]> => (await store.runs({ scope, limit: 9, ...q })).runs.map((r) => r.runId).sort();
    equal(await ids({ status: ["RUNNING", "FAILED"] }), ["c"], "status");
    equal(await ids({ status: [] }), [], "no status");
    equal(await ids({ workflow: "refund" }), ["b"], "workflow");
    equal(await ids({ workflowId: "order-c" }), ["c"], "workflowId");
    equal(await ids({ parentRunId: "a" }), ["b"], "parent");
    equal(await ids({ tags: { team: "x" } }), ["a", "b"], "one tag");
    equal(await ids({ tags: { team: "x", kind: "1" } }), ["a"], "two tags");
    equal(await ids({ tags: { missing: "x" } }), [], "a tag that nobody has");
  }),

  suiteCase("a scope sees only its own runs, whatever its parts contain", ["I11"], async ({ store }) => {
    const tricky = { tenantId: "a/b", projectId: "c", environmentId: "" };
    const twin = { tenantId: "a", projectId: "b/c", environmentId: "" };
    await commitOne(store, create("a", { scope: tricky, workflowId: "same" }));
    await commitOne(store, create("b", { scope: twin, workflowId: "same" }));
    equal(
      (await store.runs({ scope: tricky, limit: 9 })).runs.map((r) => r.runId),
      ["a"],
      "listing",
    );
    equal((await store.run({ scope: twin, workflowId: "same" }))?.runId, "b", "by workflowId");
    equal((await rowOf(store, "a")).scope, tricky, "the scope itself");
    equal(await store.run({ scope, workflowId: "same" }), undefined, "a third scope");
  }),

  suiteCase("a closed store answers nothing", [], async ({ store, reopen: again }) => {
    const other = await again();
    await other.close();
    await throws("PAWL3009", () => other.run({ runId: "a" }));
    await throws("PAWL3009", () => other.commit([create("a")]));
    equal(await store.run({ runId: "a" }), undefined, "the first store continues");
  }),
];
