// A database whose sessions begin under REPEATABLE READ: a claim under a limit counts after its lock, in a snapshot of its own, whatever the default
// is. Guards that eight claimers at once never pass a limit there.
import { expect, it } from "vitest";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { scope } from "../../src/store/suite/build.ts";
import { claimed, dispatch, enlistWorkers, queued } from "../../src/store/suite/queues/build.ts";
import { dropSchema, freshPlace, raw } from "../postgres/places.ts";
import { proves } from "../support/proves.ts";

it("under REPEATABLE READ by default, eight claimers at once never pass the limit of a queue", proves("T-24"), async () => {
  const place = await freshPlace();
  const url = new URL(place.url);
  url.searchParams.set("options", `${url.searchParams.get("options")} -c default_transaction_isolation=repeatable\\ read`);
  const session = await raw(url.href);
  expect((await session.exec("show default_transaction_isolation")).rows).toEqual([{ default_transaction_isolation: "repeatable read" }]);
  await session.end();
  const stores = await Promise.all([1, 2].map(() => openStore(url.href, systemPlatform())));
  try {
    const [store] = stores;
    const workers = Array.from({ length: 8 }, (_, n) => `claimer-${n}`);
    await enlistWorkers(store!, ...workers);
    for (let round = 0; round < 10; round++) {
      const ids = Array.from({ length: 30 }, (_, i) => dispatch(i + 1));
      await queued(store!, `r-${round}`, ids);
      await store!.queues.configure(scope, "q", { config: { concurrency: 5 } });
      const got = (await Promise.all(workers.map((w, i) => claimed(stores[i % 2]!, w, { limit: 4 })))).flat();
      expect(got.length, `round ${round}`).toBeLessThanOrEqual(5);
      const held = await store!.queues.rows({ scope, queue: "q", limit: 1_000 });
      expect(held.filter((d) => d.worker !== null).length).toBeLessThanOrEqual(5);
      await store!.queues.finish(got.map((d) => ({ dispatchId: d.dispatchId, token: d.token!, end: { kind: "result", report: 1 } })));
    }
  } finally {
    for (const s of stores) await s.close();
    await dropSchema(place.url, place.schema);
  }
});
