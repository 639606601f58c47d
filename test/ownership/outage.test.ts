// A database that goes away and comes back, under a living engine: it costs the time of the outage and nothing else. No run is
// lost, no effect happens twice, no run changes hands, nobody hammers at the door, and the engine's health says what is wrong
// for as long as it is. Waits here are for facts; nothing measures time.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { engine, workflow } from "../../src/index.ts";
import { startClosableProxy } from "../support/closable-proxy.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { proves } from "../support/proves.ts";

const page = readFileSync(new URL("../../docs/ownership.md", import.meta.url), "utf8").replaceAll(/\s+/g, " ");
const until = async (fact: () => boolean): Promise<void> => {
  while (!fact()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe.each([
  ["postgres", "postgres: ", false],
  ["mysql", "mysql: ", skipsWithoutMariadb()],
] as const)("an outage of %s", (store, prefix, skip) => {
  it.skipIf(skip)(
    "costs the outage and nothing else, and the engine's health tells of it while it lasts",
    { ...proves("I1", "I12"), timeout: 60_000 },
    async () => {
      const dir = mkdtempSync(join(tmpdir(), "pawl-outage-"));
      const ground = await openTestDatabase(store, dir);
      const door = await startClosableProxy(Number(new URL(ground.url).port));
      const sent = new Map<string, string[]>();
      const order = workflow({ name: "order", input: z.number() }, async (ctx, n) => {
        let sum = 0;
        for (let i = 1; i <= 12; i++) {
          sum += await ctx.step(`s${i}`, (s) => {
            sent.set(`${n}/${i}`, [...(sent.get(`${n}/${i}`) ?? []), s.fence]);
            return i;
          });
        }
        return sum;
      });
      const told: string[] = [];
      const e = await engine({ store: door.urlThrough(ground.url), workflows: [order], log: (_, message) => told.push(message) });
      expect(e.health()).toEqual({ ok: true, trouble: null });
      const retries = (): number => Number(/^pawl_commit_retries_total (\d+)$/m.exec(e.metrics())?.[1]);
      const handles = await Promise.all(Array.from({ length: 6 }, (_, n) => e.start(order, n)));
      await until(() => sent.size > 20);
      door.block();
      await until(() => !e.health().ok);
      expect(e.health().trouble).toContain(prefix);
      const before = sent.size;
      await until(() => retries() >= 4);
      expect(e.health().ok, "for as long as it lasts").toBe(false);
      // What had begun may end; nothing that is not on record begins.
      expect(sent.size - before).toBeLessThanOrEqual(handles.length);
      expect(door.refusedConnections, "nobody hammers at the door").toBeLessThan(200);
      expect(told.filter((m) => m.startsWith("the store does not accept commits")).length, "told once").toBe(1);
      door.unblock();
      expect(await Promise.all(handles.map((h) => h.result()))).toEqual(Array(6).fill(78));
      await until(() => e.health().ok);
      expect(e.health()).toEqual({ ok: true, trouble: null });
      expect(sent.size).toBe(72);
      expect(new Set([...sent.values()].map((fences) => fences.join())), "once each, under the first fence").toEqual(new Set(["1"]));
      await e.stop();
      await door.close();
      await ground.remove();
      rmSync(dir, { recursive: true, force: true });
    },
  );
});

it("the page about ownership says what an outage costs and what health returns", () => {
  expect(page).toContain("A database that is down for a minute costs that minute");
  expect(page).toContain(
    "returns `{ ok: true, trouble: null }` while the store answers. Otherwise it returns `ok: false` and the store's last error",
  );
});
