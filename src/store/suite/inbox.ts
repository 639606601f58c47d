// Cases about messages: accepted once, remembered across the workflowId's runs, never lost, never delivered twice (I9).
// What is compared is the canonical result, never the envelope that carried it.
import { parseStorageKey, payloadDigest, storageKey } from "../keys.ts";
import type { InboxKind, Post } from "../port.ts";
import { equal, kind, ok, throws } from "./assert.ts";
import { commitOne, create, otherScope, event, message, next, owned, rowOf, scope } from "./build.ts";
import { type SuiteCase, suiteCase } from "./bundle.ts";

export const inboxCases: readonly SuiteCase[] = [
  suiteCase(
    "an accepted message has a record with every field, and its payload under the record's key",
    ["W-057", "W-058", "W-059", "W-060", "W-061", "W-062", "W-063", "W-064"],
    async ({ store }) => {
      await owned(store, "a");
      const { nowMs } = await store.info();
      const { record, replayed } = kind(await store.post(message("s1", { retainMs: 500 })), "accepted");
      const { inboxId, ...rest } = record;
      equal(
        rest,
        {
          version: 1,
          workflowId: "order-a",
          kind: "signal",
          name: "paid",
          id: "s1",
          storageKey: storageKey({ scope, workflowId: "order-a", kind: "signal", name: "paid", id: "s1" }),
          acceptedAt: nowMs,
          expiresAt: nowMs + 500,
          runId: "a",
          response: `{"accepted":true,"workflowId":"order-a","signalName":"paid","signalId":"s1","acceptedAt":"${new Date(nowMs).toISOString()}","signalStorageKey":"${storageKey({ scope, workflowId: "order-a", kind: "signal", name: "paid", id: "s1" })}"}`,
          reply: null,
          by: null,
          payloadDigest: payloadDigest('{"id":"s1"}'),
          rejected: null,
        },
        "record",
      );
      equal(replayed, false, "the first time");
      const row = { inboxId, runId: "a", kind: "signal", name: "paid", id: "s1", payload: '{"id":"s1"}', acceptedAt: nowMs };
      const { by, payloadDigest: digest, rejected } = rest;
      const state = { taken: false, consumed: false, reply: null, by, payloadDigest: digest, rejected };
      equal(await store.inbox({ runId: "a" }), [{ ...row, ...state }], "inbox");
    },
  ),

  suiteCase("a duplicate gets the first answer and is not enqueued again", ["W-051", "W-074", "W-096"], async (b) => {
    await owned(b.store, "a");
    const first = kind(await b.store.post(message("s1")), "accepted");
    b.advanceClock(5);
    const second = kind(await b.store.post(message("s1", { payload: '"something else"' })), "accepted");
    equal(second, { ...first, replayed: true }, "the canonical result");
    equal(
      (await b.store.inbox({ runId: "a" })).map((r) => r.payload),
      ['{"id":"s1"}'],
      "the first payload, once",
    );
  }),

  suiteCase(
    "a message keeps who sent it first and a digest of its payload, and the reason for which its run's owner rejected it",
    ["W-051"],
    async ({ store }) => {
      const row = await owned(store, "a");
      const by = JSON.stringify({ kind: "person", subject: "ann \u00fc ' \\" });
      const first = kind(await store.post(message("s1", { by })), "accepted").record;
      equal([first.by, first.payloadDigest, first.rejected], [by, payloadDigest('{"id":"s1"}'), null], "accepted");
      const later = await store.post(message("s1", { by: JSON.stringify({ kind: "agent", subject: "bot" }), payload: "2" }));
      equal(later, { kind: "accepted", record: first, replayed: true }, "a later request changes nothing of it");
      const empty = kind(await store.post(message("s2", { payload: null })), "accepted").record;
      equal(empty.payloadDigest, payloadDigest(null), "a message without a payload has a digest too");
      equal(
        (await store.inbox({ runId: "a" })).map((m) => m.by),
        [by, null],
        "the owner reads who sent it",
      );
      const rejected = [{ inboxId: first.inboxId, reason: 'not \u00fc "now"' }];
      await commitOne(store, next(row, { consumed: [first.inboxId, empty.inboxId], rejected }));
      const [one, two] = await store.inbox({ runId: "a", all: true });
      equal([one?.rejected, two?.rejected], [rejected[0]?.reason, null], "inbox");
      const replayed = kind(await store.post(message("s1", { checkOnly: true })), "accepted").record;
      equal(replayed, { ...first, rejected: rejected[0]?.reason ?? null }, "record");
      equal(kind(await store.post(message("s2")), "accepted").record.rejected, null, "the other one");
    },
  ),

  suiteCase("a Commit that is fenced rejects nothing, and one run cannot reject another's message", ["I3"], async ({ store }) => {
    const [a, b] = [await owned(store, "a"), await owned(store, "b")];
    const { inboxId } = kind(await store.post(message("s1")), "accepted").record;
    const rejected = [{ inboxId, reason: "no" }];
    const wrong = { ...a, fence: { ...a.fence, token: "another" } };
    equal((await store.commit([next(wrong, { consumed: [inboxId], rejected })])).answers[0]?.kind, "fenced", "a lost fence");
    await commitOne(store, next(b, { consumed: [inboxId], rejected }));
    const [m] = await store.inbox({ runId: "a" });
    equal([m?.consumed, m?.rejected], [false, null], "untouched");
  }),

  suiteCase("workflowId, name, id and kind each make another message", ["W-044", "W-045", "W-046"], async ({ store }) => {
    await owned(store, "a");
    await owned(store, "b");
    const posts: Partial<Post>[] = [
      {},
      { id: "s2" },
      { name: "packed" },
      { target: { workflowId: "order-b" } },
      { kind: "update" },
      { kind: "control" },
    ];
    for (const p of posts) equal(kind(await store.post(message("s1", p)), "accepted").replayed, false, JSON.stringify(p));
    equal((await store.inbox({ runId: "a" })).length + (await store.inbox({ runId: "b" })).length, posts.length, "rows");
  }),

  suiteCase("ids are compared as they are: no case, form or trimming", ["W-052", "W-053"], async ({ store }) => {
    await owned(store, "a");
    const ids = ["id", "ID", "Id", " id", "id ", "caf\u00e9", "cafe\u0301", "\u212b", "\u00c5", "ss", "\u00df"];
    for (const id of ids) equal(kind(await store.post(message(id)), "accepted").replayed, false, JSON.stringify(id));
    equal(
      (await store.inbox({ runId: "a" })).map((r) => r.id),
      ids,
      "rows",
    );
  }),

  suiteCase(
    "reserved characters never make two messages one, and the key can be read back",
    ["W-054", "W-055", "W-056", "W-095"],
    async ({ store }) => {
      const parts = ["", ":", "a:b", "a", "b:", ":b", "%3A", "%", "/", "a/b", "sig:", "a%3Ab", "+", " ", "\u{1f4b6}"];
      const keys = new Set<string>();
      let tuples = 0;
      for (const kindOf of ["signal", "update", "control", "child"] as const satisfies readonly InboxKind[]) {
        for (const workflowId of parts) {
          for (const name of parts) {
            for (const id of parts) {
              const tuple = { scope, workflowId, kind: kindOf, name, id };
              const key = storageKey(tuple);
              keys.add(key);
              tuples++;
              equal(parseStorageKey(key), tuple, "read back");
            }
          }
        }
      }
      equal(keys.size, tuples, "distinct keys");
      await commitOne(store, create("a", { workflowId: "x" }));
      await commitOne(store, create("b", { workflowId: "x:y" }));
      const pairs: Partial<Post>[] = [
        { target: { workflowId: "x" }, name: "y:n", id: "i" },
        { target: { workflowId: "x:y" }, name: "n", id: "i" },
        { target: { workflowId: "x" }, name: "y", id: "n:i" },
      ];
      for (const p of pairs) equal(kind(await store.post(message("", p)), "accepted").replayed, false, JSON.stringify(p));
    },
  ),

  suiteCase("of many simultaneous duplicates one is enqueued", ["W-075", "W-091"], async ({ store, reopen: again }) => {
    await owned(store, "a");
    const other = await again();
    const asked = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? store : other).post(message("s1")));
    const answers = (await Promise.all(asked)).map((a) => kind(a, "accepted"));
    equal(answers.filter((a) => !a.replayed).length, 1, "accepted as new");
    equal(new Set(answers.map((a) => JSON.stringify(a.record))).size, 1, "one result");
    equal((await store.inbox({ runId: "a" })).length, 1, "rows");
    await other.close();
  }),

  suiteCase(
    "a message that died before it was written leaves nothing, and is accepted once when sent again",
    ["W-077", "W-092"],
    async (b) => {
      await owned(b.store, "a");
      b.failAt("engine:post");
      ok((await b.store.post(message("s1")).catch(() => null)) === null, "dies before COMMIT");
      equal(await b.store.inbox({ runId: "a", all: true }), [], "nothing durable");
      equal(kind(await b.store.post(message("s1")), "accepted").replayed, false, "the retry");
      equal((await b.store.inbox({ runId: "a", all: true })).length, 1, "rows");
    },
  ),

  suiteCase("a payload without an accepted record is answered indeterminate and never enqueued again", ["W-078"], async (b) => {
    await owned(b.store, "a");
    const { record } = kind(await b.store.post(message("s1")), "accepted");
    await b.forgetAccepted(record);
    const before = await b.store.inbox({ runId: "a", all: true });
    equal(await b.store.post(message("s1")), { kind: "indeterminate", storageKey: record.storageKey }, "the retry");
    equal(await b.store.post(message("s1")), { kind: "indeterminate", storageKey: record.storageKey }, "and again");
    equal(await b.store.inbox({ runId: "a", all: true }), before, "rows");
  }),

  suiteCase("a message whose answer was lost is answered with the first result", ["W-079", "W-080", "W-092"], async (b) => {
    await owned(b.store, "a");
    b.failAt("engine:posted");
    ok((await b.store.post(message("s1")).catch(() => null)) === null, "dies after COMMIT");
    const [row] = await b.store.inbox({ runId: "a" });
    const other = await b.reopen();
    const retried = kind(await other.post(message("s1")), "accepted");
    equal([retried.replayed, retried.record.inboxId, retried.record.acceptedAt], [true, row?.inboxId, row?.acceptedAt], "the retry");
    equal((await b.store.inbox({ runId: "a" })).length, 1, "rows");
    await other.close();
  }),

  suiteCase("a record is kept until it expires, then the same message is a new one", ["W-080", "W-081", "W-094"], async (b) => {
    await owned(b.store, "a");
    const first = kind(await b.store.post(message("s1", { retainMs: 100 })), "accepted").record;
    b.advanceClock(99);
    equal(kind(await b.store.post(message("s1", { retainMs: 100 })), "accepted").record, first, "while it is retained");
    b.advanceClock(1);
    const second = kind(await b.store.post(message("s1", { retainMs: 100 })), "accepted");
    equal([second.replayed, second.record.acceptedAt], [false, first.acceptedAt + 100], "after");
    equal(
      (await b.store.inbox({ runId: "a" })).map((r) => r.id),
      ["s1", "s1"],
      "both rows",
    );
    equal(kind(await b.store.post(message("s1")), "accepted").record, second.record, "the new record counts");
    kind(await b.store.post(message("s2", { retainMs: null })), "accepted");
    b.advanceClock(10 ** 12);
    equal(kind(await b.store.post(message("s2")), "accepted").replayed, true, "null never expires");
  }),

  suiteCase(
    "only a record whose own time is over gives way, when it is asked for; nothing else ever goes",
    ["W-128", "W-134"],
    async (b) => {
      const row = await owned(b.store, "a");
      await owned(b.store, "b");
      const another = { target: { workflowId: "order-b" }, retainMs: 100 } as const;
      kind(await b.store.post(message("s1", { retainMs: 100 })), "accepted");
      const longer = kind(await b.store.post(message("s2", { retainMs: 101 })), "accepted").record;
      const forever = kind(await b.store.post(message("s3")), "accepted").record;
      kind(await b.store.post(message("s1", another)), "accepted");
      b.advanceClock(100);
      await commitOne(b.store, next(row, { events: [event(1)], views: [{ name: "v", value: "1" }] }));
      await b.store.declareDead({ by: "engine-1" });
      equal(kind(await b.store.post(message("s2")), "accepted").record, longer, "a moment before its time");
      equal(kind(await b.store.post(message("s1", { retainMs: 100 })), "accepted").replayed, false, "its time is over");
      equal(kind(await b.store.post(message("s3")), "accepted").record, forever, "one that has no time");
      const ids = async (runId: string): Promise<string[]> => (await b.store.inbox({ runId, all: true })).map((r) => r.id);
      equal([await ids("a"), await ids("b")], [["s1", "s2", "s3", "s1"], ["s1"]], "payloads stay, and another workflow's are not touched");
      equal([(await b.store.events({ runId: "a", after: 0, limit: 9 })).length, await b.store.views("a")], [1, { v: "1" }], "the run");
      equal(kind(await b.store.post(message("s1", another)), "accepted").replayed, false, "each by itself");
    },
  ),

  suiteCase("a settled run refuses messages, but still answers for those it accepted", ["K18", "W-051", "W-080"], async (b) => {
    const row = await owned(b.store, "a");
    const first = kind(await b.store.post(message("s1", { retainMs: 100 })), "accepted").record;
    await commitOne(b.store, next(row, { status: "FAILED" }));
    equal(kind(await b.store.post(message("s2")), "settled").run.runId, "a", "a new message");
    equal(kind(await b.store.post(message("s1")), "accepted").record, first, "a duplicate");
    equal(
      (await b.store.inbox({ runId: "a" })).map((r) => r.id),
      ["s1"],
      "K18: accepted while it settled: kept and shown",
    );
    b.advanceClock(100);
    kind(await b.store.post(message("s1")), "settled");
    kind(await b.store.post(message("s1", { target: { workflowId: "nobody" } })), "unknown");
  }),

  suiteCase("messages go to the workflowId's latest run, and their memory spans its runs", ["W-044", "W-051"], async ({ store }) => {
    const row = await owned(store, "a");
    const first = kind(await store.post(message("s1")), "accepted").record;
    await commitOne(store, next(row, { status: "COMPLETED" }));
    await commitOne(store, create("b", { workflowId: "order-a", supersedes: "a" }));
    equal(
      kind(await store.post(message("s1")), "accepted"),
      { kind: "accepted", record: first, replayed: true },
      "known from the run before",
    );
    equal(kind(await store.post(message("s2")), "accepted").record.runId, "b", "a new one");
    kind(await store.post(message("s3", { target: { runId: "a" } })), "settled");
    equal(kind(await store.post(message("s2", { target: { runId: "a" } })), "accepted").replayed, true, "one memory, however addressed");
  }),

  suiteCase("a message never reaches another scope", ["I11"], async ({ store }) => {
    await owned(store, "a");
    kind(await store.post(message("s1", { scope: otherScope })), "unknown");
    kind(await store.post(message("s1", { scope: otherScope, target: { runId: "a" } })), "unknown");
    kind(await store.post(message("s1", { target: { runId: "none" } })), "unknown");
    equal(await store.inbox({ runId: "a" }), [], "rows");
  }),

  suiteCase("a message touches no run row, and an owner's Commit is not disturbed by it", ["K8"], async ({ store }) => {
    const row = await owned(store, "a");
    await store.post(message("s1"));
    await store.post(message("c", { kind: "control", name: "cancel" }));
    equal(await rowOf(store, "a"), row, "the row");
    await commitOne(store, next(row));
  }),

  suiteCase("taking and consuming are two things, and only the run's own rows are touched", ["K18"], async ({ store }) => {
    const row = await owned(store, "a", "engine-1");
    await owned(store, "b", "engine-1");
    await owned(store, "c", "engine-2");
    const ids: number[] = [];
    for (const id of ["s1", "s2", "s3"]) ids.push(kind(await store.post(message(id)), "accepted").record.inboxId);
    const foreign = kind(await store.post(message("s1", { target: { runId: "b" } })), "accepted").record.inboxId;
    await store.post(message("s1", { target: { runId: "c" } }));
    const [one = 0, two = 0, three = 0] = ids;
    equal(
      (await store.inbox({ owner: "engine-1" })).map((r) => r.inboxId),
      [one, two, three, foreign],
      "what an engine has to look at",
    );
    await commitOne(store, next(row, { taken: [one, foreign], consumed: [two, foreign] }));
    equal(
      (await store.inbox({ owner: "engine-1" })).map((r) => r.inboxId),
      [three, foreign],
      "what is left of it",
    );
    equal(
      (await store.inbox({ runId: "a" })).map((r) => [r.inboxId, r.taken]),
      [
        [one, true],
        [three, false],
      ],
      "not consumed",
    );
    const all = await store.inbox({ runId: "a", all: true });
    equal(
      all.map((r) => [r.inboxId, r.taken, r.consumed]),
      [
        [one, true, false],
        [two, true, true],
        [three, false, false],
      ],
      "all",
    );
  }),

  suiteCase("an update's reply is written with the Commit and returned when it is asked for again", ["K14"], async ({ store }) => {
    const row = await owned(store, "a");
    const ask = message("u1", { kind: "update", name: "address" });
    const { inboxId } = kind(await store.post(ask), "accepted").record;
    await commitOne(store, next(row, { consumed: [inboxId], replies: [{ inboxId, reply: '"done"' }] }));
    equal(kind(await store.post(ask), "accepted").record.reply, '"done"', "the duplicate's answer");
    equal(
      (await store.inbox({ runId: "a", all: true })).map((r) => r.reply),
      ['"done"'],
      "the row",
    );
  }),

  suiteCase("malformed text in a message is refused before anything is written", ["W-055"], async ({ store }) => {
    await owned(store, "a");
    for (const bad of [{ id: "a\0" }, { name: "\ud800" }, { payload: "\udfff" }, { target: { workflowId: "\0" } }] as Partial<Post>[]) {
      equal((await throws("PAWL3005", () => store.post(message("s1", bad)))).outcome, "none", "outcome");
    }
    equal(await store.inbox({ runId: "a", all: true }), [], "rows");
  }),

  {
    ...suiteCase("a listener hears of messages, of due runs and of settled ones, until it leaves", [], async ({ store, reopen: again }) => {
      const other = await again();
      const heard: string[] = [];
      const leave = other.watch((h) => heard.push(`${h.kind}:${h.runId ?? ""}`));
      const row = await owned(store, "a");
      await store.post(message("s1"));
      await commitOne(store, next(row, { status: "COMPLETED" }));
      await Promise.resolve();
      equal(
        heard.filter((h) => h !== "any:"),
        ["due:a", "inbox:a", "settled:a"],
        "hints",
      );
      leave();
      leave();
      await commitOne(store, create("b"));
      await Promise.resolve();
      equal(heard.includes("due:b"), false, "after leaving");
      await other.close();
    }),
    needs: "watch",
  },

  {
    ...suiteCase("who follows logs hears of every Commit with events in this process; nobody else does", [], async ({ store }) => {
      const [all, some]: [string[], string[]] = [[], []];
      const leave = [store.watch((h) => all.push(`${h.kind}:${h.runId ?? ""}`), { events: true }), store.watch((h) => some.push(h.kind))];
      const row = await owned(store, "a");
      const child = create("b", { parentRunId: "a" }, { events: [event(1)], release: false, due: { at: null, inMs: 9_999 } });
      await commitOne(store, next(row, { events: [event(1), event(2)], children: [child] }));
      await commitOne(store, next({ ...row, stateVersion: row.stateVersion + 1 }, { taken: [] }));
      kind((await store.commit([next(row, { commitId: "late", events: [event(3)] })])).answers[0], "stale");
      await Promise.resolve();
      equal(
        all.filter((h) => h.startsWith("events")),
        ["events:a", "events:b"],
        "one for the run, one for its child, none for a Commit without events or a refused one",
      );
      equal(some.includes("events"), false, "who did not ask for them");
      for (const off of leave) off();
      await commitOne(store, next(await rowOf(store, "a"), { events: [event(3)] }));
      await Promise.resolve();
      equal(all.filter((h) => h.startsWith("events")).length, 2, "after leaving");
    }),
    needs: "watch",
  },
];
