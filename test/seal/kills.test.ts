// Seals under kills: wherever an engine dies, and whatever becomes of its Commits, the check under the key raises no false alarm and
// every run that ends is sealed to its end. A seal is in the Commit that it seals, and a number that was never written is on record.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyStore } from "../../src/client/audit/verify-store.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { workflow } from "../../src/index.ts";
import { newKeyFile, keyringFile } from "../../src/log/seal-key-file.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { Commit } from "../../src/store/port.ts";
import { verify } from "../../src/verify.ts";
import { testClusters, storeKinds, type TestCluster } from "../support/test-cluster.ts";
import { proves } from "../support/proves.ts";

const fresh = testClusters();
const pay = workflow({ name: "pay" }, async (ctx) => {
  await ctx.step("charge", () => 500, { key: "order", dedup: "1d" });
  await ctx.sleep("nap", "2s");
  return ctx.step("mail", () => "sent", { repeatable: true });
});

let dir = "";
let seal = { keyFile: "", every: "1s" as const };
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "pawl-kills-"));
  seal = { keyFile: join(dir, "seal.pem"), every: "1s" };
  newKeyFile(seal.keyFile);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const key = (): string => readFileSync(keyringFile(seal.keyFile), "utf8");

/** No finding in the whole store, and every run's archive is sealed to its end. */
async function whole(l: TestCluster, ids: readonly string[]): Promise<void> {
  const { engine, client } = await l.engine([pay], { seal });
  for (const id of ids) {
    const run = await client.get(id);
    if (run === undefined) continue;
    await l.advanceUntil(client.waitForEnd(id));
    const v = verify(await l.advanceUntil(client.evidence(run.runId)), { key: key() });
    expect(v.checks.filter((c) => c.state === "fail")).toEqual([]);
    expect(v.sealed?.end).toBe(true);
  }
  await l.advanceUntil(engine.stop());
  const report = await l.advanceUntil(verifyStore(l.store, defaultScope, { everyTenant: true, key: key() }));
  expect(report.findings).toEqual([]);
}

const sealing = (c: Commit): boolean => c.events.some((e) => e.eventType === "pawl.HeadSealed");

describe.each(storeKinds)("on %s", (kind) => {
  it.each(["engine:commit", "engine:ack"])(
    "killed at each %s, an engine leaves no seal without its events and no alarm",
    { ...proves("K22"), timeout: 120_000 },
    async (point) => {
      let k = 1;
      for (; ; k++) {
        const l = await fresh(kind, k);
        let hits = 0;
        const a = await l.engine([pay], { lease: "1s", seal, onHit: (p) => p === point && ++hits === k });
        const starts = ["a", "b"].map((id) => a.engine.start(pay, undefined, { id }).catch(() => {}));
        await l.platform.advance(8_000);
        void starts;
        const died = !a.alive;
        await whole(l, ["a", "b"]);
        if (!died) break;
      }
      expect(k).toBeGreaterThan(4);
    },
  );

  it(
    "a Commit that was fenced off, and one whose answer was lost, leave numbers on record and no alarm",
    { ...proves("K22"), timeout: 60_000 },
    async () => {
      const l = await fresh(kind);
      const done = { fenced: 0, lost: 0 };
      const faulty = (s: FullStore): FullStore => ({
        ...s,
        commit: async (batch, renew) => {
          const at = batch.findIndex(sealing);
          if (at >= 0 && done.fenced++ === 0) {
            const rest = batch.filter((_, i) => i !== at);
            const { answers, renewal } = await s.commit(rest, renew);
            return { answers: [...answers.slice(0, at), { kind: "fenced" }, ...answers.slice(at)], renewal };
          }
          const answer = await s.commit(batch, renew);
          if (at >= 0 && done.lost++ === 0) throw Object.assign(new Error("the connection is gone"), { code: "ECONNRESET" });
          return answer;
        },
      });
      const e = await l.engine([pay], { lease: "1s", seal, wrap: faulty });
      for (const id of ["a", "b", "c"]) {
        const h = await l.advanceUntil(e.engine.start(pay, undefined, { id }));
        await l.advanceUntil(h.result());
      }
      expect(done.fenced).toBeGreaterThan(1);
      await l.advanceUntil(e.engine.stop());
      await whole(l, ["a", "b", "c"]);
    },
  );
});
