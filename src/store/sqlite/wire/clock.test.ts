// The clock of a file: what a jump of the wall clock, another process, a drift and a new boot do to it. Virtual clocks: wall and
// uptime move apart as each test says.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { event, next, owned } from "../../suite/build.ts";
import { proves } from "../../../../test/support/proves.ts";
import type { Platform } from "../../../platform/platform.ts";
import { virtualPlatform } from "../../../platform/virtual.ts";
import type { FullStore } from "../../full-store.ts";
import { openSqlite } from "../store.ts";

const hourMs = 3_600_000;
let dir = "";
const opened: FullStore[] = [];
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), "pawl-clock-"))));
afterEach(async () => {
  for (const s of opened.splice(0)) await s.close();
  rmSync(dir, { recursive: true, force: true });
});
const open = async (p: Platform): Promise<FullStore> => {
  const s = await openSqlite(join(dir, "store.db"), p, { synchronous: "off", acceptUnsafe: true });
  opened.push(s);
  return s;
};
const now = async (s: FullStore): Promise<number> => (await s.info()).nowMs;

it.each([hourMs, -hourMs])(
  "a wall clock that jumps by %i ms is not believed, and all processes of a boot agree",
  proves("I10", "K1", "AX-36"),
  async (ms) => {
    const p = virtualPlatform();
    const a = await open(p);
    const from = await now(a);
    expect(from).toBe(p.wallMs());
    p.skew(ms);
    const b = await open(p); // a process that never saw the clock before it was set
    await p.advance(5_000);
    expect([await now(a), await now(b)]).toEqual([from + 5_000, from + 5_000]);
    expect((await b.info()).settings?.["clock"]).toBe(`the machine's clock is 3600 s ${ms > 0 ? "ahead of" : "behind"} the store's`);
    expect((await a.info()).settings).not.toHaveProperty("unsafe");
  },
);

it("a machine that slept has slept by the store's clock too", proves("K1"), async () => {
  const p = virtualPlatform();
  const a = await open(p);
  const from = await now(a);
  p.suspend(90_000);
  expect(await now(a)).toBe(from + 90_000);
});

it("a wall clock that drifted is followed slowly, by one process for all; one that was set is not", proves("I10"), async () => {
  const p = virtualPlatform();
  const [a, b] = [await open(p), await open(p)];
  p.skew(1_000);
  const behind = async (s: FullStore): Promise<number> => p.wallMs() - (await now(s));
  await p.advance(59_000);
  await a.declareDead({ by: "a" });
  expect(await behind(a)).toBe(1_000);
  await p.advance(1_000);
  for (const s of [a, b]) await s.declareDead({ by: "a" });
  expect([await behind(a), await behind(b)]).toEqual([970, 970]);
  p.skew(-2_000);
  await p.advance(60_000);
  await b.declareDead({ by: "b" });
  await p.advance(1_000);
  expect([await behind(a), await behind(b)]).toEqual([-1_000, -1_000]);
  p.skew(hourMs);
  await p.advance(60_000);
  await a.declareDead({ by: "a" });
  expect(await behind(a)).toBe(hourMs - 1_000);
});

it("a new boot takes the wall clock, and never goes back behind what is recorded", proves("I10", "P-12"), async () => {
  const first = virtualPlatform();
  const a = await open(first);
  const row = await owned(a, "a");
  await first.advance(10_000);
  await a.commit([next(row, { events: [event(1)] })]);
  const last = await now(a);
  const later = virtualPlatform({ startMs: last + hourMs });
  expect(await now(await open(later))).toBe(last + hourMs);
  const wrong = virtualPlatform({ startMs: last - hourMs });
  const b = await open(wrong);
  expect(await now(b)).toBeGreaterThanOrEqual(last + hourMs);
  await wrong.advance(7);
  expect(await now(b)).toBeGreaterThanOrEqual(last + hourMs + 7);
});

it("a store without a row of its clock begins no earlier than its last event", proves("P-12"), async () => {
  const first = virtualPlatform();
  const a = await open(first);
  await first.advance(10_000);
  await a.commit([next(await owned(a, "a"), { events: [event(1)] })]);
  const last = await now(a);
  await a.kv.put([{ collection: "pawl.clock", key: "store", value: null }]);
  expect(await now(await open(virtualPlatform({ startMs: last - hourMs })))).toBe(last);
});

it("where boots have no names, an uptime that went back or a wall clock far ahead tells of one", proves("I10"), async () => {
  const nameless = (p: Platform, up = 0): Platform => ({ ...p, bootId: () => "", uptimeMs: () => p.uptimeMs() + up });
  const p = virtualPlatform();
  const from = await now(await open(nameless(p)));
  p.skew(500_000);
  expect(await now(await open(nameless(p)))).toBe(from);
  p.skew(200_000);
  expect(await now(await open(nameless(p)))).toBe(from + 700_000);
  p.skew(1_000);
  expect(await now(await open(nameless(p, -1)))).toBe(from + 701_000);
});
