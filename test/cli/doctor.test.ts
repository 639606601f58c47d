// doctor --verify and --repair as commands: a table of findings with exit code 9, JSON, one run, a time, a place that is kept;
// a repair that says what it would do, and does it when told to.
import { afterEach, expect, it } from "vitest";
import { progressText } from "../../src/cli/output/progress-line.ts";
import { killCommands, CliFolder, quickFile } from "./pawl-process.ts";
import { proves } from "../support/proves.ts";

afterEach(killCommands);

it(
  "doctor --verify finds, names and locates; --repair says what it would write, writes it with --yes, and all is well",
  { ...proves("C20"), timeout: 120_000 },
  async () => {
    const place = new CliFolder({ "quick.ts": quickFile });
    for (const id of ["q-1", "q-2"]) expect((await place.pawl("run", "./quick.ts", "--id", id)).code).toBe(0);
    const well = await place.pawl("doctor", "--verify");
    expect(well).toMatchObject({ code: 0 });
    expect(well.out).toMatch(/^2 runs, \d+ events: every table agrees with the log\nnot checked: the chain of links has no key: .*\n$/);
    await place.tamper("update pawl_runs set status = 'FAILED', head_seq = 1 where workflow_id = 'q-2'");
    const { runId } = (await place.json("inspect", "q-2")) as { runId: string };

    const found = await place.pawl("doctor", "--verify", "--resume");
    expect(found.code).toBe(9);
    expect(found.out).toMatch(new RegExp(`runs +${runId} +status +COMPLETED +FAILED`));
    expect(found.out).toContain("2 findings; see pawl doctor --repair");
    const asked = await place.pawl("doctor", "--verify", "--json", "--since", "1h");
    expect(JSON.parse(asked.out)).toMatchObject({
      ok: false,
      runs: 2,
      findings: [{ table: "runs", runId, field: "headSeq", found: 1 }, { field: "status" }],
    });
    expect((await place.pawl("doctor", "--verify", "--since", "2999-01-01T00:00:00Z")).out).toMatch(/^0 runs/);
    expect((await place.pawl("doctor", "--verify", "--since", "soon")).code).toBe(2);

    const dry = await place.pawl("doctor", "--repair");
    expect(dry.code).toBe(9);
    expect(dry.out).toContain("2 can be repaired, with --yes");
    const done = await place.pawl("doctor", "--repair", "--yes", "--json");
    expect(done.code).toBe(0);
    expect(JSON.parse(done.out)).toMatchObject({ written: true, left: [], repaired: [{ field: "headSeq" }, { field: "status" }] });
    expect((await place.pawl("doctor", "--verify")).code).toBe(0);
    expect((await place.pawl("doctor", "--repair", "--resume")).code).toBe(2);
  },
);

it("the line of progress says how much, how fast and how long still; what was done before says nothing about speed", () => {
  expect(progressText(250_000, 1_000_000, "events", 50_000, 1_000)).toBe(
    "██████░░░░░░░░░░░░░░░░░░ 25 %  250000 of 1000000 events  50000/s  15s left",
  );
  expect(progressText(10, 10, "events", 10, 0)).toBe("████████████████████████ 100 %  10 of 10 events  0/s");
});

it("doctor names queues on which steps wait that nobody takes", { timeout: 60_000 }, async () => {
  const place = new CliFolder({
    "queued.ts": `import { task, workflow } from "pawl";
const any = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } } as never;
const charge = task({ name: "charge", input: any }, () => 1, { queue: "payments", repeatable: true });
export default workflow({ name: "queued" }, (ctx) => ctx.do(charge, 1 as never));
`,
  });
  const server = place.start(["start", "./queued.ts", "--queue", "none", "--open", "--tenant", "default", "--listen", "127.0.0.1:0"]);
  await server.saw("listening");
  await place.pawl("run", "queued", "--id", "q-1");
  await place.until("q-1", (r) => r.waiting === "worker");
  const alone = await place.pawl("doctor");
  expect([alone.code, alone.out]).toEqual([0, expect.stringContaining("payments: 1 step waits, and no live process does charge")]);
  await place.pawl("queues", "pause", "payments", "--by", "ann", "--reason", "no bank");
  expect((await place.pawl("doctor")).out).toContain("payments: 1 step waits, and ann paused it: no bank");
});
