// A cancel during an effect and real processes, on every database: killed while the receiver is asked, and again while the charge is
// refunded. The question outlives both; the bank's own file has one charge and one refund.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { killChildren, startChild } from "../support/child-process.ts";
import { openTestDatabase, storeNames } from "../support/test-database.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { proves } from "../support/proves.ts";

const dir = mkdtempSync(join(tmpdir(), "pawl-cancelled-"));
afterAll(async () => {
  await killChildren();
  rmSync(dir, { recursive: true, force: true });
});
const program = "test/crash/programs/cancelled.js";
const names = storeNames.filter((s) => s !== "mysql" || !skipsWithoutMariadb());

it.each(names)(
  "%s: killed while a cancelled charge is asked about, and while it is refunded, the next process asks and refunds it",
  { ...proves("K19", "I7", "C7"), timeout: 120_000 },
  async (name) => {
    const bank = join(dir, `${name}.bank`);
    const ground = await openTestDatabase(name, dir);
    try {
      const first = startChild(program, { args: [ground.url, bank, "first"] });
      await first.waitForLine("charged");
      first.send("cancel");
      await first.waitForLine("asked");
      first.signal("SIGKILL");
      await first.ended;
      const second = startChild(program, { args: [ground.url, bank, "second"] });
      await second.waitForLine("refunding");
      second.signal("SIGKILL");
      await second.ended;
      const third = startChild(program, { args: [ground.url, bank, "third"] });
      expect(await third.waitForLine("end")).toBe("end CANCELLED charge=once charge/~compensate=once");
      expect((await third.ended).code).toBe(0);
    } finally {
      await ground.remove();
    }
    const lines = readFileSync(bank, "utf8").trim().split("\n");
    expect(lines.filter((l) => l.startsWith("charge"))).toEqual(["charge order-1"]);
    expect(new Set(lines.filter((l) => l.startsWith("refund")))).toEqual(new Set(["refund c-1 refund-c-1"]));
    expect(lines.filter((l) => l === "asked").length).toBeGreaterThanOrEqual(2);
  },
);
