// The authority's queue: what goes together, what is asked again, what is given up, and how large a batch may be. On the
// memory store with a clock that stands still; the facts about logs are in test/log, on every store.
import { describe, expect, it } from "vitest";
import { PawlError } from "../errors/error.ts";
import { virtualPlatform } from "../platform/virtual.ts";
import { memoryState } from "../store/memory/state.ts";
import { memoryStore } from "../store/memory/store.ts";
import type { FullStore } from "../store/full-store.ts";
import type { Commit, CommitAnswer } from "../store/port.ts";
import { appendAuthority } from "./append-authority.ts";
import type { AppendAuthority } from "./append-types.ts";
import type { RunEventWrite } from "../core/contract.ts";
import { buildEvent } from "./producer.ts";
import { proves } from "../../test/support/proves.ts";

const scope = { tenantId: "t", projectId: "p", environmentId: "e" };
type Answers = Awaited<ReturnType<FullStore["commit"]>>;

function lab(commit?: (real: FullStore["commit"], batch: readonly Commit[], n: number) => Promise<Answers>) {
  const platform = virtualPlatform();
  const state = memoryState(platform);
  const real = memoryStore(platform, { state });
  const batches: (readonly Commit[])[] = [];
  const store: FullStore = {
    ...real,
    commit: (batch, renew) => {
      batches.push(batch);
      return commit === undefined ? real.commit(batch, renew) : commit(real.commit.bind(real), batch, batches.length);
    },
  };
  const authority = appendAuthority(store, platform, { scope });
  const event = (eventType: string, runId = "r", payload?: Readonly<Record<string, unknown>>): RunEventWrite =>
    ({
      ...buildEvent(
        scope,
        { runId, planId: "p", planVersion: "1" },
        { eventType, ...(payload === undefined ? {} : { payload }) },
        platform.wallMs(),
      ),
      eventId: platform.uuidV4(),
    }) as RunEventWrite;
  const until = async <T>(p: Promise<T>): Promise<T> => {
    let over = false;
    p.then(
      () => (over = true),
      () => (over = true),
    );
    for (let i = 0; i < 500 && !over; i++) await platform.advance(100);
    return p;
  };
  return { platform, real, store, batches, authority, event, until };
}
const answer = (kind: "busy" | "stale"): Answers => ({ answers: [{ kind } as CommitAnswer], renewal: null });

describe("the append authority", () => {
  it("what is appended in one turn, or while a batch is written, goes together: one Commit per run, in order", async () => {
    let open!: () => void;
    const held = new Promise<void>((resolve) => (open = resolve));
    const l = lab(async (real, batch, n) => {
      if (n === 1) await held;
      return real(batch);
    });
    const first = [l.authority.append(l.event("RunQueued")), l.authority.append(l.event("RunStarted"))];
    await l.platform.settle();
    const later = ["A", "B", "C"].map((t) => l.authority.append(l.event(t)));
    const other = l.authority.append(l.event("RunStarted", "r2"));
    await l.platform.settle();
    expect(l.batches.map((b) => b.map((c) => c.events.length))).toEqual([[2]]);
    open();
    expect((await Promise.all([...first, ...later])).map((a) => a.runSeq)).toEqual([1, 2, 3, 4, 5]);
    expect((await other).runSeq).toBe(1);
    expect(l.batches.map((b) => b.map((c) => c.events.length))).toEqual([[2], [3, 1]]);
  });

  it("a batch whose answer is lost is asked again, byte for byte, and its caller is told that it inserted", proves("K10"), async () => {
    const l = lab(async (real, batch, n) => {
      const done = await real(batch);
      if (n < 3) throw new PawlError("PAWL3002", "the line broke", { outcome: "unknown" });
      return done;
    });
    expect(await l.until(l.authority.append(l.event("RunStarted")))).toMatchObject({ runSeq: 1, persisted: true });
    expect(l.batches).toHaveLength(3);
    expect(l.batches[2]).toEqual(l.batches[0]);
    expect(await l.real.events({ runId: "r", after: 0, limit: 10 })).toHaveLength(1);
  });

  it("a store that stays away is asked a few times and then told about; what was written is found by asking again", async () => {
    let away = true;
    const l = lab(async (real, batch) => {
      const done = await real(batch);
      if (away) throw new PawlError("PAWL3002", "the line broke", { outcome: "unknown" });
      return done;
    });
    const event = l.event("RunStarted");
    await expect(l.until(l.authority.append(event))).rejects.toMatchObject({ code: "PAWL3002", outcome: "unknown" });
    expect(l.batches.length).toBeLessThan(20);
    away = false;
    expect(await l.until(l.authority.append(event))).toMatchObject({ eventId: event.eventId, idempotent: true });
  });

  it("a row that is locked, or was written in between, is tried again, and not for ever", async () => {
    const l = lab(async (real, batch, n) => (n < 4 ? answer(n === 2 ? "busy" : "stale") : real(batch)));
    expect(await l.until(l.authority.append(l.event("RunStarted")))).toMatchObject({ runSeq: 1 });
    expect(l.batches).toHaveLength(4);
    const never = lab(async () => answer("busy"));
    await expect(never.until(never.authority.append([never.event("RunStarted")]))).rejects.toMatchObject({ code: "PAWL3001" });
    expect(never.batches.length).toBeLessThan(100);
  });

  it("two authorities that create one run at once: one creates it, the other's events are appended to it", proves("D-141"), async () => {
    const l = lab();
    const second: AppendAuthority = appendAuthority(l.store, l.platform, { scope });
    const [a, b] = await l.until(
      Promise.all([l.authority.append([l.event("RunQueued"), l.event("A")]), second.append([l.event("RunStarted"), l.event("A")])]),
    );
    const log = await l.real.events({ runId: "r", after: 0, limit: 10 });
    expect(log.map((e) => e.runSeq)).toEqual([1, 2, 3]);
    expect([a.appended.length + b.appended.length, a.deduped.length + b.deduped.length]).toEqual([3, 1]);
  });

  it("a batch is bounded in events and in bytes, whatever one call brings", async () => {
    const l = lab();
    const many = Array.from({ length: 2_500 }, (_x, i) => l.event(`T${i}`));
    const { appended } = await l.authority.append(many);
    expect(appended.map((a) => a.runSeq)).toEqual(many.map((_e, i) => i + 1));
    expect(l.batches.map((b) => b[0]?.events.length)).toEqual([1_000, 1_000, 500]);
    const large = Array.from({ length: 4 }, (_x, i) => l.event("Large", `big-${i}`, { x: "x".repeat(700_000) }));
    await l.authority.append(large);
    expect(l.batches.slice(3).map((b) => b.length)).toEqual([1, 1, 1, 1]);
    const runs = Array.from({ length: 300 }, (_x, i) => l.event("RunStarted", `n-${i}`));
    await l.authority.append(runs);
    expect(l.batches.slice(7).map((b) => b.length)).toEqual([256, 44]);
  });

  it("an event that is in one batch twice is answered with its own record both times, and a differing payload is told", async () => {
    const l = lab();
    const [a, b] = [l.event("RunStarted"), l.event("shop.Seen", "r", { n: 1 })];
    const twin = { ...b, eventId: l.platform.uuidV4() };
    const other = { ...twin, payload: { n: 2 } } as RunEventWrite;
    const { results, appended, deduped } = await l.until(l.authority.append([a, b, twin, other]));
    expect(appended.map((x) => [x.eventId, x.runSeq])).toEqual([
      [a.eventId, 1],
      [b.eventId, 2],
    ]);
    expect(deduped.map((x) => [x.eventId, x.runSeq, x.samePayload])).toEqual([
      [b.eventId, 2, true],
      [b.eventId, 2, false],
    ]);
    expect(results).toEqual([...appended, ...deduped]);
  });

  it("duplicates cost one question per run and no Commit at all", async () => {
    const l = lab();
    const events = Array.from({ length: 900 }, (_x, i) => l.event(`T${i}`));
    await l.authority.append(events);
    const asked: unknown[] = [];
    const watched: FullStore = { ...l.store, events: (q) => (asked.push(q), l.store.events(q)) };
    const again = appendAuthority(watched, l.platform, { scope });
    expect((await again.append(events)).deduped).toHaveLength(900);
    expect((await again.append(events)).deduped).toHaveLength(900);
    expect(l.batches).toHaveLength(1);
    expect(asked.filter((q) => "idempotencyKeys" in (q as object))).toHaveLength(2);
  });
});
