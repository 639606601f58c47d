// A confirmation as a person meets it on the command line: a run that was killed is started again, what it wrote is no longer there,
// and it waits until somebody says with who and why whether it may go on.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { killCommands, CliFolder } from "./pawl-process.ts";
import { proves } from "../support/proves.ts";

afterEach(killCommands);

const file = `import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { task, workflow } from "pawl";
import { fileVerifier } from "pawl/verifiers";
const text = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } };
const write = task({ name: "write", input: text }, (path) => {
  writeFileSync(path, "42");
  return createHash("sha256").update("42").digest("hex");
}, { confirm: { mode: "human", verifier: fileVerifier({ path: (path) => path, sha256: (_path, sha256: string) => sha256 }) } });
export const report = workflow({ name: "report" }, async (ctx) => {
  await ctx.do(write, ctx.run.workflowId + ".txt");
  return ctx.step("send", () => "sent");
});
`;

it(
  "a run whose file is gone asks before it goes on: listed with what the verifier said, accepted with who and why",
  proves("A-35"),
  async () => {
    const place = new CliFolder({ "report.ts": file });
    const run = ["run", "./report.ts", "--id", "r-1"] as const;
    await place.start([...run], { PAWL_CRASH: "send:B" }).ended;
    rmSync(join(place.dir, "r-1.txt"));
    const stuck = await place.pawl(...run);
    expect([stuck.code, stuck.err]).toEqual([
      8,
      expect.stringContaining("PAWL2007 ConfirmationNeeded: write is not confirmed by file: it is gone"),
    ]);
    const listed = await place.pawl("decisions");
    expect(listed.out).toMatch(
      /r-1 {2}confirmation\n {2}since .*\(PAWL2007\)\n {2}write: file says it is gone\n {2}--accept .*\n {2}--retry .*\n {2}--fail /,
    );
    const answer = ["resolve", "r-1", "--by", "ann", "--reason", "I have a copy", "--accept"] as const;
    expect((await place.pawl(...answer, "--dry-run")).out).toContain("the run continues from the recorded results");
    expect((await place.pawl(...answer)).code).toBe(0);
    expect((await place.json(...run)).result).toBe("sent");
  },
);

it("in production a verifier that looks at nothing is refused here, too", proves("A-37"), async () => {
  const placeholder = file
    .replace("{ fileVerifier }", "{ placeholderVerifier }")
    .replace(/fileVerifier\(.*? \}\)/, "placeholderVerifier()");
  const place = new CliFolder({ "report.ts": placeholder });
  const refused = await place.start(["run", "./report.ts", "--id", "r-2"], { NODE_ENV: "production" }).ended;
  expect(refused.err).toContain("task write uses the placeholder verifier placeholder, which production mode refuses");
  expect(refused.code).toBe(6);
  expect((await place.pawl("run", "./report.ts", "--id", "r-3")).code).toBe(0);
});
