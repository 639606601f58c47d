// A start whose Commit the store cannot write at the moment, because somebody holds a row that it needs: nothing was written, so it is asked again.
// Guards that nobody who starts a run hears of it.
import { expect, it } from "vitest";
import { virtualPlatform } from "../../platform/virtual.ts";
import { memoryStore } from "../../store/memory/store.ts";
import type { FullStore } from "../../store/full-store.ts";
import { workflow } from "../../workflow/define.ts";
import { openEngine } from "../engine.ts";

it("a start that the store answers with busy is asked again, and makes one run", async () => {
  const platform = virtualPlatform();
  const inner = memoryStore(platform);
  let busy = 3;
  let asked = 0;
  const store: FullStore = {
    ...inner,
    commit: (commits, renewal) => {
      if (commits[0] === undefined || !("create" in commits[0].expect) || ++asked > busy) return inner.commit(commits, renewal);
      return Promise.resolve({ answers: [{ kind: "busy" }], renewal: null });
    },
  };
  const later = workflow({ name: "later" }, async (ctx) => ctx.step("a", () => 1));
  const { engine } = await openEngine({ platform, log: () => {}, open: async () => store }, { workflows: [later] });
  const started = engine.start(later, undefined, { id: "r", delay: "1s" });
  await platform.advance(1_000);
  expect([(await started).created, asked]).toEqual([true, 4]);
  expect(
    (await inner.runs({ scope: { tenantId: "default", projectId: "default", environmentId: "default" }, limit: 9 })).runs,
  ).toHaveLength(1);
  busy = Number.POSITIVE_INFINITY;
  const never = engine.start(later, undefined, { id: "s", delay: "1s" });
  never.catch(() => {});
  await platform.advance(60_000);
  await expect(never).rejects.toMatchObject({ page: "PAWL3002", message: "the run was not created: busy" });
  await engine.stop();
});
