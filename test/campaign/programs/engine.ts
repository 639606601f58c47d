// One engine of a campaign, in a process of its own: keeps orders in flight, starts more as others end, and writes down what
// it was promised. What it does comes as one JSON argument. It is there to be killed, stopped and cut off; it never decides
// what is right.
import { createInterface } from "node:readline";
import { engine } from "../../../src/index.ts";
import { openStore } from "../../../src/open.ts";
import { systemPlatform } from "../../../src/platform/system.ts";
import type { Store } from "../../../src/store/port.ts";
import { losesAnswers, withBug, type Bug } from "./bugs.ts";
import { insist } from "./insist.ts";
import { note } from "./ledger.ts";
import { orderResult, orders } from "./orders.ts";

export interface Duty {
  readonly store: string;
  readonly ledger: string;
  /** Ids of its orders begin with this. */
  readonly name: string;
  /** Orders that it keeps in flight; 0: it only finishes what others left. */
  readonly orders: number;
  readonly holdMs: number;
  readonly lease: `${number}s`;
  readonly bug?: Bug;
  readonly losesAnswers?: boolean;
}

const wanted = JSON.parse(process.argv[2] ?? "{}") as Duty;
const { ledger } = wanted;
const order = orders(ledger);

async function opened(): Promise<Store> {
  let store = await openStore(wanted.store, systemPlatform());
  if (wanted.losesAnswers === true) store = losesAnswers(store, ledger);
  return wanted.bug === undefined ? store : withBug(store, wanted.bug);
}

const e = await insist(async () => engine({ store: await opened(), workflows: [order], lease: wanted.lease, log: () => {} }));
console.log("ready");

let enough = false;
createInterface({ input: process.stdin }).on("line", (l) => {
  if (l === "enough") enough = true;
  if (l === "stop") void e.stop({ grace: 1_000 }).finally(() => process.exit(0));
});

async function keep(lane: number): Promise<void> {
  for (let n = 0; !enough; n++) {
    const id = `${wanted.name}-${lane}-${n}`;
    const holdMs = Math.floor(wanted.holdMs * (0.2 + Math.random() * 0.8));
    const h = await insist(() => e.start(order, { id, holdMs, once: (lane + n) % 3 === 0 }, { id }));
    note(ledger, { kind: "accepted", run: id });
    await insist(() => h.signal("paid", orderResult, { signalId: "paid" }));
    note(ledger, { kind: "signalled", run: id });
    let over = false;
    const ended = insist(() => h.result()).finally(() => (over = true));
    // An order in doubt waits for a person: the next one does not wait for it.
    const left = async (): Promise<void> => {
      while (!over && (await insist(() => h.status())).waiting !== "decision") await new Promise((resolve) => setTimeout(resolve, 300));
    };
    await Promise.race([ended.catch(() => undefined), left()]);
  }
}
await Promise.all(Array.from({ length: wanted.orders }, (_, i) => keep(i)));
