// Real processes that resume a run from its checkpoints and die by SIGKILL: after the step was done and before its commit, and after
// the commit and before its answer; and two at once on the same step. What was done is counted in a file that no store reads.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkLimits } from "../../src/core/limits.ts";
import { checkpointOf, resumeFrom } from "../../src/engine/resume.ts";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import type { CheckpointRecord } from "../../src/store/port.ts";
import { create } from "../../src/store/suite/build.ts";
import { killChildren, runChild, startChild, type Ended } from "../support/child-process.ts";
import { openTestDatabase, storeNames } from "../support/test-database.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { beginning, done, fence, runId } from "./programs/work.ts";
import { proves } from "../support/proves.ts";

const program = "test/resume/programs/resumer.js";
const home = mkdtempSync(join(tmpdir(), "pawl-resume-"));
afterAll(async () => {
  await killChildren();
  rmSync(home, { recursive: true, force: true });
});

interface Scene {
  readonly url: string;
  readonly file: string;
  run(ownId: string, crash?: string): Promise<Ended>;
  checkpoint(stepId?: number): Promise<CheckpointRecord | undefined>;
}
const logged = (e: Ended): string[] =>
  e.lines
    .filter((l) => l.startsWith("log "))
    .map((l) => JSON.parse(l.slice(4)) as { message: string; data: { runId: string; stepId: number } })
    .map(({ message, data }) => `${data.stepId} ${message.endsWith("is committed") ? "committed" : "skipped"}`);

describe.each(storeNames.map((s) => [s, s === "mysql" && skipsWithoutMariadb()] as const))("processes on %s", (name, skip) => {
  /** A run that has begun, on a place of its own. */
  async function scene(body: (s: Scene) => Promise<void>): Promise<void> {
    const dir = mkdtempSync(join(home, `${name}-`));
    const ground = await openTestDatabase(name, dir);
    const store = await openStore(ground.url, systemPlatform());
    const file = join(dir, "done");
    try {
      const checkpoint = checkpointOf(runId, beginning, checkLimits());
      await store.commit([create(runId, { owner: "somebody", fence }, { status: "RUNNING", checkpoint })]);
      await body({
        url: ground.url,
        file,
        run: (ownId, crash) =>
          runChild(program, { args: [ground.url, file, ownId], ...(crash === undefined ? {} : { env: { PAWL_CRASH: crash } }) }),
        checkpoint: (stepId) => store.checkpoint({ runId, ...(stepId === undefined ? {} : { stepId }) }),
      });
      expect((await resumeFrom(store, runId))?.frontier).toEqual([]);
    } finally {
      await store.close();
      await ground.remove();
    }
  }

  it.skipIf(skip)(
    "killed after the step was done and before its commit: nothing of it is there, the next process does it again under the same key",
    { ...proves("L-35", "L-48"), timeout: 120_000 },
    () =>
      scene(async ({ run, checkpoint, file }) => {
        // Between the two: once outside of any transaction, once inside it, before COMMIT.
        expect((await run("a", "resume:computed#2")).signal).toBe("SIGKILL");
        expect([(await checkpoint())?.stepId, await checkpoint(2)]).toEqual([1, undefined]);
        expect((await run("b", "engine:commit")).signal).toBe("SIGKILL");
        expect([(await checkpoint())?.stepId, await checkpoint(2)]).toEqual([1, undefined]);
        const last = await run("c");
        expect([last.code, last.stderr, last.lines.at(-1)]).toEqual([0, "", "over"]);
        expect(logged(last)).toEqual(["2 committed", "3 committed"]);
        expect(done(file)).toEqual(["1 charge", "2 receipt", "2 receipt", "2 receipt", "3 ship"]);
        const first = await checkpoint(2);
        // The key is the one that an uninterrupted run has: it depends on nothing that a death changes.
        await scene(async (other) => {
          expect(logged(await other.run("d"))).toEqual(["1 committed", "2 committed", "3 committed"]);
          expect((await other.checkpoint(2))?.key).toBe(first?.key);
        });
      }),
  );

  it.skipIf(skip)(
    "killed after the commit and before its answer: the step is there, and the next process goes on with the one after it",
    { ...proves("L-35", "L-49"), timeout: 120_000 },
    () =>
      scene(async ({ run, checkpoint, file }) => {
        expect((await run("a", "engine:ack#2")).signal).toBe("SIGKILL");
        expect((await checkpoint())?.stepId).toBe(2);
        const last = await run("b");
        expect([last.code, last.stderr, logged(last)]).toEqual([0, "", ["3 committed"]]);
        expect(done(file)).toEqual(["1 charge", "2 receipt", "3 ship"]);
      }),
  );

  it.skipIf(skip)(
    "two processes that have done the same step: one commits it, the other finds it committed, logs that and goes on",
    { ...proves("L-35", "L-50", "L-54"), timeout: 120_000 },
    () =>
      scene(async ({ url, file, checkpoint }) => {
        const both = ["a", "b"].map((ownId) => startChild(program, { args: [url, file, ownId, "wait"] }));
        await Promise.all(both.map((c) => c.waitForLine("computed")));
        expect((await checkpoint())?.stepId).toBe(0);
        for (const c of both) c.send("go");
        const ended = await Promise.all(both.map((c) => c.ended));
        for (const e of ended) expect([e.code, e.stderr, e.lines.at(-1)]).toEqual([0, "", "over"]);
        const said = ended.flatMap(logged);
        for (const stepId of [1, 2, 3]) expect(said.filter((l) => l === `${stepId} committed`)).toHaveLength(1);
        expect(said).toContain("1 skipped");
      }),
  );
});
