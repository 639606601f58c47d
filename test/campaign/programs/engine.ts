// One engine of a campaign, in a process of its own: keeps orders in flight, starts more as others end, and writes down what
// it was promised. What it does comes as one JSON argument. It is there to be killed, stopped and cut off; it never decides
// what is right.
import { createInterface } from "node:readline";
import { connect } from "../../../src/client.ts";
import { defaultScope } from "../../../src/client/environment.ts";
import { engine } from "../../../src/index.ts";
import { openStore } from "../../../src/open.ts";
import { systemPlatform } from "../../../src/platform/system.ts";
import { consume } from "../../../src/readers/consume.ts";
import type { FullStore } from "../../../src/store/full-store.ts";
import { badWeather, losesAnswers, withBug, type Bug } from "./bugs.ts";
import { insist } from "./insist.ts";
import { note } from "./ledger.ts";
import { orderResult, orders, readerName } from "./orders.ts";

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
  /** Orders are started by a client without an engine, so that every one of them must be claimed. */
  readonly apart?: boolean;
  /** The seed of a store that loses answers of every verb. */
  readonly weather?: number;
}

const wanted = JSON.parse(process.argv[2] ?? "{}") as Duty;
const { ledger } = wanted;
const order = orders(ledger);

async function opened(): Promise<FullStore> {
  let store = await openStore(wanted.store, systemPlatform());
  if (wanted.weather !== undefined) store = badWeather(store, ledger, wanted.weather);
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

/** Every order is started by somebody who runs none, and must be claimed; somebody else reads the log meanwhile. */
async function keepApart(): Promise<void> {
  const store = await insist(opened);
  const client = await connect({ store });
  const consumer = { scope: defaultScope, name: readerName };
  await insist(() => consume({ store, platform: systemPlatform(), consumer, from: "start", handle: async () => ({}), leaseMs: 2_000 }));
  const lane = async (at: number): Promise<void> => {
    for (let n = 0; !enough; n++) {
      const id = `${wanted.name}-${at}-${n}`;
      const input = { id, holdMs: wanted.holdMs, once: false };
      await insist(() => client.start({ workflow: "order", id, input }));
      note(ledger, { kind: "accepted", run: id });
      await insist(() => client.signal(id, "paid", orderResult, { signalId: "paid" }));
      note(ledger, { kind: "signalled", run: id });
      await insist(() => client.waitForEnd(id)).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: wanted.orders }, (_, i) => lane(i)));
}

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
if (wanted.apart === true) await keepApart();
else await Promise.all(Array.from({ length: wanted.orders }, (_, i) => keep(i)));
