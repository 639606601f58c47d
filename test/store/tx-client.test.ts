// The client of ctx.tx on every store with SQL: what would begin or end the transaction is refused, savepoints of one's own are not, and
// nothing is sent through it once its transaction is over. Guards that the guard refuses and loses nothing (K11).
import { Kysely, PostgresDialect } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { workflow, type PawlError, type StepError, type TxClient } from "../../src/index.ts";
import { testEngine, type TestDb } from "../../src/testing.ts";
import { sharedMariadb, skipsWithoutMariadb } from "../support/mariadb.ts";
import { sharedPostgres } from "../support/postgres.ts";
import { proves } from "../support/proves.ts";

vi.setConfig({ testTimeout: 120_000 }); // servers, on machines that are busy

const stores = [
  { name: "sqlite", url: async () => "sqlite:" },
  { name: "postgres", url: sharedPostgres },
  { name: "mysql", url: async () => `${await sharedMariadb()}/mysql` },
];

async function setup(db: TestDb): Promise<void> {
  await db.sql`create table cups (colour varchar(20) primary key, n integer not null)`;
  await db.sql`insert into cups values (${"red"}, ${10})`;
}
const left = async (db: TestDb): Promise<number> => Number((await db.sql`select n from cups`).rows[0]?.["n"]);
const codeOf = (e: StepError): unknown => (e.cause as { code?: string }).code;

/** One statement, in the way of each driver. */
async function saying(client: TxClient, text: string): Promise<unknown> {
  if (client.dialect === "postgres") return client.query(text);
  return client.dialect === "mysql" ? client.promise().query(text) : client.exec(text);
}

describe.each(stores)("$name", (s) => {
  const skip = s.name === "mysql" && skipsWithoutMariadb();

  it.skipIf(skip)(
    "what would begin or end the transaction is refused, and the transaction continues as it was",
    proves("I5", "K11"),
    async () => {
      let db!: TestDb;
      let kept: (() => unknown) | undefined;
      const said: unknown[] = [];
      const wf = workflow({ name: "sly" }, async (ctx) => {
        await ctx.tx("take", async (tx) => {
          const { client } = tx;
          const say = async (text: string): Promise<unknown> => saying(client, text);
          for (const text of [
            "commit",
            "BEGIN",
            " -- so\n rollback",
            "select 1; commit",
            "/* hm */ start transaction",
            "release savepoint pawl_1",
          ])
            said.push(await say(text).catch((e: PawlError) => e.code));
          if (client.dialect === "postgres") {
            const k = new Kysely<never>({
              dialect: new PostgresDialect({ pool: { connect: async () => client as never, end: async () => {} } }),
            });
            said.push(
              await k
                .transaction()
                .execute(async () => 1)
                .catch((e: PawlError) => e.code),
            );
          }
          // Savepoints of one's own are fine.
          await say("savepoint mine");
          await say("update cups set n = 0");
          await say("rollback to savepoint mine");
          await say("update cups set n = n - 1");
          kept =
            client.dialect === "sqlite"
              ? (
                  (p) => () =>
                    p.all()
                )(client.prepare("select 1"))
              : () => saying(client, "update cups set n = 5");
        });
        return ctx
          .tx("fails", async (tx) => {
            await tx.sql`update cups set n = 7`;
            await saying(tx.client, "commit");
          })
          .catch(codeOf);
      });
      const t = await testEngine({ store: await s.url(), workflows: [wf], setup: (_t, d) => setup((db = d)) });
      try {
        expect(await t.run(wf)).toBe("PAWL1021");
        expect(new Set(said)).toEqual(new Set(["PAWL1021"]));
        expect(await left(db)).toBe(9);
        await expect((async () => kept?.())()).rejects.toMatchObject({ code: "PAWL3010" });
        expect(await left(db)).toBe(9);
      } finally {
        await t.stop();
      }
    },
  );
});
