// A signal or a start whose answer was lost: the client asks again with the same id, and the sender hears what became of it. A sender that
// gave no id could not do that.
import { describe, expect, it } from "vitest";
import { faulty, losing, type Fault } from "../../test/support/faulty.ts";
import { any, labs, storeKinds } from "../../test/support/lab.ts";
import { proves } from "../../test/support/proves.ts";
import { limits } from "../core/limits.ts";
import { workflow } from "../workflow/define.ts";
import { defaultScope } from "./engine.ts";
import { localClient } from "./local.ts";
import type { Client } from "./types.ts";

const fresh = labs();
const all = workflow({ name: "all", signals: { go: any<number>() } }, async (ctx) => [await ctx.receive("go"), await ctx.receive("go")]);

describe.each(storeKinds)("%s", (kind) => {
  it.each(["lost", "cut"] as const)("a signal without an id whose answer is %s is accepted once", proves("I9"), async (fault: Fault) => {
    const l = await fresh(kind);
    const e = await l.engine([all]);
    const through = (verb: string, times: number): Client => {
      const store = faulty(l.store, losing(verb, fault, times));
      return localClient({ store, platform: l.platform, scope: defaultScope, limits: limits(), engine: null, retainMs: null });
    };
    const { runId, created } = await l.until(through("commit", 2).start({ workflow: "all", id: "w" }));
    expect(created).toBe(true);
    expect((await l.until(through("post", 3).signal("w", "go", 1))).replayed).toBe(fault === "lost");
    expect(await l.store.inbox({ runId, all: true })).toHaveLength(1);
    await expect(l.until(through("post", 9).signal("w", "go", 2, { signalId: "two" }))).rejects.toMatchObject({
      page: "PAWL3002",
      outcome: "unknown",
    });
    await l.until(through("post", 0).signal("w", "go", 2, { signalId: "two" }));
    expect((await l.until(e.client.end(runId))).result).toEqual([1, 2]);
  });
});
