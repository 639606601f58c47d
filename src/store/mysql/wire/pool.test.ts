// The line before a pool's connections: everybody is served or told, whatever becomes of the connections. Connections here
// are dummies that can be lost and refused at will; what sessions are is tested on a server.
import { describe, expect, it } from "vitest";
import { isPawlError } from "../../../errors/error.ts";
import type { Connection } from "./driver.ts";
import { Pool, rollback, transaction } from "./pool.ts";
import { proves } from "../../../../test/support/proves.ts";

interface Dummy extends Connection {
  readonly said: string[];
  lose(): void;
}

function dummy(answer: (text: string) => void = () => {}): Dummy {
  let lost = false;
  let listener: (() => void) | undefined;
  const said: string[] = [];
  const lose = (): void => {
    lost = true;
    listener?.();
  };
  return {
    said,
    lose,
    session: 1,
    raw: async () => [undefined, undefined],
    get lost() {
      return lost;
    },
    onLost: (l) => void (listener = l),
    async query(text) {
      said.push(text);
      answer(text);
      return { rows: [], changes: 0, insertId: 0, bigintColumns: [] };
    },
    execute: async () => ({ rows: [], changes: 0, insertId: 0, bigintColumns: [] }),
    close: async () => lose(),
    destroy: lose,
  };
}

describe("pool", () => {
  it("opens no more than its limit, and serves who waits in order", async () => {
    let opened = 0;
    const pool = new Pool(async () => (opened++, dummy()), 2);
    let inside = 0;
    let most = 0;
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 9 }, (_, i) =>
        pool.with(async () => {
          most = Math.max(most, ++inside);
          await Promise.resolve();
          order.push(i);
          inside--;
        }),
      ),
    );
    expect([opened, most, order]).toEqual([2, 2, [0, 1, 2, 3, 4, 5, 6, 7, 8]]);
  });

  it("tells everybody who waits when no connection can be opened", async () => {
    let tries = 0;
    const pool = new Pool(async () => {
      tries++;
      throw new RangeError("refused");
    }, 2);
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => pool.with(async () => 1)));
    expect(all.map((a) => a.status)).toEqual(Array(20).fill("rejected"));
    expect(tries).toBe(20);
  });

  it("uses a lost connection never again, and gives its place to who waits", async () => {
    const made: Dummy[] = [];
    const pool = new Pool(async () => (made.push(dummy()), made.at(-1)!), 1);
    const first = pool.with(async () => made[0]?.lose());
    const second = pool.with(async (db) => db);
    await first;
    expect([made.length, (await second) === made[1]]).toEqual([2, true]);
    made[1]?.lose();
    expect(await pool.with(async (db) => db)).toBe(made[2]);
  });

  it("is closed for who waits and for who comes", async () => {
    const pool = new Pool(async () => dummy(), 1);
    let go = (): void => {};
    const held = pool.with(() => new Promise<void>((resolve) => (go = resolve)));
    const waiting = pool.with(async () => 1).catch((e: unknown) => isPawlError(e, "PAWL3009"));
    await Promise.resolve();
    await pool.close();
    go();
    await held;
    expect([await waiting, await pool.with(async () => 1).catch((e: unknown) => isPawlError(e, "PAWL3009"))]).toEqual([true, true]);
  });
});

describe("transaction", () => {
  it("an error between the statements rolls back, and an error before COMMIT never sends it", proves("L-20"), async () => {
    const db = dummy();
    const died = new RangeError("died");
    await expect(transaction(db, async () => Promise.reject(died))).rejects.toBe(died);
    await expect(
      transaction(db, async () => 1, {
        before: () => {
          throw died;
        },
      }),
    ).rejects.toBe(died);
    expect(db.said).toEqual(["rollback", "rollback"]);
  });

  it("a COMMIT that fails is unknown, one that loses a deadlock is not", proves("K10"), async () => {
    const failing = (e: object): Dummy =>
      dummy((text) => {
        if (text === "commit") throw Object.assign(new Error("x"), e);
      });
    await expect(transaction(failing({ code: "ECONNRESET" }), async () => 1)).rejects.toMatchObject({
      page: "PAWL3002",
      outcome: "unknown",
    });
    await expect(transaction(failing({ errno: 1213 }), async () => 1)).rejects.toMatchObject({ page: "PAWL3001", outcome: "none" });
  });

  it("a connection that cannot even roll back is given up", async () => {
    const db = dummy(() => {
      throw new RangeError("x");
    });
    await rollback(db);
    expect(db.lost).toBe(true);
  });
});
