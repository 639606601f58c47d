// Cases about views: what a run publishes, written in the same Commit as the events that explain it, and never visible
// without them.
import { equal, kind } from "./assert.ts";
import { commitOne, create, event, next, owned } from "./build.ts";
import { type SuiteCase, suiteCase } from "./bundle.ts";

export const viewCases: readonly SuiteCase[] = [
  suiteCase("a view holds the last value that was committed, one per name and run", [], async ({ store }) => {
    const row = await owned(store, "a");
    await commitOne(store, create("b", {}, { views: [{ name: "progress", value: "b" }] }));
    await commitOne(
      store,
      next(row, {
        views: [
          { name: "progress", value: "1" },
          { name: "Progress", value: "x" },
          { name: "__proto__", value: "y" },
        ],
      }),
    );
    const again = next(
      { ...row, stateVersion: 2 },
      {
        views: [
          { name: "progress", value: "1.5" },
          { name: "progress", value: "2" },
        ],
      },
    );
    await commitOne(store, again);
    equal(
      Object.entries(await store.views("a")).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      [
        ["Progress", "x"],
        ["__proto__", "y"],
        ["progress", "2"],
      ],
      "a",
    );
    equal(await store.views("b"), { progress: "b" }, "b");
    equal(await store.views("none"), {}, "a run that is not there");
  }),

  suiteCase("a reader sees all of a Commit or nothing of it", ["L-21"], async ({ store, reopen: again }) => {
    let row = await owned(store, "a");
    const reader = await again();
    for (let n = 1; n <= 20; n++) {
      const asked = store.commit([next(row, { events: [event(2 * n - 1), event(2 * n)], views: [{ name: "n", value: String(n) }] })]);
      const events = await reader.events({ runId: "a", after: 0, limit: 100 });
      equal(events.length % 2, 0, "events come in pairs");
      kind((await asked).answers[0], "committed");
      row = { ...row, stateVersion: row.stateVersion + 1 };
      const [seen, views, log] = [
        await reader.run({ runId: "a" }),
        await reader.views("a"),
        await reader.events({ runId: "a", after: 0, limit: 100 }),
      ];
      equal([seen?.headSeq, views["n"], log.length], [2 * n, String(n), 2 * n], "read after write");
    }
    await reader.close();
  }),
];
