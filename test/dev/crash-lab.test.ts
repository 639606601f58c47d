// The crash lab of `pawl dev`: the process dies for real in the window that was asked for, another takes over, and each class answers as it promises.
// Effects are counted in files. In a small dose a few windows are tried.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { killCommands } from "../cli/pawl-process.ts";
import { wholeDose } from "../support/whole-dose.ts";
import { DevProcess } from "./dev-process.ts";

afterEach(killCommands);

const file = `import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { workflow } from "pawl";
const sent = (run: string, what: string) => appendFileSync("effects", run + " " + what + "\\n");
const anything = { "~standard": { version: 1 as const, vendor: "test", validate: (value: unknown) => ({ value }) } };
const happened = (run: string, what: string) => existsSync("effects") && readFileSync("effects", "utf8").includes(run + " " + what + "\\n");
export const order = workflow({ name: "order" }, async (ctx) => {
  const id = ctx.run.workflowId;
  await ctx.step("keyed", () => sent(id, "keyed"), { key: "k-" + id, dedup: "1d" });
  await ctx.step("verified", () => sent(id, "verified"), {
    verify: async () => (happened(id, "verified") ? { state: "completed-with-result", result: undefined } : { state: "not-completed" }),
    settle: "1ms",
  });
  await ctx.step("repeatable", () => sent(id, "repeatable"), { repeatable: true });
  await ctx.step("undeclared", () => sent(id, "undeclared"));
  await ctx.step("end", () => 1, { repeatable: true });
});
export const asks = workflow({ name: "asks", signals: { yes: anything } }, async (ctx) => {
  await ctx.step("book", () => sent(ctx.run.workflowId, "book"), { key: "b-" + ctx.run.workflowId, dedup: "1d" });
  await ctx.receive("yes");
  await ctx.step("after", () => 1, { repeatable: true });
});
export const once = workflow({ name: "once" }, async (ctx) => {
  await ctx.step("mail", () => sent(ctx.run.workflowId, "mail"), { once: true });
  await ctx.step("end", () => 1, { repeatable: true });
});
`;

/** How often the function is called after a kill in this window, and whether the run then waits for a person. */
const expected: Readonly<Record<string, Readonly<Record<string, readonly [calls: number, end: string, ok: boolean]>>>> = {
  keyed: {
    A: [1, "COMPLETED", true],
    B: [1, "COMPLETED", true],
    C: [2, "COMPLETED", true],
    D: [2, "COMPLETED", true],
    E: [1, "COMPLETED", true],
  },
  verified: { D: [1, "COMPLETED", true], B: [1, "COMPLETED", true] },
  repeatable: { D: [2, "COMPLETED", true], E: [1, "COMPLETED", true] },
  undeclared: { D: [2, "COMPLETED", false], A: [1, "COMPLETED", true] },
  mail: { A: [1, "COMPLETED", true], D: [1, "decision", true], B: [0, "decision", true], E: [1, "COMPLETED", true] },
};
const some = [["keyed", "A"], ["keyed", "B"], ["keyed", "C"], ["verified", "D"], ["undeclared", "D"], ["mail", "D"], ["mail", "E"]]; // prettier-ignore
const all = Object.entries(expected).flatMap(([step, at]) => Object.keys(at).map((window) => [step, window]));
const chosen = wholeDose ? all : some;

describe("the crash lab of pawl dev", () => {
  it("kills the process in the window, and each class answers as it promises", async () => {
    const dev = new DevProcess({ "order.ts": file });
    await dev.event("ready");
    const client = await dev.client();
    for (const workflow of ["order", "once"]) {
      await client.start({ workflow, id: workflow });
      expect((await client.waitForEnd(workflow)).status).toBe("COMPLETED");
    }
    for (const [step = "", window = ""] of chosen) {
      const { status, body } = await dev.ask("/dev/crash", { run: step === "mail" ? "once" : "order", step, window });
      expect(status, JSON.stringify(body)).toBe(200);
      const died = await dev.event("died");
      expect(died["how"]).toBe("SIGKILL");
      expect(await dev.event("ready")).toMatchObject({ why: "restarted" });
      const { trial } = (await dev.event("judged")) as unknown as { trial: any };
      const [calls, end, ok] = expected[step]![window]!;
      const own = trial.cells.filter((c: { cause: string }) => c.cause === step);
      expect(own, `${step} ${window}`).toMatchObject([{ step, window, count: calls, end, ok }]);
      // What happened outside says the same as the count of calls.
      const effects = existsSync(join(dev.folder.dir, "effects")) ? readFileSync(join(dev.folder.dir, "effects"), "utf8") : "";
      expect(effects.split("\n").filter((l) => l === `${trial.workflowId} ${step}`)).toHaveLength(calls);
    }
    expect((await dev.ask("/dev/state")).body.lab.trials).toHaveLength(chosen.length);
    await client.close();
    expect(await dev.stop()).toBe(0);
  }, 600_000);

  it("answers a command: the row of the table, its exit code, and what is wrong with a question", async () => {
    const dev = new DevProcess({ "order.ts": file });
    await dev.event("ready");
    const client = await dev.client();
    await client.start({ workflow: "order", id: "o-1" });
    await client.waitForEnd("o-1");
    const good = await dev.folder.start(["crash", "o-1", "keyed", "--at", "d"]).ended;
    expect([good.code, good.out]).toEqual([0, expect.stringMatching(/keyed +KEYED .*✔ twice/)]);
    const bad = await dev.folder.start(["crash", "o-1", "undeclared", "--at", "D", "--json"]).ended;
    expect([bad.code, JSON.parse(bad.out)]).toMatchObject([9, { ok: false, state: "judged", cells: [{ count: 2 }] }]);
    // A run that waits for a signal has answered for the step before it; a step behind the signal is not reached, and the command says what is missing.
    await client.start({ workflow: "asks", id: "a-1" });
    while ((await client.get("a-1"))?.waiting !== "signal") await client.waitForChange("a-1", { timeoutMs: 50 });
    const waits = await dev.folder.start(["crash", "a-1", "book", "--at", "D"]).ended;
    expect([waits.code, waits.out]).toEqual([0, expect.stringMatching(/book +KEYED .*✔ twice/)]);
    const behind = dev.folder.start(["crash", "a-1", "after", "--at", "D"]);
    await behind.saw("a-1: the run has not come to this window yet. It waits for signal yes.");
    await client.signal("a-1", "yes", true);
    expect([(await behind.ended).code, (await behind.ended).out]).toEqual([0, expect.stringMatching(/after +REPEATABLE .*✔ twice/)]);
    for (const [args, said] of [
      [["crash", "o-1", "nope", "--at", "D"], "it has keyed, verified"],
      [["crash", "o-1", "keyed", "--at", "X"], "A (before the step's start is recorded)"],
      [["crash", "nobody", "keyed", "--at", "D"], "there is no run nobody"],
      [["crash", "o-1", "keyed"], "say where the process dies"],
    ] as const) {
      const { code, err } = await dev.folder.start(args).ended;
      expect([code === 0, err]).toEqual([false, expect.stringContaining(said)]);
    }
    await client.close();
    expect(await dev.stop()).toBe(0);
    const gone = await dev.folder.start(["crash", "o-1", "keyed", "--at", "D"]).ended;
    expect([gone.code, gone.err]).toEqual([4, expect.stringContaining("PAWL5060")]);
  });
});
