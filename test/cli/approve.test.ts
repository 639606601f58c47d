// An approval as a person meets it on the command line: the run stops with what it would do, is listed with the two answers, and goes on
// or ends when somebody has said which, with who and why. Nothing is sent before that.
import { afterEach, expect, it } from "vitest";
import { killCommands, CliFolder } from "./pawl-process.ts";
import { proves } from "../support/proves.ts";

afterEach(killCommands);

const file = `import { workflow } from "pawl";
export const payday = workflow({ name: "payday" }, async (ctx) =>
  ctx
    .step("pay", () => "paid", { once: true, input: { euros: 900 }, approve: "900 euros for eve?" })
    .catch((e) => e.category),
);
`;

it(
  "a run that needs approval says so, is listed with both answers, and is approved or refused with who and why",
  proves("K27"),
  async () => {
    const place = new CliFolder({ "payday.ts": file });
    const run = (id: string): [string, ...string[]] => ["run", "./payday.ts", "--id", id];
    for (const id of ["yes", "no"]) {
      const stopped = await place.pawl(...run(id));
      expect([stopped.code, stopped.err]).toEqual([8, expect.stringContaining("PAWL2033 ApprovalNeeded: pay: 900 euros for eve?")]);
    }
    const listed = await place.pawl("decisions");
    expect(listed.code).toBe(8);
    expect(listed.out).toMatch(
      /yes {2}approval of pay at-most-once\n {2}since .*: 900 euros for eve\? \(PAWL2033\)\n {2}input \{"euros":900\}\n {2}not sent yet; event 2\n {2}--approve .*\n {2}--refuse /,
    );
    expect((await place.pawl("inspect", "yes")).out).toMatch(/\? pay .*to approve.*900 euros for eve\?/);
    const who = ["--by", "ann", "--reason", "checked"] as const;
    const wrong = await place.pawl("resolve", "yes", ...who, "--happened");
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("(approval) takes approve, refuse, not happened")]);
    for (const [id, answer, result, proof] of [
      ["yes", "--approve", "paid", "was approved by ann because checked, was attempted once and took effect once"],
      ["no", "--refuse", "NOT_APPROVED", "was refused by ann because checked, and never sent"],
    ] as const) {
      expect((await place.pawl("resolve", id, ...who, answer)).code).toBe(0);
      expect((await place.json(...run(id))).result).toBe(result);
      expect((await place.pawl("proof", id)).out).toContain(proof);
    }
  },
);
