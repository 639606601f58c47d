// The order of examples/order-saga in every way that it can end, and retried from there, on every store with SQL: stock and bank are
// exact each time. Killed in between with real processes, too: pawl crashtest, in the whole dose on each store. Guards that what is undone is undone once.
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { Handle } from "pawl";
import { testEngine, type TestEngine } from "pawl/testing";
import { order, outside } from "../../examples/order-saga/order.ts";
import { setup } from "../../examples/order-saga/tables.ts";
import { compiledTree } from "../support/compiled-tree.ts";
import { sharedMariadb, skipsWithoutMariadb } from "../support/mariadb.ts";
import { sharedPostgres } from "../support/postgres.ts";
import { proves } from "../support/proves.ts";
import { wholeDose } from "../support/whole-dose.ts";

vi.setConfig({ testTimeout: 240_000 }); // servers and processes, on machines that are busy

const root = resolve(import.meta.dirname, "../..");
const stores = [
  { name: "sqlite", url: async () => "sqlite:" },
  { name: "postgres", url: sharedPostgres },
  { name: "mysql", url: async () => `${await sharedMariadb()}/mysql` },
];

interface Books {
  readonly cups: number;
  /** Charges that were not refunded. */
  readonly paid: number;
  readonly parcels: number;
}

describe.each(stores)("$name", (s) => {
  const skip = s.name === "mysql" && skipsWithoutMariadb();

  /** Runs a story on a shop of its own and tells what its books say at each of its ends. */
  async function books(story: (t: TestEngine, look: () => Promise<Books>) => Promise<Books[]>): Promise<Books[]> {
    outside.reset();
    let db!: Parameters<typeof setup>[0];
    const t = await testEngine({
      store: await s.url(),
      workflows: [order],
      setup: async (_, tables) => {
        db = tables;
        await setup(tables);
      },
    });
    const look = async (): Promise<Books> => ({
      cups: Number((await db.sql`select n from stock`).rows[0]?.["n"]),
      paid: outside.count("charge") - outside.count("refund"),
      parcels: outside.count("parcel"),
    });
    try {
      return await story(t, look);
    } finally {
      await t.stop();
    }
  }
  const over = (h: Handle<typeof order>): Promise<unknown> => h.result().catch((e: Error) => e.message);
  const whole: Books = { cups: 10, paid: 0, parcels: 0 };
  const shipped: Books = { cups: 9, paid: 1, parcels: 1 };

  it.skipIf(skip)("shipped; and failed, retried and failed again", proves("I5", "K19"), async () => {
    const seen = await books(async (t, look) => {
      await t.run(order, { orderId: "o-1", weightKg: 2 });
      const first = await look();
      const h = await t.start(order, { orderId: "o-2", weightKg: 300 });
      await over(h);
      const second = await look();
      await over(await h.retry());
      return [first, second, await look()];
    });
    expect(seen).toEqual([shipped, shipped, shipped]);
  });

  it.skipIf(skip)("cancelled, and retried", proves("I5", "K19"), async () => {
    const seen = await books(async (t, look) => {
      const h = await t.start(order, { orderId: "o-1", weightKg: 2 });
      await t.until(h, { step: "packing" });
      await h.cancel("changed my mind");
      await over(h);
      const cancelled = await look();
      await over(await h.retry());
      return [cancelled, await look()];
    });
    expect(seen).toEqual([whole, shipped]);
  });

  it.skipIf(skip)("past its deadline, and retried with as much time again, killed while it undoes", proves("I5", "K19"), async () => {
    const seen = await books(async (t, look) => {
      t.crashAt("reserve/~compensate:D");
      const h = await t.start(order, { orderId: "o-1", weightKg: 2 }, { deadline: 500 });
      await over(h);
      const late = await look();
      t.crashAt("reserve/~compensate:C");
      await over(await h.retry());
      return [late, await look()];
    });
    expect(seen).toEqual([whole, whole]);
  });

  // The windows of a transaction on servers are in test/crash/windows-servers.test.ts: here those of its undoing are enough.
  const steps = s.name === "sqlite" ? ["reserve", "reserve/~compensate"] : ["reserve/~compensate"];
  it.skipIf(skip || (s.name !== "sqlite" && !wholeDose))(
    `killed with real processes in every window of ${steps.join(" and ")}`,
    proves("I5", "C7"),
    async () => {
      const dir = mkdtempSync(join(tmpdir(), "pawl-saga-"));
      try {
        const url = await s.url();
        const out = await crashtest(dir, steps, url === "sqlite:" ? [] : ["--store", url]);
        expect(out).toMatchObject({ code: 0, err: "" });
        const { ok, cells } = JSON.parse(out.out) as { ok: boolean; cells: { step: string; window: string; ok: boolean }[] };
        expect(ok).toBe(true);
        for (const step of steps) expect(cells.filter((c) => c.step === step).map((c) => c.window)).toEqual([..."ABCDE"]);
      } finally {
        rmSync(dir, { recursive: true, force: true });
      }
    },
  );
});

function crashtest(
  cwd: string,
  steps: readonly string[],
  more: readonly string[],
): Promise<{ out: string; err: string; code: number | null }> {
  // In a folder where nothing but zod is installed: the running copy of the package is lent, and its processes start sooner than the built one's.
  const saga = join(root, "examples/order-saga");
  for (const name of ["order.ts", "tables.ts"]) copyFileSync(join(saga, name), join(cwd, name));
  const books = readFileSync(join(import.meta.dirname, "books.ts"), "utf8");
  writeFileSync(join(cwd, "books.ts"), books.replace("../../examples/order-saga/", "./"));
  mkdirSync(join(cwd, "node_modules"));
  symlinkSync(join(root, "node_modules/zod"), join(cwd, "node_modules/zod"), "dir");
  const args = ["crashtest", "./order.ts#order", "--setup", "./books.ts", "--expect-end", "FAILED", "--json"];
  const order = ["-P", "orderId=o-1", "-P", "weightKg=300", ...steps.flatMap((step) => ["--step", step])];
  const { PAWL_STORE: _, PAWL_CRASH: __, ...env } = process.env;
  const child = spawn(process.execPath, [join(compiledTree(), "src/cli/main.js"), ...args, ...order, ...more], { cwd, env });
  let out = "";
  let err = "";
  child.stdout.on("data", (d: Buffer) => (out += String(d)));
  child.stderr.on("data", (d: Buffer) => (err += String(d)));
  return new Promise((done) => child.on("close", (code) => done({ out, err, code })));
}
