// The seat of a consumer: who may write its rows, until when, and what becomes of writes that go together. On the memory store
// with a clock that stands still; what a consumer makes of it is in test/readers, on every store.
import { describe, expect, it } from "vitest";
import { PawlError } from "../errors/error.ts";
import { virtualPlatform } from "../platform/virtual.ts";
import { memoryStore } from "../store/memory/store.ts";
import type { KvTable, KvWrite } from "../store/reader-store.ts";
import { ConsumerLease } from "./consumer-lease.ts";
import { proves } from "../../test/support/proves.ts";

const consumer = { scope: { tenantId: "t", projectId: "p", environmentId: "e" }, name: "c" };
const leaseMs = 10_000;
const row = (key: string, value: string, expect?: number): KvWrite => ({
  collection: "mine",
  key,
  value,
  ...(expect === undefined ? {} : { expect }),
});

async function lab(around: (put: KvTable["put"]) => KvTable["put"] = (put) => put) {
  const platform = virtualPlatform();
  const real = memoryStore(platform);
  const put = around((...a) => real.kv.put(...a));
  let puts = 0;
  const shelves: KvTable = { ...real.kv, put: (...a) => (puts++, put(...a)) };
  const store = { ...real, kv: shelves };
  const desk = new ConsumerLease(store, platform, consumer, leaseMs);
  expect(await desk.acquire()).toEqual({ kind: "ours" });
  const values = async (): Promise<Record<string, string>> =>
    Object.fromEntries((await real.kv.list({ collection: "mine", limit: 100 })).map((r) => [r.key, r.value]));
  return { platform, store, desk, values, puts: () => puts, rival: new ConsumerLease(store, platform, consumer, leaseMs) };
}

describe("a consumer's desk", () => {
  it("what is written at the same time goes into few puts; one that is refused takes no other with it", proves("P-37"), async () => {
    const { desk, values, puts } = await lab();
    const before = puts();
    const answers = await Promise.all([
      desk.write([row("first", "1")], []),
      desk.write([row("a", "1")], []),
      desk.write([row("b", "1", 7)], []),
      desk.write([row("c", "1", 0)], []),
    ]);
    expect(answers).toEqual(["written", "written", "refused", "written"]);
    expect(await values()).toEqual({ first: "1", a: "1", c: "1" });
    expect(puts() - before).toBe(1 + 1 + 3); // the first alone, the rest together, and then each by itself
    expect(desk.isHeld).toBe(true);
  });

  it("of two writes of one row the later one stands, and neither is lost", proves("D-020"), async () => {
    const { desk, values } = await lab();
    const answers = await Promise.all(["0", "1", "2"].map((value) => desk.write([row("mark", value), row(`k${value}`, value)], [])));
    expect(answers).toEqual(["written", "written", "written"]);
    expect(await values()).toEqual({ mark: "2", k0: "0", k1: "1", k2: "2" });
  });

  it("a lease is nobody's once it has run out, and who takes it over keeps the first one from writing", proves("D-020"), async () => {
    const { platform, desk, rival, values } = await lab();
    await platform.advance(leaseMs - 1);
    expect(desk.isHeld).toBe(true);
    expect(await rival.acquire()).toMatchObject({ kind: "taken", leftMs: 1 });
    await platform.advance(1);
    expect(desk.isHeld).toBe(false);
    expect(await rival.acquire()).toEqual({ kind: "ours" });
    expect(await desk.write([row("a", "late")], [])).toBe("lost");
    expect(await desk.write([row("a", "later", 0)], [])).toBe("lost");
    expect(await values()).toEqual({});
    expect(await rival.write([row("a", "mine")], [])).toBe("written");
  });

  it("a lease counts from when it was asked for, however long the answer took", proves("D-020"), async () => {
    let slow = async (): Promise<void> => {};
    const { platform, desk } = await lab((put) => async (...a) => {
      const answer = await put(...a);
      await slow();
      return answer;
    });
    slow = () => platform.advance(6_000);
    await desk.write([row("a", "1")], []);
    expect(desk.isHeld).toBe(true);
    await platform.advance(4_000);
    expect(desk.isHeld).toBe(false);
  });

  it("a put whose answer was lost leaves no seat: it is taken anew, from what is stored", proves("P-37"), async () => {
    let broken = false;
    const { desk, values, rival } = await lab((put) => async (...a) => {
      const answer = await put(...a);
      if (broken) throw new PawlError("PAWL3002", "the line broke");
      return answer;
    });
    broken = true;
    await expect(desk.write([row("a", "1")], [])).rejects.toMatchObject({ code: "PAWL3002" });
    broken = false;
    expect(desk.isHeld).toBe(false);
    expect(await desk.write([row("b", "1")], [])).toBe("lost");
    expect(await rival.acquire()).toMatchObject({ kind: "taken" });
    expect(await desk.acquire()).toEqual({ kind: "ours" });
    expect(await desk.write([row("b", "2")], [])).toBe("written");
    expect(await values()).toEqual({ a: "1", b: "2" });
  });

  it("a seat that was given back is free at once, and is not renewed by who gave it", proves("D-020"), async () => {
    const { platform, desk, rival } = await lab();
    await desk.release();
    expect(await rival.acquire()).toEqual({ kind: "ours" });
    await platform.advance(leaseMs / 2);
    await desk.renew();
    expect(await desk.write([], [])).toBe("lost");
    await rival.renew();
    await platform.advance(leaseMs / 2);
    expect(rival.isHeld).toBe(true);
  });
});
