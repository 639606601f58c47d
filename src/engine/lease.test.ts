// The lease while the store is away: how often it is asked for, what is told of it, and that an effect which waited may begin as
// soon as a renewal was answered. On a virtual clock, with a store that only renews.
import { expect, it } from "vitest";
import { virtualPlatform } from "../platform/virtual.ts";
import type { FullStore } from "../store/full-store.ts";
import { Lease } from "./lease.ts";
import { proves } from "../../test/support/proves.ts";

function kept(answer: () => Promise<"renewed" | "dead">, declareDead: () => Promise<string[]> = async () => []) {
  const platform = virtualPlatform();
  const told: string[] = [];
  let asked = 0;
  let deaths = 0;
  const renew = (): Promise<"renewed" | "dead"> => (asked++, answer());
  const store = { registerEngine: async () => {}, renew, declareDead } as unknown as FullStore;
  const keeper = new Lease({
    platform,
    store,
    leaseMs: 10_000,
    scope: { tenantId: "t", projectId: "p", environmentId: "e" },
    workflowsServed: () => [],
    log: () => {},
    onDead: () => deaths++,
    onProblem: (e) => void told.push((e as Error).message),
  });
  return { platform, keeper, told, asked: () => asked, deaths: () => deaths };
}

it(
  "a thousand effects that wait for a store that is away ask it as one would, it is told once, and all begin when it is back",
  proves("K3"),
  async () => {
    let away = true;
    const k = kept(async () => {
      if (away) throw new Error("gone");
      return "renewed";
    });
    await k.keeper.enlist();
    await k.platform.advance(1_000);
    const waiting = Array.from({ length: 1_000 }, () => k.keeper.ensureFresh());
    let begun = 0;
    for (const w of waiting) void Promise.resolve(w).then((ok) => ok && begun++);
    await k.platform.advance(60_000);
    expect(begun).toBe(0);
    expect(k.asked()).toBeLessThan(100);
    expect(k.told).toEqual(["gone"]);
    away = false;
    await k.platform.advance(1_000);
    expect(begun).toBe(1_000);
    away = true;
    await k.platform.advance(10_000);
    expect(k.told).toEqual(["gone", "gone"]); // the next outage is news again
    await k.keeper.retire();
  },
);

it("what waited under a life that ended may not begin, and the next life asks for itself", proves("K1"), async () => {
  const answers: ((a: "renewed" | "dead") => void)[] = [];
  const k = kept(() => new Promise((resolve) => answers.push(resolve)));
  await k.keeper.enlist();
  await k.platform.advance(1_000);
  const old = k.keeper.ensureFresh();
  answers.shift()?.("dead");
  expect(await old).toBe(false);
  expect(k.deaths()).toBe(1);
  await k.keeper.enlist();
  await k.platform.advance(1_000);
  const next = k.keeper.ensureFresh();
  answers.shift()?.("renewed");
  expect(await next).toBe(true);
  await k.keeper.retire();
});

it("a renewal is fresh for less than 500 ms after it was sent, and not at 500", proves("K3"), async () => {
  const k = kept(async () => "renewed");
  await k.keeper.enlist();
  await k.platform.advance(499);
  expect(k.keeper.ensureFresh()).toBe(true);
  expect(k.asked()).toBe(0);
  await k.platform.advance(1);
  expect(await k.keeper.ensureFresh()).toBe(true);
  expect(k.asked()).toBe(1);
  await k.keeper.retire();
});

it("the answer to a renewal that was sent long ago does not make the lease fresh, nor one of an earlier life", proves("K3"), async () => {
  const answers: ((a: "renewed" | "dead") => void)[] = [];
  const k = kept(() => new Promise((resolve) => answers.push(resolve)));
  await k.keeper.enlist();
  await k.platform.advance(300);
  const ride = k.keeper.piggybackRenewal()!;
  await k.platform.advance(600);
  ride.answered("renewed"); // sent 600 ms ago
  const waits = k.keeper.ensureFresh();
  expect(waits).not.toBe(true);
  answers.shift()?.("dead");
  expect(await waits).toBe(false);
  await k.keeper.enlist();
  await k.platform.advance(600);
  const old = k.deaths();
  ride.answered("dead"); // about the life before
  expect(k.deaths()).toBe(old);
  ride.answered("renewed");
  expect(k.keeper.ensureFresh()).not.toBe(true);
  answers.shift()?.("renewed");
  await k.keeper.retire();
});

it("an engine has retired when its death is declared, and not before", proves("K1"), async () => {
  let declare: (dead: string[]) => void = () => {};
  const k = kept(
    async () => "renewed",
    () => new Promise((resolve) => (declare = resolve)),
  );
  await k.keeper.enlist();
  let retired = false;
  const retiring = k.keeper.retire().then(() => (retired = true));
  await k.platform.settle();
  expect(retired).toBe(false);
  declare([k.keeper.engineId]);
  await retiring;
});
