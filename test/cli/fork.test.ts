// `pawl fork`, and supersteps by their labels, as a person types them: what a dry run says, and the run that is made. It runs the real
// command in processes of their own.
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { compiledTree } from "../support/compiled-tree.ts";
import { CliFolder, killCommands } from "./pawl-process.ts";

afterEach(killCommands);

const essay = `import { graph, last, sum } from "pawl/graph";
export const essay = graph({ name: "essay", state: { topic: last("owls"), text: last(""), rounds: sum() } })
  .nodes({
    write: async (s, ctx) => {
      if (s.rounds === 1) ctx.label("second draft");
      return { text: await ctx.step("write", () => s.text + s.topic + ".", { once: true, input: s.topic }), rounds: 1 };
    },
  })
  .edges({ start: "write", write: (s) => (s.rounds < 3 ? "write" : "end") });
`;

it("fork says what it would do, and makes a run that continues from a superstep, by number or label", async () => {
  const place = new CliFolder({ "essay.ts": essay });
  mkdirSync(join(place.dir, "node_modules"));
  symlinkSync(compiledTree(), join(place.dir, "node_modules/pawl"));
  const ran = await place.pawl("run", "./essay.ts", "--id", "e-1", "--input", "{}");
  expect(ran).toMatchObject({ code: 0, err: expect.not.stringContaining("PAWL1017") }); // what Pawl measures is no use of the clock in the code
  expect((await place.pawl("inspect", "e-1")).out).toContain("\nsuperstep 3: write → end\n");
  const plan = await place.pawl("fork", "e-1", "--at", "second draft", "--dry-run");
  expect(plan.out).toBe("e-1 after superstep 2: next write\n1 kept\n3/write/write  kept  (it completed)\n");
  expect((await place.pawl("state", "e-1", "--at", "second draft")).out).toContain("2  (second draft)");
  const missing = await place.pawl("fork", "e-1", "--at", "third draft", "--id", "e-2", "--by", "ann", "--reason", "x");
  expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("PAWL4011")]);
  const idless = await place.pawl("fork", "e-1", "--at", "1", "--by", "ann", "--reason", "x");
  expect([idless.code, idless.err]).toEqual([2, expect.stringContaining("--id")]);
  const made = await place.json("fork", "e-1", "--at", "1", "--id", "e-2", "-P", "topic=crows", "--by", "ann", "--reason", "better");
  expect(made).toMatchObject({ workflowId: "e-2", superstep: 1, replayed: false });
  place.start(["start", "./essay.ts", "--tenant", "default/default/default", "--open", "--listen", "127.0.0.1:0"]);
  await expect.poll(async () => (await place.json("inspect", "e-2")).status, { timeout: 30_000 }).toBe("COMPLETED");
  expect((await place.json("state", "e-2")).values).toMatchObject({ text: "owls.crows.crows." });
  const turn = await place.pawl("next", "e-1", "-P", "rounds=-2", "-P", "topic=mice");
  expect([turn.code, turn.out]).toEqual([0, expect.stringMatching(/^e-1 {2}next turn as \S+, after superstep 3 of \S+\n$/)]);
  await expect.poll(async () => (await place.json("inspect", "e-1")).status, { timeout: 30_000 }).toBe("COMPLETED");
  expect((await place.json("state", "e-1")).values).toMatchObject({ text: "owls.owls.owls.mice.mice.", rounds: 3 });
});
