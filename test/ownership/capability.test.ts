// Where an engine may start: on a store that can write on a condition, or, if the caller takes it on himself, as the only
// owner. The refusal comes before the engine has left any trace; nothing falls back to reading first and writing after.
import { expect, it } from "vitest";
import { z } from "zod";
import { openEngine, type OpenEngine } from "../../src/client/engine.ts";
import type { EngineOpts } from "../../src/client/engine-types.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { runOnce } from "../../src/client/run.ts";
import { checkLimits } from "../../src/core/limits.ts";
import { EngineCore } from "../../src/engine/engine.ts";
import { PawlError, workflow } from "../../src/index.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { memoryState } from "../../src/store/memory/state.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { proves } from "../support/proves.ts";

const platform = systemPlatform();
const echo = workflow({ name: "echo", input: z.number() }, async (ctx, n) => ctx.step("double", () => n * 2));

/** A store that says what it can do and remembers what was asked of it. */
function spied(conditionalBatch: boolean, state = memoryState(platform)): { store: FullStore; calls: string[] } {
  const calls: string[] = [];
  const real = memoryStore(platform, { state, capabilities: { conditionalBatch } });
  const store = new Proxy(
    { ...real, name: "LegacyAdapter" },
    {
      get: (target, verb: keyof FullStore) => {
        const member = target[verb];
        if (typeof member !== "function") return member;
        return (...q: never[]): unknown => {
          calls.push(verb);
          return Reflect.apply(member, target, q);
        };
      },
    },
  );
  return { store, calls };
}
const open = (store: FullStore, o: EngineOpts = {}): Promise<OpenEngine> =>
  openEngine({ platform, log: () => {}, open: async () => store }, { store, workflows: [echo], ...o });
const writesOrLooks = (calls: readonly string[]): string[] => calls.filter((c) => !["capabilities", "name"].includes(c));

it(
  "cas-required on a store without conditionalBatch throws before anything is claimed, recovered or polled",
  proves("W-105", "W-111", "W-113", "W-114", "W-121"),
  async () => {
    const { store, calls } = spied(false);
    const error = await open(store, { checkpointOwnership: "cas-required" }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(PawlError);
    expect(error).toMatchObject({
      code: "CheckpointOwnershipCapabilityError",
      name: "CheckpointOwnershipCapabilityError",
      outcome: "none",
    });
    expect(calls).toContain("capabilities");
    expect(writesOrLooks(calls)).toEqual([]);
  },
);

it("the diagnostic names conditionalBatch, the mode and the adapter", proves("W-115"), async () => {
  const error = (await open(spied(false).store).catch((e: unknown) => e)) as PawlError;
  for (const word of ["conditionalBatch", "cas-required", "LegacyAdapter"]) expect(error.message).toContain(word);
  expect(error.data).toEqual({ capability: "conditionalBatch", checkpointOwnership: "cas-required", store: "LegacyAdapter" });
});

it("the engine itself refuses to start, not a wrapper around it; run() is refused alike", proves("W-110"), async () => {
  const { store, calls } = spied(false);
  const settings = {
    platform,
    store,
    scope: defaultScope,
    limits: checkLimits(),
    log: () => {},
    leaseMs: 1_000,
    idleMs: 1,
    pollMs: 50,
    liveRunsMax: 1,
    effectsMax: 1,
    ledger: "declared" as const,
    requireTwoApprovers: false,
    onGivenUp: "ask" as const,
    onVersionChange: "allow" as const,
    recovery: "shared" as const,
    effectStore: null,
    production: false,
    onDecision: null,
  };
  const core = new EngineCore({ ...settings, checkpointOwnership: "cas-required" }, []);
  await expect(core.open()).rejects.toMatchObject({ code: "CheckpointOwnershipCapabilityError" });
  await expect(runOnce({ platform, log: () => {}, open: async () => store }, echo, 1, { store })).rejects.toMatchObject({
    code: "CheckpointOwnershipCapabilityError",
  });
  expect(writesOrLooks(calls)).toEqual([]);
});

it("the default is cas-required, because ownership is by conditional writes; any other word is refused", proves("W-112"), async () => {
  await expect(open(spied(false).store)).rejects.toMatchObject({ code: "CheckpointOwnershipCapabilityError" });
  const fine = await open(spied(true).store);
  expect(fine.core.settings.checkpointOwnership).toBe("cas-required");
  await fine.engine.stop();
  await expect(open(spied(true).store, { checkpointOwnership: "none" as never })).rejects.toMatchObject({ code: "PAWL5001" });
});

it(
  "without conditionalBatch signals, owning by CAS and effects that must be recorded first fail fast, and nothing is read to write",
  proves("W-136", "W-137", "W-138", "W-139"),
  async () => {
    const { store, calls } = spied(false);
    await expect(open(store)).rejects.toMatchObject({ code: "CheckpointOwnershipCapabilityError" });
    expect(writesOrLooks(calls)).toEqual([]);
    const sent: string[] = [];
    const kinds = { key: { key: "k" }, dedup: { key: "k", dedup: "1h" }, once: { once: true } } as const;
    const keyed = workflow({ name: "keyed", signals: { go: z.number() } }, async (ctx) => {
      const codes: unknown[] = [];
      for (const [name, o] of Object.entries(kinds))
        codes.push(await ctx.step(name, () => sent.push(name), o).catch((e: PawlError) => e.page));
      codes.push(
        await ctx
          .step("verify", () => sent.push("v"), { verify: async () => ({ state: "not-completed" }) })
          .catch((e: PawlError) => e.page),
      );
      return [...codes, await ctx.step("plain", () => sent.push("plain"))];
    });
    const single = await open(store, { checkpointOwnership: "single-owner", workflows: [keyed] });
    const h = await single.engine.start(keyed, undefined, { id: "k" });
    calls.length = 0;
    await expect(single.client.signal("k", "go", 1, { signalId: "s" })).rejects.toMatchObject({ page: "PAWL3006" });
    expect(await h.result()).toEqual(["PAWL2013", "PAWL2013", "PAWL2013", "PAWL2013", 1]);
    expect(sent, "nothing was sent that could not be recorded").toEqual(["plain"]);
    expect(await single.client.steps("k")).toHaveLength(1);
    expect(await store.inbox({ runId: h.runId, all: true })).toEqual([]);
    await single.engine.stop();
  },
);

it(
  "single-owner starts there, runs, stops, and the next single owner takes over what is left",
  proves("W-104", "W-111", "W-120"),
  async () => {
    const state = memoryState(platform);
    const held = workflow({ name: "held", input: z.number() }, async (ctx, n) => {
      await ctx.sleep("a while", 50);
      return ctx.step("double", () => n * 2);
    });
    const mode = { checkpointOwnership: "single-owner" as const, workflows: [echo, held] };
    const first = await open(spied(false, state).store, mode);
    expect(await first.engine.run(echo, 4)).toBe(8);
    const h = await first.engine.start(held, 21, { id: "h" });
    await first.engine.stop();
    const second = await open(spied(false, state).store, mode);
    expect(await (await second.engine.get(held, "h"))?.result()).toBe(42);
    expect((await second.engine.get(held, "h"))?.runId).toBe(h.runId);
    await second.engine.stop();
  },
);
