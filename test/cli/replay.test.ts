// `pawl replay` before a deploy: the code of a file over the logs of real, unfinished runs. Runs that would diverge are named with both
// sides, nothing is written, no step's function is called.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { killCommands, CliFolder } from "./pawl-process.ts";
import { proves } from "../support/proves.ts";

vi.setConfig({ testTimeout: 120_000 }); // many processes, on machines that are busy
afterEach(killCommands);

const fileOf = (first: string, more = ""): string => `import { writeFileSync } from "node:fs";
import { workflow } from "pawl";
const any = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } } as never;
export const order = workflow({ name: "order", signals: { go: any } }, async (ctx) => {
  await ctx.step("${first}", () => { if (process.env.MARK) writeFileSync(process.env.MARK, "called"); return 1; }, { repeatable: true });
  await ctx.receive("go");
  ${more}
});
`;

it("runs that the code no longer fits are named before a deploy, with both sides; the others are not", proves("K20"), async () => {
  const place = new CliFolder({ "order.ts": fileOf("charge") });
  const first = place.start(["run", "./order.ts", "--id", "o-1", "--timeout", "1s"]);
  expect((await first.ended).code).toBe(7);
  await place.pawl("run", "./order.ts", "--id", "o-2", "--timeout", "1s");
  const before = await place.json<{ runs: { headSeq: number }[] }>("ls");
  const mark = join(place.dir, "mark");

  const same = await place.start(["replay", "./order.ts", "--live"], { MARK: mark }).ended;
  expect([same.code, same.out]).toEqual([0, "✔ the code fits all 2 runs\n"]);

  place.write("renamed.ts", fileOf("pay"));
  const changed = await place.start(["replay", "./renamed.ts", "--live"], { MARK: mark }).ended;
  expect(changed.code).toBe(9);
  expect(changed.out).toContain("✘ o-1  order@1  PAWL1006\n");
  expect(changed.out).toContain("the code calls pay where the record has effect charge");
  expect(changed.out).toContain("renamed.ts:5");
  expect(changed.out).toContain("2 of 2 runs would diverge");

  const one = await place.start(["replay", "./renamed.ts", "o-2", "--json"]).ended;
  expect(one.code).toBe(9);
  expect(JSON.parse(one.out)).toMatchObject({
    ok: false,
    runs: [
      { workflowId: "o-2", recordedBy: "1", fits: false, error: { code: "PAWL1006", expected: expect.stringContaining("effect charge") } },
    ],
  });
  place.write("longer.ts", fileOf("charge", 'await ctx.sleep("night", "8h");'));
  expect((await place.pawl("replay", "./longer.ts", "--live")).code).toBe(0);
  place.write("several.ts", `${fileOf("charge")}export const other = workflow({ name: "other" }, async () => 1);\n`);
  expect((await place.pawl("replay", "./several.ts", "--live")).out).toBe("✔ the code fits all 2 runs\n");

  expect(existsSync(mark)).toBe(false);
  const after = await place.json<{ runs: { headSeq: number }[] }>("ls");
  expect(after).toEqual(before);
});

it("a run that retries another is replayed with what it took over", proves("K19"), async () => {
  const fails = (first: string): string => `import { workflow } from "pawl";
const any = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } } as never;
export const order = workflow({ name: "order", signals: { go: any } }, async (ctx) => {
  await ctx.step("${first}", () => 1, { once: true });
  await ctx.step("ship", () => { if (process.env.FAIL) throw new Error("no lorry"); return 2; }, { repeatable: true });
  await ctx.receive("go");
});
`;
  const place = new CliFolder({ "order.ts": fails("charge"), "other.ts": fails("pay") });
  expect((await place.start(["run", "./order.ts", "--id", "o-1"], { FAIL: "1" }).ended).code).toBe(6);
  await place.pawl("retry", "o-1");
  await place.pawl("run", "./order.ts", "--id", "o-1", "--timeout", "1s");
  expect((await place.pawl("replay", "./order.ts", "--live")).out).toBe("✔ the code fits all 1 runs\n");
  expect((await place.pawl("replay", "./other.ts", "--live")).code).toBe(9);
});

it("bad input is answered: no run and no --live, a workflow that the file does not have, a file without any, nothing to replay", async () => {
  const place = new CliFolder({
    "order.ts": fileOf("charge"),
    "other.ts": `import { workflow } from "pawl"; export const other = workflow({ name: "other" }, async () => 1);`,
  });
  await place.pawl("run", "./other.ts", "--id", "x-1");
  place.write("empty.ts", "export const nightly = 1;\n");
  const [neither, both, foreign, none, empty] = await place.all([
    ["replay", "./order.ts"],
    ["replay", "./order.ts", "x-1", "--live"],
    ["replay", "./order.ts", "x-1"],
    ["replay", "./order.ts", "--live"],
    ["replay", "./empty.ts", "--live"],
  ]);
  expect([neither?.code, both?.code, foreign?.code, none?.code]).toEqual([2, 2, 2, 0]);
  // Before a deploy, silence would be taken for "it fits".
  expect([empty?.code, empty?.err]).toEqual([2, expect.stringContaining("it exports no workflow")]);
  expect(foreign?.err).toContain("which the file does not export");
  expect(none?.err).toContain("no run to replay");
});
