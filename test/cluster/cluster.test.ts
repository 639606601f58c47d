// A small dose of the cluster, by the four commands that a person would type: one Postgres, two orchestrators that run no step, eight workers of four types.
// The long form is `npm run cluster:test`; this one starts as many processes and gives them fewer orders. What was seen comes as lines of a report.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proves } from "../support/proves.ts";
import { readEffects } from "./programs/effects.ts";
import type { CheckLine } from "./report.ts";
import { isAlive, serviceNames } from "./services.ts";

const root = resolve(import.meta.dirname, "../..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };

describe("the cluster", () => {
  let home: string;
  const ends: Record<string, { readonly status: number | null; readonly out: string; readonly err: string }> = {};
  let lines: readonly CheckLine[] = [];
  let pids: readonly number[] = [];
  let senders: ReadonlySet<string> = new Set();

  /** The command of package.json, as npm would run it. */
  const command = (name: "setup" | "start" | "test" | "stop", ...args: string[]): void => {
    const [, ...words] = scripts[`cluster:${name}`]!.split(" ");
    const ended = spawnSync(process.execPath, [...words, ...args], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, PAWL_CLUSTER_HOME: home, PAWL_CLUSTER_LIFE: "500" },
      timeout: 420_000,
    });
    ends[name] = { status: ended.status, out: ended.stdout, err: ended.stderr };
  };

  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), "pawl-cluster-"));
    command("setup", "--any-port");
    command("start");
    pids = serviceNames.map((name) => Number(readFileSync(join(home, `${name}.pid`), "utf8")));
    command("test", "--runs", "40", "--sustained", "1s", "--json");
    lines = JSON.parse(ends["test"]?.out || "[]") as CheckLine[];
    senders = new Set(readEffects(join(home, "effects")).map((e) => e.by));
    pids = [...pids, ...serviceNames.map((name) => Number(readFileSync(join(home, `${name}.pid`), "utf8")))];
    command("stop");
  }, 600_000);
  afterAll(() => {
    if (existsSync(home)) command("stop");
    rmSync(home, { recursive: true, force: true });
  });

  const good = { failed: 0, races: 0, corruption: 0, looked: true };
  const seen = (name: string): typeof good & { readonly said?: string } => {
    const line = lines.find((l) => l.name === name);
    const none = { failed: -1, races: -1, corruption: -1, passed: 0, intermittent: 0 };
    const { failed, races, corruption, passed, intermittent } = line ?? none;
    const looked = passed + intermittent > 0;
    // What went wrong is in the report's own words.
    return { failed, races, corruption, looked, ...(failed === 0 && looked ? {} : { said: `${line?.said} ${ends["test"]?.err}` }) };
  };
  /** What is wrong with one of the questions that the orders answer; a report without the line is no answer. */
  const wrong = (about: "spread" | "stale" | undefined): readonly string[] => {
    const line = lines.find((l) => l.name === "orders");
    return line === undefined ? [`no report: ${ends["test"]?.err}`] : line.problems.filter((p) => p.about === about).map((p) => p.what);
  };

  it("is set up, started, tried and stopped by four commands, and nothing of it is left", proves("T-92"), () => {
    expect([ends["setup"]?.status, ends["start"]?.status, ends["stop"]?.status], JSON.stringify(ends)).toEqual([0, 0, 0]);
    // The command says by its end what its report says.
    expect(lines.length, ends["test"]?.err).toBe(12);
    expect(ends["test"]?.status, ends["test"]?.err).toBe(lines.every((l) => l.problems.length === 0) ? 0 : 1);
    expect(pids.filter((pid) => isAlive(pid))).toEqual([]);
    expect(existsSync(home)).toBe(false);
  });

  it("has two orchestrators that run no step, and two workers of each of four types that do", proves("T-72", "T-73"), () => {
    expect([...senders].toSorted()).toEqual(serviceNames.filter((name) => !name.startsWith("orchestrator")).toSorted());
  });

  it("orders through any server at once: all end, each step is sent once", proves("T-79", "T-80", "T-111", "T-114", "TX-22"), () =>
    expect(wrong(undefined)).toEqual([]),
  );
  it("orders are spread over both orchestrators", proves("T-89"), () => expect(wrong("spread")).toEqual([]));
  it("every orchestrator knows what another one has answered", proves("T-79", "T-83"), () => expect(wrong("stale")).toEqual([]));

  it("each of the ten killed in turn: nothing lost, nothing twice", proves("T-82", "T-90", "T-93", "T-112"), () =>
    expect(seen("kills")).toEqual(good),
  );
  it("a process that is asked to end leaves nothing to be sent again", proves("TX-23"), () => expect(seen("graceful stops")).toEqual(good));
  it("both orchestrators killed while they enqueue a list: the rest once", proves("T-82", "T-84", "T-90", "T-93", "T-112"), () =>
    expect(seen("list")).toEqual(good),
  );
  it("50 identical starts at two orchestrators make one run", proves("T-79", "T-84", "T-90"), () =>
    expect(seen("identical starts")).toEqual(good),
  );
  it("controls that race: one end, and what no longer applies is refused", proves("T-81", "T-84", "T-104", "T-106", "T-114"), () =>
    expect(seen("raced controls")).toEqual(good),
  );
  it("two finalisers at once: final once, both are answered", proves("T-52", "T-53", "C12", "TX-17", "TX-23"), () =>
    expect(seen("two finalisers")).toEqual(good),
  );
  it("a result reported four times through two orchestrators is recorded once", proves("T-45", "TX-23"), () =>
    expect(seen("duplicate results")).toEqual(good),
  );
  it(
    "60 runs at once and five workers on one queue: each step is given to one",
    proves("T-80", "T-90", "T-114", "TX-22", "TX-23", "AX-35", "AX-36"),
    () => expect(seen("herd")).toEqual(good),
  );
  it("a burst of 25 is created, all end, no id twice", proves("T-87"), () => expect(seen("burst")).toEqual(good));
  it("starts that go on are taken as they come, and all end", proves("T-88"), () => expect(seen("sustained")).toEqual(good));
});
