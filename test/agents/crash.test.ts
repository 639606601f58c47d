// An agent killed in every window of every model call and every tool call, with tools of every class in one turn: each effect keeps what its class promises,
// counted outside, and the model that asks for all of them again causes nothing.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, scripted, tool, toolTx, type Message } from "../../src/agents.ts";
import { crashMatrix, world } from "../../src/testing.ts";
import { sharedMariadb, skipsWithoutMariadb } from "../support/mariadb.ts";
import { sharedPostgres } from "../support/postgres.ts";
import { proves } from "../support/proves.ts";
import { wholeDose } from "../support/whole-dose.ts";

const outside = world();
const input = z.object({ n: z.number() });
const def = <const N extends string>(name: N) => ({ name, description: name, input });
const tools = [
  tool(def("once"), (_i, s) => outside.record("once", s.key), { once: true }),
  tool(def("keyed"), (i, s) => (outside.record("keyed", s.key), i.n), { key: (i) => `keyed-${i.n}`, dedup: "24h" }),
  tool(def("verified"), (i, s) => (outside.record("verified", s.key), i.n), {
    verify: async (i, s) => (outside.has("verified", s.key) ? { state: "completed-with-result", result: i.n } : { state: "not-completed" }),
    settle: 10,
    timeout: "5s",
  }),
  tool(def("reads"), (i) => i.n, { repeatable: true }),
] as const;
const book = toolTx(def("book"), async (i, db) => (await db.sql`insert into booked (n) values (${i.n})`).changes);
const all = (names: readonly string[]) => ({ calls: names.map((name) => ({ tool: name, input: { n: 1 } })) });

const stores = [
  { name: "memory", url: async () => "memory:", windows: "ABCDE" },
  { name: "sqlite", url: async () => "sqlite:", windows: wholeDose ? "ABCDE" : "D" },
  ...(wholeDose
    ? [
        { name: "postgres", url: sharedPostgres, windows: "D" },
        ...(skipsWithoutMariadb() ? [] : [{ name: "mariadb", url: async () => `${await sharedMariadb()}/mysql`, windows: "D" }]),
      ]
    : []),
];

describe.each(stores)("$name", (s) => {
  const sql = s.name !== "memory";
  const names = [...tools.map((t) => t.name), ...(sql ? ["book"] : [])];
  const a = agent({
    name: "crashing",
    model: scripted([all(names), all(names), "done"], { by: "conversation" }),
    tools: sql ? [...tools, book] : tools,
  });
  it(
    "killed in every window of every call: each effect as its class promises",
    proves("A-09", "A-10", "A-12", "A-13", "A-14", "AX-08", "AX-09", "AX-35", "AX-36"),
    async () => {
      const m = await crashMatrix(a, { prompt: "x" }, {
        world: outside,
        store: await s.url(),
        windows: [...s.windows] as never,
        // In the small dose on SQLite, and on servers: the calls that may not repeat, and the transaction, after the effect and before its record.
        ...(s.windows === "D" ? { steps: ["3/tools/once", "3/tools~2/keyed", "3/tools~3/verified", "3/tools~5/book"] } : {}),
        ...(sql
          ? {
              setup: async (_: unknown, db: { sql: (s: TemplateStringsArray) => Promise<unknown> }) =>
                void (await db.sql`create table if not exists booked (n integer)`),
            }
          : {}),
        check: ({ result }: { result?: { messages: readonly Message[] } }) =>
          expect(result?.messages.filter((x) => x.role === "tool")).toHaveLength(2 * names.length),
      } as never);
      expect(m.ok, m.table()).toBe(true);
    },
  );
});
