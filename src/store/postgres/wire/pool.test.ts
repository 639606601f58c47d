// What becomes of a session that says nothing: it is cut when its time is up, and its place is given to who waits. Sessions
// here are dummies on a virtual clock, but for the last test, whose line to a real server falls silent. None may rely on how long it takes.
import { describe, expect, it } from "vitest";
import { sharedPostgres } from "../../../../test/support/postgres.ts";
import { startProxy } from "../../../../test/support/postgres-proxy.ts";
import { virtualPlatform, type VirtualPlatform } from "../../../platform/virtual.ts";
import { openConnection, type Connection } from "./driver.ts";
import { Pool } from "./pool.ts";
import { proves } from "../../../../test/support/proves.ts";

interface Dummy extends Connection {
  readonly n: number;
  /** Answers what it was asked last. */
  speak(): void;
}

function dummy(n: number): Dummy {
  let broken = false;
  const lost: (() => void)[] = [];
  let answer = (): void => {};
  let fail: (e: Error) => void = () => {};
  const nothing = { rows: [], changes: 0, command: "" };
  return {
    n,
    pid: n,
    raw: {} as never, // nobody speaks to it here
    get broken() {
      return broken;
    },
    query: () =>
      new Promise((resolve, reject) => {
        answer = () => resolve(nothing);
        fail = reject;
      }),
    exec: async () => nothing,
    listen: () => {},
    onLost: (tell) => void lost.push(tell),
    keepAlive: () => {},
    end: async () => {},
    destroy() {
      broken = true;
      for (const tell of lost) tell();
      fail(new Error(`session ${n} was cut`));
    },
    speak: () => answer(),
  };
}

function dummies(max: number): { platform: VirtualPlatform; pool: Pool; made: Dummy[] } {
  const platform = virtualPlatform();
  const made: Dummy[] = [];
  const open = async (): Promise<Connection> => {
    const d = dummy(made.length + 1);
    made.push(d);
    return d;
  };
  return { platform, made, pool: new Pool({ connect: open, platform, max, waitMsMax: 60_000, answerMsMax: 10_000 }) };
}

const ask = (c: Connection): Promise<unknown> => c.query({ text: "" });
const failed = (p: Promise<unknown>): Promise<string> =>
  p.then(
    () => "answered",
    (e: Error) => e.message,
  );

describe("a session that is lent", () => {
  it("is cut when it was silent for too long, its place is given to who waits, and it is lent to nobody", proves("I12"), async () => {
    const { platform, pool, made } = dummies(1);
    const silent = failed(pool.use(ask));
    const next = [1, 2].map(() => pool.use(async (c) => (c as Dummy).n));
    await platform.advance(9_999);
    expect([made.length, made[0]?.broken]).toEqual([1, false]);
    await platform.advance(1);
    expect([await silent, await Promise.all(next), made.length]).toEqual(["session 1 was cut", [2, 2], 2]);
  });

  it("is watched for its own time, be it the first to be late, the last, or lent for less than the others", proves("I12"), async () => {
    const { platform, pool, made } = dummies(3);
    const long = failed(pool.use(ask));
    await platform.advance(4_000);
    const later = failed(pool.use(ask));
    const short = failed(pool.use(ask, 1_000));
    await platform.advance(0);
    const cut = (): number[] => made.filter((d) => d.broken).map((d) => d.n);
    await platform.advance(999);
    expect(cut()).toEqual([]);
    await platform.advance(1);
    expect(cut()).toEqual([3]);
    await platform.advance(5_000);
    expect(cut()).toEqual([1, 3]);
    await platform.advance(3_999);
    expect(cut()).toEqual([1, 3]);
    await platform.advance(1);
    expect(cut()).toEqual([1, 2, 3]);
    expect(await Promise.all([long, later, short])).toEqual([1, 2, 3].map((n) => `session ${n} was cut`));
  });

  it("is left alone once it has answered, and is lent again with its whole time", async () => {
    const { platform, pool, made } = dummies(1);
    const first = pool.use(ask);
    await platform.advance(6_000);
    made[0]?.speak();
    await first;
    const second = pool.use(ask);
    await platform.advance(9_000);
    made[0]?.speak();
    await second;
    await platform.advance(60_000);
    expect([made.length, made[0]?.broken]).toEqual([1, false]);
  });

  it("over a line that falls silent is given up, and whoever waited is served on a new one", proves("I12"), async () => {
    const url = await sharedPostgres();
    const proxy = await startProxy(Number(new URL(url).port));
    const platform = virtualPlatform();
    const open = (): Promise<Connection> => openConnection({ connectionString: proxy.through(url), options: "", connectMsMax: 30_000 });
    const pool = new Pool({ connect: open, platform, max: 1, waitMsMax: 60_000, answerMsMax: 10_000 });
    const one = (c: Connection): Promise<unknown> => c.query({ name: "one", text: "select 1 as n" });
    const told = { rows: [{ n: 1 }], changes: 1, command: "SELECT" };
    try {
      expect(await pool.use(one)).toEqual(told);
      proxy.silence(true);
      const silent = failed(pool.use(one));
      const next = pool.use(one);
      await platform.advance(10_000);
      expect(await silent).toMatch(/terminated|closed|reset/);
      proxy.silence(false);
      expect(await next).toEqual(told);
    } finally {
      await pool.close();
      await proxy.close();
    }
  });
});
