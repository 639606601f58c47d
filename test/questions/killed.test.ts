// Questions and real processes on every store: killed while it asks, and again after an answer that nobody had taken. Each step before a question
// runs once, each question is asked once, and an answer to an earlier question never reaches a later one.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { requests } from "../crash/programs/receiver.ts";
import { killChildren, startChild } from "../support/child-process.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { openTestDatabase } from "../support/test-database.ts";

const program = "test/questions/programs/form.js";

describe.each([
  ["sqlite", false],
  ["postgres", false],
  ["mysql", skipsWithoutMariadb()],
] as const)("on %s", (store, skip) => {
  const dir = mkdtempSync(join(tmpdir(), `pawl-asked-${store}-`));
  afterAll(async () => {
    await killChildren();
    rmSync(dir, { recursive: true, force: true });
  });

  it.skipIf(skip)(
    "five questions and three at once, over kills: each body runs once, a late answer is refused",
    { timeout: 120_000 },
    async () => {
      const ground = await openTestDatabase(store, dir);
      const ledger = join(dir, "ledger");
      const c = await connect({ store: ground.url });
      const start = () => startChild(program, { args: [ground.url, ledger] });
      const answer = async (text: string, wait: boolean): Promise<string> => {
        const q = (await c.questions("form-1")).find((x) => x.text === `question ${text}`)!;
        const answered = await c.answer(q.questionId, `answer ${text}`, {
          by: "ann",
          submissionId: `s-${text}`,
          ...(wait ? {} : { timeoutMs: 0 }),
        });
        expect(answered.replayed).toBe(false);
        return q.questionId;
      };
      const kill = async (child: ReturnType<typeof start>): Promise<void> => {
        child.signal("SIGKILL");
        expect((await child.ended).signal).toBe("SIGKILL");
      };
      try {
        let life = start();
        await life.waitForLine("asked question 1");
        await kill(life);
        const first = await answer("1", false);
        life = start();
        await life.waitForLine("asked question 2");
        await expect(c.answer(first, "late", { by: "bob" })).rejects.toMatchObject({ code: "PAWL4070", data: { by: "ann" } });
        await answer("2", true);
        await life.waitForLine("asked question 3");
        await answer("3", true);
        await life.waitForLine("asked question 4");
        await kill(life);
        await answer("4", false);
        life = start();
        await life.waitForLine("asked question 5");
        await answer("5", true);
        for (const who of ["a", "b", "c"]) await life.waitForLine(`asked question ${who}`);
        await answer("b", true);
        await kill(life);
        await answer("c", false);
        life = start();
        await life.waitForLine("ready");
        await answer("a", true);
        expect(await life.waitForLine("result")).toBe(
          `result ${["1", "2", "3", "4", "5", "a", "b", "c"].map((x) => `answer ${x}`).join(",")}`,
        );
        expect((await life.ended).code).toBe(0);
        const keys = requests(ledger).map((r) => r.key);
        expect(keys.toSorted()).toEqual(["1", "2", "3", "4", "5", "a", "b", "c"].map((x) => `step-${x}`));
        const asked = (await c.events("form-1")).filter((e) => e.eventType === "StepStarted" && e.stepId?.endsWith("/question") === true);
        expect(asked).toHaveLength(8);
      } finally {
        await c.close();
        await ground.remove();
      }
    },
  );
});
