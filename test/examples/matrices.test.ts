// The crash matrices of the examples: the saga that ships and the saga that is undone, on SQLite, and the demo's order against
// its bank in a file. Every effect is counted outside; stock is read back from the rows themselves.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { bank } from "../../examples/demo/bank.ts";
import { orderWorkflow } from "../../examples/demo/order.ts";
import { expense, outside as approvals } from "../../examples/human-approval/expense.ts";
import { order, outside } from "../../examples/order-saga/order.ts";
import { setup } from "../../examples/order-saga/tables.ts";
import { crashMatrix, type CrashMatrix } from "pawl/testing";
import { proves } from "../support/proves.ts";

const dir = mkdtempSync(join(tmpdir(), "pawl-saga-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const windowsOf = (m: CrashMatrix): Record<string, string> => {
  const found: Record<string, string> = {};
  for (const c of m.cells) if (c.cause === c.step) found[`${c.step} ${c.class}`] = (found[`${c.step} ${c.class}`] ?? "") + c.window;
  return found;
};

it(
  "order-saga that ships: killed anywhere, one cup is reserved, one charge and one parcel happen",
  { ...proves("C7", "I5"), timeout: 90_000 },
  async () => {
    const left = new Set<unknown>();
    const m = await crashMatrix(
      order,
      { orderId: "o-1", weightKg: 2 },
      {
        world: outside,
        store: "sqlite:",
        setup: (_, db) => setup(db),
        check: ({ result }) => left.add(result?.cups),
      },
    );
    expect(m.table()).not.toContain("✘");
    expect(windowsOf(m)).toEqual({
      "reserve ATOMIC": "ABCDE",
      "charge KEYED": "ABCDE",
      "packing undefined": "AE", // a timer
      "ship KEYED": "ABCDE",
    });
    expect(m.cells.filter((c) => c.class === "KEYED").map((c) => c.count)).toEqual(Array.from({ length: 10 }, () => 1));
    expect([...left]).toEqual([9]);
  },
);

it(
  "order-saga that is undone: killed anywhere, the stock is whole again and the charge refunded once",
  { ...proves("C7", "I5"), timeout: 90_000 },
  async () => {
    const left = new Set<unknown>();
    const m = await crashMatrix(
      order,
      { orderId: "o-1", weightKg: 300 },
      {
        world: outside,
        store: "sqlite:",
        expectEnd: "FAILED",
        setup: (_, db) => setup(db),
        reset: async (db) => left.add(Number((await db.sql`select n from stock`).rows[0]?.["n"])),
      },
    );
    expect(m.table()).not.toContain("✘");
    expect(windowsOf(m)).toMatchObject({
      "reserve ATOMIC": "ABCDE",
      "reserve/~compensate ATOMIC": "ABCDE",
      "charge KEYED": "ABCDE",
      "charge/~compensate KEYED": "ABCDE",
    });
    expect(m.cells.filter((c) => c.effect === "refund").map((c) => [c.window, c.count])).toEqual([..."ABCDE"].map((w) => [w, 1]));
    expect([...left]).toEqual([10]);
  },
);

it("human-approval: killed anywhere, nothing is paid twice, and in doubt a person is asked", proves("C6", "C7", "I6", "K27"), async () => {
  const m = await crashMatrix(
    expense,
    { id: "e-1", cents: 900 },
    {
      world: approvals,
      drive: (h) => h.signal("decided", { by: "ann", yes: true }, { signalId: "mail-1" }),
    },
  );
  expect(m.table()).not.toContain("✘");
  expect(m.cells.filter((c) => c.step === "pay").map((c) => [c.window, c.count, c.end])).toEqual([
    ["A", 1, "COMPLETED"],
    ["B", 0, "decision"],
    ["C", 1, "decision"],
    ["D", 1, "decision"],
    ["E", 1, "COMPLETED"],
  ]);
});

it("the demo's order: killed anywhere, its bank has one charge", proves("C7"), async () => {
  const file = join(dir, "bank.jsonl");
  const theBank = bank(file);
  const world = { record: () => {}, count: () => theBank.charges().length, reset: () => rmSync(file, { force: true }) };
  const m = await crashMatrix(orderWorkflow(theBank), { orderId: "1001", cents: 4200 }, { world, expect: { charge: "once" } });
  expect(m.table()).not.toContain("✘");
  expect(m.cells.filter((c) => c.step === "charge").map((c) => [c.window, c.count])).toEqual([..."ABCDE"].map((w) => [w, 1]));
});
