// Runs whose log is written by producers outside, as a client meets them: they are read like any other, and whatever is sent
// to one is refused by name, because no engine would ever read it.
import { expect, it } from "vitest";
import { memoryBundle } from "../../test/store/bundles.ts";
import { virtualPlatform } from "../platform/virtual.ts";
import { checkLimits } from "../core/limits.ts";
import { create, event, scope } from "../store/suite/build.ts";
import { localClient } from "./local-client.ts";
import { proves } from "../../test/support/proves.ts";

it("a signal, an update and a control for a run from outside are refused, and leave nothing", proves("K23"), async () => {
  const platform = virtualPlatform();
  const { store, close } = await memoryBundle(platform);
  const quiet = { due: { at: null, inMs: null }, status: "RUNNING", events: [event(1)] } as const;
  await store.commit([create("x", { origin: "external" }, quiet)]);
  const client = localClient({ store, platform, scope, limits: checkLimits(), engine: null, retainMs: null });
  expect(await client.get("x")).toMatchObject({ runId: "x", status: "RUNNING" });
  const refused = { page: "PAWL3016", outcome: "none", data: { runId: "x" } };
  await expect(client.signal("x", "paid", 1)).rejects.toMatchObject(refused);
  await expect(client.update("order-x", "rename", "Ada")).rejects.toMatchObject(refused);
  await expect(client.control("x", "terminate")).rejects.toMatchObject(refused);
  expect(await store.inbox({ runId: "x", all: true })).toEqual([]);
  await close();
});
