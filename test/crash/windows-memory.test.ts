// The crash table on the memory store. Nothing of it survives a process, so a crash is the death of one engine and another that takes
// over in the same process; the cells, what must come out and the ledgers are those of the real processes. ATOMIC needs SQL.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { VirtualPlatform } from "../../src/platform/virtual.ts";
import { killableEngine, type KillableEngine } from "../../src/testing/killable-engine.ts";
import { limitConcurrency } from "../support/child-process.ts";
import { memoryTestStore } from "../support/test-store.ts";
import { expected, judge, type Seen } from "./cells.ts";
import { cellWorkflow, isAtomic, lookAt, stepOf } from "./programs/classes.ts";
import { proves } from "../support/proves.ts";

const dir = mkdtempSync(join(tmpdir(), "pawl-windows-memory-"));
const atATime = limitConcurrency(8);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

expected.forEach((cell, i) => {
  if (isAtomic(cell.class)) return;
  it.concurrent(cell.test, { ...proves(...cell.ids), timeout: 90_000 }, () =>
    atATime(async () => {
      const b = await memoryTestStore();
      const ledger = join(dir, `${i}.ledger`);
      const losesFirst = cell.class === "VERIFIED not-completed" && "CD".includes(cell.window);
      const cellOf = (during?: () => Promise<void>): ReturnType<typeof cellWorkflow> =>
        cellWorkflow({ name: "cell", cls: cell.class, ledger, losesFirst, makesTable: false, ...(during && { during }) });
      const stepId = stepOf(cell.class);
      const engine = (wf: ReturnType<typeof cellWorkflow>, onHit?: (point: string) => boolean): Promise<KillableEngine> =>
        killableEngine(
          { platform: b.platform as VirtualPlatform, connect: () => b.reopen(), closes: true, ...(onHit && { onHit }) },
          { lease: "20s", workflows: [wf] },
        );
      // The dead engine's function never comes back: it died while its request was on its way.
      const wf = cellOf(cell.window === "C" ? () => new Promise<never>(() => {}) : undefined);
      const first = await engine(wf, (point) => point === `${stepId}:${cell.window}`);
      first.engine.start(wf, undefined, { id: "cell" }).catch(() => {});
      while (first.alive) await new Promise((r) => setTimeout(r, 5));
      b.advanceClock(25_000);
      const next = cellOf();
      const second = await engine(next);
      const handle = (await second.engine.get(next, "cell")) ?? (await second.engine.start(next, undefined, { id: "cell" }));
      judge(cell, (await lookAt(handle, stepId)) as Seen, ledger, 0);
      await Promise.all([first, second].map((e) => e.stop().catch(() => {})));
      await b.close();
      expect(first.alive).toBe(false);
    }),
  );
});
