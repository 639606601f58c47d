// pawl/testing: a test of a workflow that leaves steps behind fails, unless it says that this is meant. A timer that lost a
// race is nothing that was left.
import { expect, it } from "vitest";
import { workflow } from "../../src/index.ts";
import { testEngine } from "../../src/testing.ts";
import { proves } from "../support/proves.ts";

const hasty = workflow({ name: "hasty" }, async (ctx) => {
  void ctx.step("mail", () => "sent");
  return "done";
});
const busy = (): never => {
  throw new Error("busy");
};
const raced = workflow({ name: "raced" }, async (ctx) =>
  Promise.race([
    ctx.step("slow", busy, { retry: { attempts: 9, backoff: "fixed", initial: "1h", max: "1h" } }),
    ctx.sleep("limit", "1m").then(() => "late"),
  ]),
);
const clean = workflow({ name: "clean" }, async (ctx) => Promise.race([ctx.step("quick", () => 1), ctx.sleep("limit", "1m")]));

it("a step that nobody awaits fails the test, and the error names it", proves("K19"), async () => {
  const t = await testEngine({ workflows: [hasty, raced, clean] });
  try {
    await expect(t.run(hasty)).rejects.toMatchObject({ code: "PAWL1031", message: expect.stringContaining("mail") as string });
    const h = await t.start(raced, undefined, { id: "r" });
    await expect(h.result()).rejects.toMatchObject({ code: "PAWL1031", message: expect.stringContaining("slow") as string });
    expect(await t.run(clean)).toBe(1); // a timer that lost a race does nothing outside
  } finally {
    await t.stop();
  }
});

it("a race that is meant is allowed", async () => {
  const t = await testEngine({ workflows: [raced], abandoned: "allow" });
  try {
    expect(await t.run(raced)).toBe("late");
  } finally {
    await t.stop();
  }
});
