// Engines in processes of their own on one Postgres: who takes over and on what evidence, and what a process may still do that
// was stopped past its lease. Effects are counted outside the engines, in a ledger. Every wait is for a line or an end.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect as connectClient } from "../../src/client.ts";
import { requests } from "../crash/programs/receiver.ts";
import { killChildren, startChild, type Child } from "../support/child-process.ts";
import { fixture, until } from "./fixture.ts";
import { proves } from "../support/proves.ts";

const f = fixture();
let home: string;
let ledger: string;
let hold: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pawl-postgres-processes-"));
  [ledger, hold] = [join(home, "ledger"), join(home, "go")];
});
afterEach(async () => {
  await killChildren();
  rmSync(home, { recursive: true, force: true });
});

const worker = (o: object): Child =>
  startChild("test/crash/programs/worker.js", { args: [JSON.stringify({ store: f.url, ledger, ...o })] });
const holding = { start: { workflow: "held", id: "h" } };
const marks = (): string[] => requests(ledger).map((r) => `${r.key} ${r.fence}`);

async function rows(text: string): Promise<Record<string, unknown>[]> {
  return (await (await f.raw()).exec(text)).rows;
}
/** Everything that an owner may change. */
const everything = async (): Promise<unknown> =>
  Promise.all(
    ["runs order by run_id", "events order by run_id, run_seq", "inbox order by inbox_id"].map((t) =>
      rows(`select * from ${f.schema}.${t}`),
    ),
  );

describe("processes on one Postgres", () => {
  it(
    "one that is killed under a long lease is taken over by one that was there, on the evidence of its lock",
    proves("K2", "I12"),
    async () => {
      const other = worker({});
      await other.waitForLine("ready");
      const first = worker({ ...holding, hold, lease: "600s" });
      const [, , runId = ""] = (await first.waitForLine("started")).split(" ");
      await first.waitForLine("begun");
      const [longest] = await rows(`select max(lease_until) as until from ${f.schema}.engines where not dead`);
      expect(Number(longest?.["until"]), "the lease alone would have kept it for minutes").toBeGreaterThan(Date.now() + 300_000);
      first.signal("SIGKILL");
      expect((await first.ended).signal).toBe("SIGKILL");
      const client = await connectClient({ store: f.url });
      expect(await client.waitForEnd(runId)).toMatchObject({ status: "COMPLETED", result: "2" });
      await client.close();
      expect(marks()).toEqual(["begun 1", "begun 2", "done 2", "next 2"]);
      other.send("stop");
      expect((await other.ended).code).toBe(0);
    },
  );

  it(
    "one that is stopped past its lease writes nothing when it wakes, and begins again under a new id",
    proves("I3", "I4", "C14", "K1"),
    async () => {
      const zombie = worker({ ...holding, hold, lease: "1s" });
      await zombie.waitForLine("begun 1");
      zombie.signal("SIGSTOP");
      const next = worker({ ...holding, lease: "1s" });
      expect(await next.waitForLine("begun")).toBe("begun 2");
      expect(await next.waitForLine("result")).toBe('result "2"');
      await next.ended;
      const before = await everything();
      writeFileSync(hold, "");
      zombie.signal("SIGCONT");
      expect(await zombie.waitForLine("result")).toBe('result "2"');
      const end = await zombie.ended;
      expect(await everything()).toEqual(before);
      expect(marks()).toEqual(["begun 1", "begun 2", "done 2", "next 2", "done 1"]);
      expect(end.lines.join("\n")).toContain("was declared dead and begins again under a new id");
    },
  );

  it("a run hears every signal, once and in order, though its owner is killed again and again", proves("I9"), async () => {
    const client = await connectClient({ store: f.url });
    const sent = [1, 2, 3, 4, 5, 6];
    let owner = worker({ start: { workflow: "gather", id: "g", input: sent.length }, lease: "600s" });
    const [, , runId = ""] = (await owner.waitForLine("started")).split(" ");
    const taken = async (): Promise<number> => (await rows(`select 1 from ${f.schema}.inbox where consumed`)).length;
    for (const n of sent) {
      await client.signal("g", "go", n, { signalId: `s${n}` });
      await until(async () => (await taken()) >= n);
      if (n % 2 === 0 && n < sent.length) {
        owner.signal("SIGKILL");
        await owner.ended;
        owner = worker({});
        await owner.waitForLine("ready");
      }
    }
    expect(await client.waitForEnd(runId)).toMatchObject({ status: "COMPLETED", result: sent });
    await client.close();
  });
});
