// An engine with a schedule that is due every second, in a process of its own. It says "ready" when it is open, and stops when a line "stop" comes in.
// PAWL_CRASH says where it dies. `lost`: a planted bug, a fire whose rows do not go with its Commit.
import { createInterface } from "node:readline";
import { engine, schedule, workflow } from "../../../src/index.ts";
import { openStore } from "../../../src/open.ts";
import { systemPlatform } from "../../../src/platform/system.ts";
import type { Commit } from "../../../src/store/port.ts";

const { store, lost } = JSON.parse(process.argv[2] ?? "{}") as { readonly store: string; readonly lost?: boolean };

const beat = workflow({ name: "beat" }, async (ctx) => {
  await ctx.step("beat", () => 1, { repeatable: true });
});
const every = schedule("beat", { every: "1s", overlap: "allow", from: new Date(0) }, beat);

const opened = await openStore(store, systemPlatform());
/** What a fire without one transaction would be: first the run, then the rows. */
const careless = new Proxy(opened, {
  get: (target, name) => {
    const member: unknown = Reflect.get(target, name);
    if (name !== "commit") return typeof member === "function" ? (member.bind(target) as unknown) : member;
    return async (batch: readonly Commit[], renew?: never) => {
      const [first] = batch;
      if (first?.puts === undefined || !("create" in first.expect)) return target.commit(batch, renew);
      const { puts, ...rest } = first;
      const create = { ...first.expect.create, idempotencyKey: null, workflowId: `${first.expect.create.workflowId}/${first.runId}` };
      const answer = await target.commit([{ ...rest, expect: { create } }], renew);
      systemPlatform().hit("engine:between");
      await target.kv.put(puts);
      return answer;
    };
  },
});
const app = await engine({ store: lost === true ? careless : opened, workflows: [beat], schedules: [every], lease: "2s", log: () => {} });
console.log("ready");
for await (const line of createInterface({ input: process.stdin })) if (line === "stop") break;
await app.stop({ grace: "1s" });
await opened.close();
process.stdin.destroy();
