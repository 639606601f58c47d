// The projector on the command line: one pass, rebuilds, alerts and consumers as an operator sees them, and a service that ends in
// order when it is interrupted. Runs come from a workflow and from a producer outside, which appends an invalid event.
import { afterEach, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { write } from "../log/producer-events.ts";
import { killCommands, CliFolder, quickFile } from "./pawl-process.ts";
import { proves } from "../support/proves.ts";

afterEach(killCommands);

/** A place with a run of an engine, and an external one whose last event is invalid. */
async function place(): Promise<CliFolder> {
  const at = new CliFolder({ "quick.ts": quickFile });
  await at.pawl("run", "./quick.ts", "--id", "q");
  const client = await connect({ store: `sqlite:${at.dir}/.pawl/state.db` });
  const events = [{ eventType: "RunStarted" }, { eventType: "RunCompleted" }, { eventType: "RunFailed", payload: { error: "late" } }];
  await client.append(events.map((e) => write({ runId: "outside", ...e })));
  await client.close();
  return at;
}

it(
  "project --once makes projections and reports invalid events; alerts and inspect show them",
  proves("D-040", "D-115", "D-118"),
  async () => {
    const at = await place();
    const once = await at.pawl("project", "--once");
    expect(once).toMatchObject({ code: 0, out: "" });
    expect(once.err).toContain("INVALID_TRANSITION run outside, event 3: RunFailed from COMPLETED to FAILED");
    const [again, alerts, none, later, other, tree, consumers] = await at.all([
      ["alerts", "--json", "--run", "outside"],
      ["alerts"],
      ["alerts", "--until", "2020-01-01T00:00:00Z"],
      ["alerts", "--since", "2999-01-01T00:00:00Z"],
      ["alerts", "--run", "q"],
      ["inspect", "outside"],
      ["consumers"],
    ]);
    expect(JSON.parse(again!.out)).toMatchObject({ alerts: [{ runSeq: 3, delivered: true }] });
    expect(alerts!.code).toBe(9);
    expect(alerts!.out).toMatch(/^RUN +EVENT +TYPE +STEP +TRANSITION +PERSISTED\noutside +3 +RunFailed +COMPLETED → FAILED/);
    for (const empty of [none, later, other]) expect(empty).toMatchObject({ code: 0, err: "no alerts\n" });
    expect(tree!.out).toContain("INCONSISTENT: invalid events: 1, the first at 3: pawl alerts --run outside");
    expect(consumers!.code).toBe(0);
    expect(consumers!.out).toMatch(/^CONSUMER +STATE +WAITING +HELD +GIVEN UP +NEXT TO BE TRIED\nprojector +idle +0 +0 +0\n/);
  },
);

it("consumers says what is held back and why, with an exit code of its own while an event fails", proves("P-37"), async () => {
  const at = await place();
  const client = await connect({ store: `sqlite:${at.dir}/.pawl/state.db` });
  const handler = (): void => {
    throw new Error("the ledger is closed");
  };
  await (
    await client.subscribe({ consumer: "billing", handler, once: true })
  ).done;
  await client.close();
  const shown = await at.pawl("consumers");
  expect(shown.code).toBe(9);
  expect(shown.out).toMatch(/\nbilling +idle +0 +2 +0 +\S+: the ledger is closed\n/);
});

it("a step's event that only its run forbids is told with the run's status", proves("D-129", "D-130"), async () => {
  const at = await place();
  const client = await connect({ store: `sqlite:${at.dir}/.pawl/state.db` });
  await client.append([write({ runId: "outside", eventType: "StepStarted", stepId: "late" })]);
  await client.close();
  expect((await at.pawl("project", "--once")).err).toContain(
    "StepStarted late (attempt 1) from PENDING to RUNNING, the run being COMPLETED",
  );
  expect((await at.pawl("alerts")).out).toMatch(/StepStarted +late #1 +PENDING → RUNNING, the run being COMPLETED/);
});

it("the policy is recorded: another is refused, until a rebuild from zero changes it", proves("D-119", "D-120", "P-38"), async () => {
  const at = await place();
  await at.pawl("project", "--once", "--policy", "mark");
  const refused = await at.pawl("project", "--once", "--policy", "freeze");
  expect(refused.code).toBe(5);
  expect(refused.err).toContain("PAWL4031 PolicyDiffers");
  const rebuilt = await at.pawl("project", "--once", "--policy", "freeze", "--rebuild");
  expect(rebuilt.code).toBe(0);
  expect(rebuilt.err).toMatch(/rebuilt 2 of 2 runs, \d+ events/);
  expect(await at.json("inspect", "outside")).toMatchObject({ projection: { condition: "STALLED_INVALID_TRANSITION", reducedTo: 2 } });
  expect((await at.pawl("project", "--once", "--from-snapshot")).err).toContain("rebuilt 2 of 2 runs, 0 events");
  expect((await at.pawl("project", "--policy", "A")).code).toBe(2);
});

it("project goes on until it is interrupted, ends in order, and goes on where it stood", proves("D-019"), async () => {
  const at = await place();
  const service = at.start(["project", "--json"]);
  await service.saw("projecting");
  await service.saw('"runSeq":3');
  service.child.kill("SIGTERM");
  expect((await service.ended).code).toBe(0);
  expect(JSON.parse((await at.pawl("consumers", "--json")).out)).toMatchObject([
    { consumer: "projector", active: false, waiting: 0, held: [] },
  ]);
  const next = at.start(["project", "--json"]);
  await next.saw("projecting");
  next.child.kill("SIGINT");
  expect(await next.ended).toMatchObject({ code: 0, out: "" });
});
