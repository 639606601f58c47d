// Method: an operator acts at random on live runs whose effects go to a bank outside that loses requests and replies; engines die
// meanwhile. Then every verdict of every run is compared with the bank's own ledger. Virtual clock: seeds are cheap, and a seed that
// fails is printed with the acts that led there.
import { describe, expect, it } from "vitest";
import { seeded } from "../campaign/crew.ts";
import { operate, type TellerPlace } from "../campaign/teller.ts";
import { lab, type Lab, type StoreKind } from "../support/lab.ts";
import { proves } from "../support/proves.ts";

function placeOf(l: Lab): TellerPlace {
  return {
    engine: async (workflows) => l.engine(workflows, { lease: "1s" }),
    pass: (ms) => l.platform.advance(ms),
    until: (p) => l.until(p),
    timer: (ms, f) => void l.platform.timer(ms, f),
  };
}

async function play(kind: StoreKind, seed: number, acts: number, forgets = false): ReturnType<typeof operate> {
  const l = await lab(kind, seed);
  try {
    return await operate({ place: placeOf(l), random: seeded(seed * 7_919), acts, forgets, name: `order-${seed}` });
  } finally {
    await l.close();
  }
}

describe("verdicts of lines of runs", () => {
  it.each([
    ["memory", 60, 14],
    ["sqlite", 6, 14],
  ] as const)(
    "%s: no verdict promises more than the bank's ledger shows, and no run is stuck",
    { ...proves("K19", "I6", "I7", "I12"), timeout: 300_000 },
    async (kind, seeds, acts) => {
      const problems: string[] = [];
      let effects = 0;
      for (let seed = 1; seed <= seeds; seed++) {
        const told = await play(kind, seed, acts);
        effects += told.effects;
        problems.push(...[...told.lies, ...told.stuck].map((p) => `seed ${seed}: ${p}`));
      }
      expect(problems).toEqual([]);
      expect(effects).toBeGreaterThan(seeds);
    },
  );

  it("a bank that forgets its keys is noticed", { timeout: 120_000 }, async () => {
    const lies: string[] = [];
    for (let seed = 1; seed <= 40 && lies.length === 0; seed++) lies.push(...(await play("memory", seed, 14, true)).lies);
    expect(lies.join()).toContain("the bank has 2");
  });
});
