// `pawl doctor --restored` on a store that was put back from a backup: refused while an engine lives, it raises the incarnation and pauses what may
// have done more than the copy knows. What may simply repeat goes on. A rehearsal changes nothing.
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { engine, workflow } from "../../src/index.ts";
import { CliFolder, killCommands } from "../cli/pawl-process.ts";
import { proves } from "../support/proves.ts";

afterEach(killCommands);

const paying = workflow({ name: "paying", version: "1" }, async (ctx) => {
  await ctx.step("charge", () => "paid", { key: "charge-1", dedup: "24h" });
  await ctx.sleep("a day", "1d");
});
const counting = workflow({ name: "counting", version: "1" }, async (ctx) => {
  await ctx.step("count", () => 1, { repeatable: true });
  await ctx.sleep("a day", "1d");
});

it("raises the incarnation and pauses runs whose effects may not repeat, once no engine lives", proves("K4"), async () => {
  const place = new CliFolder();
  await place.pawl("init");
  const app = await engine({ store: `sqlite:${join(place.dir, ".pawl/state.db")}`, workflows: [paying, counting], log: () => {} });
  await app.start(paying, undefined, { id: "p-1" });
  await app.start(counting, undefined, { id: "c-1" });
  for (const id of ["p-1", "c-1"]) await place.until(id, (r) => r.waiting === "timer");
  const alive = await place.pawl("doctor", "--restored", "--yes");
  await app.stop();
  expect([alive.code, alive.err]).toEqual([5, expect.stringMatching(/PAWL4010[^]*1 engine is alive/)]);

  const before = await place.json("doctor", "--restored", "--dry-run");
  expect(before).toMatchObject({ dryRun: true, paused: [{ workflowId: "p-1" }], pending: [] });
  const did = await place.json("doctor", "--restored", "--yes");
  expect(did).toMatchObject({ dryRun: false, incarnation: before.incarnation + 1, paused: [{ workflowId: "p-1" }] });
  expect(await place.json("doctor", "--restored", "--dry-run")).toMatchObject({ incarnation: before.incarnation + 1, paused: [] });
  const statuses = await Promise.all(["p-1", "c-1"].map(async (id) => (await place.json("inspect", id)).status as string));
  expect(statuses).toEqual(["PAUSED", "RUNNING"]);
});
