// The whole crash table in one process, on a server: every cell is a run with an engine of its own, brought to its window and
// held there, by a store that does not send, or does not answer, or by an effect that does not end. Then the process says so
// and is killed, once for all cells. In its second life it is one engine that finishes what it finds and tells what it sees.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { engine } from "../../../src/index.ts";
import { openStore } from "../../../src/open.ts";
import { systemPlatform } from "../../../src/platform/system.ts";
import type { FullStore } from "../../../src/store/full-store.ts";
import type { Commit } from "../../../src/store/port.ts";
import { cellWorkflow, lookAt, stepOf, type CellWorkflow } from "./classes.ts";

interface Cell {
  readonly class: string;
  readonly window: "A" | "B" | "C" | "D" | "E";
}
const [url = "", dir = "", table = "", life = "hold"] = process.argv.slice(2);
const cells = JSON.parse(readFileSync(table, "utf8")) as readonly Cell[];
const never = new Promise<never>(() => {});

const has = (c: Commit, stepId: string, types: readonly string[]): boolean =>
  c.events.some((e) => e.stepId === stepId && types.includes(e.eventType));

/** A store that brings its engine to the window and lets it go no further: nothing more is sent, nothing more is answered. */
function holding(store: FullStore, { window, class: cls }: Cell, held: () => void): { readonly store: FullStore; hold(): Promise<never> } {
  let frozen = false;
  let transactions = 0;
  const hold = (): Promise<never> => {
    frozen = true;
    held();
    return never;
  };
  const starts = (c: Commit): boolean => has(c, stepOf(cls), ["StepStarted"]);
  const ends = (c: Commit): boolean => has(c, stepOf(cls), ["StepCompleted", "StepFailed"]);
  const before = (c: Commit): boolean => (window === "A" && starts(c)) || (window === "D" && ends(c));
  const after = (c: Commit): boolean => (window === "B" && starts(c)) || (window === "E" && ends(c));
  return {
    hold,
    store: {
      ...store,
      async commit(batch, renew) {
        if (frozen) return never;
        if (batch.some(before)) return hold();
        const answer = await store.commit(batch, renew);
        return batch.some(after) ? hold() : answer;
      },
      async transact(user, seal, timeoutMs) {
        if (frozen) return never;
        const here = ++transactions === (stepOf(cls) === "effect" ? 1 : 2); // what is undone is a transaction, too
        // D: the rows are written, the outcome is not.
        const held = async (sql: Parameters<typeof user>[0]): ReturnType<typeof user> => {
          const value = await user(sql);
          return here && window === "D" ? hold() : value;
        };
        const answer = await store.transact(held, seal, timeoutMs);
        return here && window === "E" ? hold() : answer;
      },
    },
  };
}

function workflowOf(c: Cell, i: number, during?: () => Promise<void>): CellWorkflow {
  const losesFirst = c.class === "VERIFIED not-completed" && "CD".includes(c.window);
  const ledger = join(dir, `${i}.ledger`);
  return cellWorkflow({ name: `cell-${i}`, cls: c.class, ledger, losesFirst, makesTable: false, ...(during && { during }) });
}

const store = await openStore(url, systemPlatform());
if (life === "hold") {
  await Promise.all(
    cells.map(async (c, i) => {
      let told: () => void = () => {};
      const reached = new Promise<void>((resolve) => (told = resolve));
      const h = holding(store, c, told);
      const wf = workflowOf(c, i, c.window === "C" ? h.hold : undefined);
      const e = await engine({ store: h.store, workflows: [wf], lease: "60s", log: () => {} });
      // The start of the first cells is answered; nothing waits for it.
      e.start(wf, undefined, { id: wf.name }).catch(() => {});
      await reached;
    }),
  );
  console.log("held");
  await new Promise((resolve) => setTimeout(resolve, 3_600_000));
} else {
  const all = cells.map((c, i) => workflowOf(c, i));
  const e = await engine({ store, workflows: all });
  const seen = all.map(async (wf, i) => {
    const handle = await e.get(wf, wf.name);
    return handle === undefined ? null : lookAt(handle, stepOf(cells[i]?.class ?? ""));
  });
  console.log(JSON.stringify(await Promise.all(seen)));
  await e.stop();
  await store.close();
}
