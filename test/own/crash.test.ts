// A process killed between its row and its COMMIT, or right after it, on every database: there are both or neither, and
// what was committed is picked up by whoever serves it, though nobody was told. Real processes, SIGKILL, no waits but for
// facts.
import { z } from "zod";
import { afterEach, describe, expect, it } from "vitest";
import { engine, workflow } from "../../src/index.ts";
import { killChildren, startChild } from "../support/child-process.ts";
import { databases } from "./databases.ts";
import { proves } from "../support/proves.ts";

const order = workflow({ name: "order", input: z.object({ id: z.string() }), signals: { paid: z.number() } }, async (ctx, o) => {
  return `${o.id} for ${await ctx.receive("paid")}`;
});

afterEach(killChildren);

describe.each(databases.filter((d) => !d.missing))("$name", (database) => {
  it(
    "killed before its COMMIT a process leaves neither row nor run, killed after it both, and an engine continues the run",
    proves("C1"),
    async () => {
      const place = await database.make();
      // Makes the tables, and is there before any of them dies.
      const app = await engine({ store: place.url, workflows: [order], log: () => {} });
      try {
        for (const dies of ["inserted", "started", "signalled", "committed"] as const) {
          const child = startChild("test/own/programs/shop.js", { args: [JSON.stringify({ store: place.url, id: dies, dies })] });
          expect((await child.ended).signal).toBe("SIGKILL");
        }
        const run = await app.get(order, "committed");
        expect(await run?.result()).toBe("committed for 7");
        expect((await app.list()).runs.map((r) => r.workflowId)).toEqual(["committed"]);
        const mine = await place.mine();
        expect((await mine.sql("select id from orders")).map((r) => String(r["id"]))).toEqual(["committed"]);
        await mine.end();
      } finally {
        await app.stop();
        await place.remove();
      }
    },
  );
});
