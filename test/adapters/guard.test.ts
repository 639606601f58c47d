// guard(): one tool inside another framework happens once. On a virtual clock: what is the same call and what is not. With real processes: a program
// of the AI SDK that is killed in every window of the tool's step and begins again from nothing.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { guard, tool, type GuardEngine } from "../../src/agents.ts";
import { connect } from "../../src/client.ts";
import { engine, PawlError, type Engine } from "../../src/index.ts";
import { requests } from "../crash/programs/receiver.ts";
import { killChildren, runChild, startChild } from "../support/child-process.ts";

const input = z.object({ id: z.string() });
let did: string[];
let app: Engine;
const opened: Engine[] = [];
beforeEach(async () => {
  did = [];
  opened.push((app = await engine({ store: "memory:" })));
});
afterAll(async () => {
  for (const e of opened) await e.stop();
});

const act = (what: string) => (i: { id: string }) => {
  did.push(`${what} ${i.id}`);
  if (i.id === "bad") throw new Error("no such order");
  return { n: did.length };
};
const once = tool({ name: "ship", description: "Ships", input }, act("ship"), { once: true });
const keyed = tool({ name: "pay", description: "Pays", input }, act("pay"), { key: (i) => `pay-${i.id}`, dedup: "1d" });
const reads = tool({ name: "look", description: "Looks", input }, act("look"), { repeatable: true });

it("an equal call of a thread is made once; another occurrence, call id or thread is another call", async () => {
  const call = guard(app, { thread: "t1" });
  const first = await call(once, { id: "a" });
  expect(await call(once, { id: "a" })).toEqual(first);
  expect(did).toEqual(["ship a"]);
  expect(await call(once, { id: "a" }, { occurrence: 2 })).toEqual({ n: 2 });
  expect(await call(once, { id: "a" }, { callId: "c-1" })).toEqual({ n: 3 });
  expect(await call(once, { id: "a" }, { callId: "c-1" })).toEqual({ n: 3 });
  expect(await guard(app, { thread: "t2" })(once, { id: "a" })).toEqual({ n: 4 });
  const both = await Promise.all([call(once, { id: "b" }), call(once, { id: "b" })]);
  expect(both).toEqual([{ n: 5 }, { n: 5 }]);
});

it("an author's key is the identity in every thread; what may be repeated always runs", async () => {
  const [a, b] = [guard(app, { thread: "a" }), guard(app, { thread: "b" })];
  expect(await a(keyed, { id: "1" })).toEqual({ n: 1 });
  expect(await b(keyed, { id: "1" })).toEqual({ n: 1 });
  await a(reads, { id: "1" });
  await a(reads, { id: "1" });
  expect(did).toEqual(["pay 1", "look 1", "look 1"]);
});

it("a failed call that may have happened is answered with its failure and not made again; a key may be sent again", async () => {
  const call = guard(app, { thread: "t" });
  await expect(call(once, { id: "bad" })).rejects.toThrow("no such order");
  await expect(call(once, { id: "bad" })).rejects.toThrow("no such order");
  expect(did).toEqual(["ship bad"]);
  await expect(call(keyed, { id: "bad" })).rejects.toThrow("no such order");
  await expect(call(keyed, { id: "bad" })).rejects.toThrow("no such order");
  expect(did).toEqual(["ship bad", "pay bad", "pay bad"]);
});

it("arguments that do not fit are refused before a run exists", async () => {
  const call = guard(app, { thread: "t" });
  await expect(call(once, { id: 7 } as never)).rejects.toThrow(PawlError);
  await expect(call(once, { id: "a" }, { occurrence: 0 })).rejects.toThrow("occurrence");
  expect((await app.list()).runs).toEqual([]);
  expect(() => guard({} as unknown as GuardEngine, { thread: "t" })).toThrow("takes an engine");
  expect(() => guard(app, { thread: "" })).toThrow(PawlError);
});

describe("a program of the AI SDK, killed in every window", () => {
  const dir = mkdtempSync(join(tmpdir(), "pawl-guard-"));
  afterAll(async () => {
    await killChildren();
    rmSync(dir, { recursive: true, force: true });
  });
  const program = "test/adapters/programs/guarded.js";

  it("AT-MOST-ONCE: the refund happens at most once, and a person is asked where nobody knows", async () => {
    for (const window of ["A", "B", "D", "E"]) {
      const [store, ledger] = [join(dir, `once-${window}.db`), join(dir, `once-${window}.ledger`)];
      const args = [store, ledger, "once"];
      expect((await runChild(program, { args, env: { PAWL_CRASH: `refund:${window}` } })).signal).toBe("SIGKILL");
      const second = startChild(program, { args });
      if (window === "A" || window === "E") expect(await second.waitForLine("result")).toBe("result refunded o-1");
      else {
        const [, , id = ""] = (await second.waitForLine("asked effect")).split(" ");
        const c = await connect({ store: `sqlite:${store}` });
        await c.resolve(id, { happened: true, result: "refunded o-1", by: "ann", reason: "the bank has it" });
        await c.close();
        expect(await second.waitForLine("result")).toBe("result refunded o-1");
      }
      await second.ended;
      expect(requests(ledger).length).toBe(window === "B" ? 0 : 1);
    }
  });

  it("KEYED: it is sent again under the same key, and only if it had not been recorded", async () => {
    for (const window of ["D", "E"]) {
      const ledger = join(dir, `keyed-${window}.ledger`);
      const args = [join(dir, `keyed-${window}.db`), ledger, "KEYED"];
      expect((await runChild(program, { args, env: { PAWL_CRASH: `refund:${window}` } })).signal).toBe("SIGKILL");
      expect((await runChild(program, { args })).lines.at(-1)).toBe("result refunded o-1");
      const sent = requests(ledger);
      expect([window, sent.length, new Set(sent.map((r) => r.key)).size]).toEqual([window, window === "D" ? 2 : 1, 1]);
    }
  });
});
