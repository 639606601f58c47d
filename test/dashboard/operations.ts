// What operators see beside runs, put into a world under names that a test chooses: queues with steps that wait, a worker, schedules, endpoints, consumers, alerts, batches,
// tokens, templates, investigations, versions. The same for pictures and for names that would break a page. Give the world's engine `queues: {}`: the steps must wait.
import { z } from "zod";
import { contextOfEngine } from "../../src/client/engine.ts";
import { localClient } from "../../src/client/local-client.ts";
import type { Client } from "../../src/client/types.ts";
import { engine, task, worker, workflow } from "../../src/index.ts";
import { forge } from "../readers/forged-run.ts";
import type { World } from "./world.ts";

export interface OperationNames {
  /** Names of a kind are made of it by adding to its end. */
  named(kind: string): string;
  /** The same where spaces and letters of other alphabets are not permitted. */
  plainly(kind: string): string;
  /** What somebody gives as a reason, a subject, a label. */
  readonly text: string;
}

export const plainNames: OperationNames = { named: (kind) => kind, plainly: (kind) => kind, text: "the bank asked us to wait" };

/** Ends what it began; the world is closed by whoever opened it. */
export async function seedOperations(w: World, { named, plainly, text }: OperationNames): Promise<() => Promise<void>> {
  const client = localClient(contextOfEngine(w.app));
  const who = { by: "ann", reason: text };
  const ends: (() => Promise<unknown>)[] = [];

  await queuesAndWorkers(w, client, { named, plainly, text }, ends);
  const [first] = (await w.app.list({ limit: 1 })).runs;
  if (first !== undefined) {
    await client.investigations.open(first.runId, who);
    await client.investigations.note(first.runId, { by: named("bob"), reason: text });
  }
  for (const [name, when] of [
    ["nightly", { cron: "0 2 * * *", tz: "Europe/Zurich" }],
    ["hourly", { every: "1h" }],
    ["stocktaking", { cron: "0 6 1 * *" }],
  ] as const)
    await client.schedules.put({ name: named(name), when, workflow: "wrap", ...who } as never);
  await client.schedules.fire(named("hourly"), who);
  await client.schedules.pause(named("stocktaking"), who);

  for (const id of ["orders", "warehouse"])
    await client.webhooks.add({ id, url: `https://example.com/${encodeURIComponent(named(id))}`, events: ["Run*"] } as never);
  await client.webhooks.pause("warehouse", text);

  const mailer = await client.subscribe({ consumer: plainly("mailer"), handler: () => {} });
  const broken = await client.subscribe({
    consumer: plainly("search-index"),
    handler: (e) => {
      if (e.eventType === "RunFailed") throw new Error(text);
    },
  });
  ends.push(
    () => mailer.stop(),
    () => broken.stop(),
  );
  const { store, platform } = contextOfEngine(w.app);
  const bad = forge(store, platform, named("imported"), { status: "COMPLETED" });
  await bad.add(["RunStarted"], ["RunCompleted"], ["RunResumed"]);
  const projector = await client.project();
  ends.push(() => projector.stop());
  while ((await client.alerts()).alerts.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));

  await client.batches.create({ filter: { workflow: named("absent") }, action: "pause", reason: text, max: 10 });
  await client.tokens.create({ subject: named("carla"), kind: "person", scopes: ["read", "payloads"] });
  const { view } = await client.tokens.create({ subject: "reporting", kind: "service", scopes: ["read"] });
  await client.tokens.revoke(view.tokenId, { reason: text });

  const template = (version: string) => ({
    namespace: "shop",
    name: "restock",
    version,
    input: { type: "object" },
    steps: [
      { name: "count", handler: named("shop.count") },
      { name: "order-more", handler: "shop.order", needs: ["count"] },
    ],
  });
  await client.templates.put(template("1.0.0"));
  await client.templates.put(template("1.1.0"));
  await client.templates.retire("shop", "restock", "1.0.0", who);
  await twoVersions(w, named("invoice"), ends);
  return async () => {
    for (const end of ends.toReversed()) await end();
  };
}

/** Two queues: a worker serves one and holds a step of it, nobody serves the other; one is paused. */
async function queuesAndWorkers(
  w: World,
  client: Client,
  { named, plainly, text }: OperationNames,
  ends: (() => Promise<unknown>)[],
): Promise<void> {
  let finish = (): void => {};
  const held = new Promise<void>((resolve) => (finish = resolve));
  const resize = task({ name: named("resize"), input: z.any() }, () => held, { queue: plainly("images"), repeatable: true } as never);
  const print = task({ name: named("print"), input: z.any() }, () => 1, { queue: plainly("paper"), repeatable: true } as never);
  const shrink = workflow({ name: named("shrink"), input: z.any() }, (ctx, i) => ctx.do(resize as never, i as never));
  const label = workflow({ name: named("label"), input: z.any() }, (ctx, i) => ctx.do(print as never, i as never));
  const app = await engine({ store: w.store, workflows: [shrink as never, label as never], queues: {}, log: () => {} });
  for (let i = 1; i <= 3; i++) await app.start(shrink as never, i as never, { id: `${named("photo")}-${i}` });
  for (let i = 1; i <= 2; i++) await app.start(label as never, i as never, { id: `${named("label")}-${i}` });
  const queues = { [plainly("images")]: { concurrency: 1 } };
  const labels = { zone: named("north").slice(0, 40) };
  const serving = await worker({ store: w.store, tasks: [resize as never], queues, labels, log: () => {} });
  await client.queues.set(plainly("images"), { concurrency: 2, rate: { limit: 60, per: "1m", burst: 5 } }, { by: "ann", reason: text });
  const filled = async (): Promise<boolean> => {
    const list = await client.queues.list();
    return list.length === 2 && list.some((q) => q.claimed > 0) && list.every((q) => q.ready > 0);
  };
  while (!(await filled())) await new Promise((resolve) => setTimeout(resolve, 20));
  await client.queues.pause(plainly("paper"), { by: "ann", reason: text });
  ends.push(
    () => app.stop(),
    () => {
      finish();
      return serving.stop();
    },
  );
}

/** An old version that one open run still needs, and a newer one that is served. */
async function twoVersions(w: World, name: string, ends: (() => Promise<unknown>)[]): Promise<void> {
  const [old, next] = ["1", "2"].map((version) => workflow({ name, version }, (ctx) => ctx.sleep("due", "30d")));
  const before = await engine({ store: w.store, workflows: [old as never], queues: {}, log: () => {} });
  await before.start(old as never, undefined as never, { id: `${name}-1` });
  await before.stop();
  const after = await engine({ store: w.store, workflows: [next as never], queues: {}, log: () => {} });
  ends.push(() => after.stop());
}
