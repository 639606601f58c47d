// What health says of a store, and for how long: false while something is asked again and again, true as soon as it has been answered,
// however it ended. A full disk is a store that takes nothing for a while.
import { describe, expect, it } from "vitest";
import { PawlError } from "../../errors/error.ts";
import type { FullStore } from "../../store/full-store.ts";
import { workflow } from "../../workflow/define.ts";
import { anySchema, testClusters, storeKinds } from "../../../test/support/test-cluster.ts";
import { losingAnswers, faultyStore } from "../../../test/support/faulty-store.ts";
import { proves } from "../../../test/support/proves.ts";
import { wrapCommit } from "../../../test/support/wrap-commit.ts";

const fresh = testClusters();
const full = (): PawlError => new PawlError("PAWL3002", "sqlite: database or disk is full", { outcome: "none" });
const waits = workflow({ name: "waits", signals: { go: anySchema<string>() } }, async (ctx) => ctx.receive("go"));

describe.each(storeKinds)("%s", (kind) => {
  it("is well again when the disk has room, also where what could not be written is given up and nothing more is written", async () => {
    const l = await fresh(kind);
    let state: "room" | "full" | "broken" = "room";
    const wrap = wrapCommit((real, batch, renew) => {
      if (state === "full") throw full();
      if (state === "broken") {
        state = "room";
        throw new Error("the driver failed in a way that nobody knows");
      }
      return real(batch, renew);
    });
    const e = await l.engine([waits], { wrap, lease: "1h" });
    state = "full";
    const started = e.engine.start(waits);
    started.catch(() => {});
    await l.platform.advance(1_000);
    expect(e.engine.health()).toEqual({ ok: false, trouble: "sqlite: database or disk is full" });
    state = "broken";
    await expect(l.advanceUntil(started)).rejects.toMatchObject({ page: "PAWL3002", outcome: "unknown" });
    await l.platform.advance(3_000);
    expect(e.engine.health()).toEqual({ ok: true, trouble: null });
  });

  it("one Commit that goes alone and is not taken is trouble, whatever the batches beside it do", async () => {
    const l = await fresh(kind);
    let away = true;
    const wrap = wrapCommit((real, batch, renew) => {
      if (away && batch.some((c) => JSON.stringify(c).length > 262_144)) throw full();
      return real(batch, renew);
    });
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("large", () => "x".repeat(300_000));
      return "done";
    });
    const small = workflow({ name: "small" }, async (ctx) => {
      for (let n = 0; n < 5; n++) await ctx.sleep(`n${n}`, "1s");
    });
    const e = await l.engine([wf, small], { wrap });
    const h = await e.engine.start(wf);
    await e.engine.start(small);
    for (let n = 0; n < 8; n++) {
      await l.platform.advance(500);
      expect(e.engine.health().ok).toBe(false);
    }
    away = false;
    expect(await l.advanceUntil(h.result())).toBe("done");
    expect(e.engine.health().ok).toBe(true);
  });

  it("a lease that cannot be renewed is trouble, until it can: within seconds, however long the lease", async () => {
    const l = await fresh(kind);
    let away = false;
    const wrap = (s: FullStore): FullStore => ({ ...s, renew: (r) => (away ? Promise.reject(full()) : s.renew(r)) });
    const e = await l.engine([waits], { wrap, lease: "3m" });
    away = true;
    await l.platform.advance(61_000);
    expect(e.engine.health()).toEqual({ ok: false, trouble: "sqlite: database or disk is full" });
    away = false;
    await l.platform.advance(6_000);
    expect(e.engine.health()).toEqual({ ok: true, trouble: null });
  });

  it("an engine whose end was not answered says it again, and has stopped", proves("K1"), async () => {
    const l = await fresh(kind);
    const lose = losingAnswers("declareDead", "cut", 1);
    let stopping = false;
    const e = await l.engine([waits], { wrap: (s) => faultyStore(s, (verb, args) => (stopping ? lose(verb, args) : null)) });
    stopping = true;
    await l.advanceUntil(e.engine.stop());
    expect(lose.struck()).toBe(1);
    expect((await l.store.info()).engines).toEqual([]);
  });
});
