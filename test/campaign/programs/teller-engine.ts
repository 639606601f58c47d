// One engine of the operators part, in a process of its own, to be killed: it serves the teller's workflow and asks a bank in another
// process over HTTP. It starts nothing and decides nothing.
import { request } from "node:http";
import { engine, NotSent } from "../../../src/index.ts";
import type { BankReply, BankRequest } from "./teller-bank.ts";
import { insist } from "./insist.ts";
import { tellerWorkflow, type BankLine } from "./teller.ts";

export interface TellerDuty {
  readonly store: string;
  readonly bank: string;
}

const duty = JSON.parse(process.argv[2] ?? "{}") as TellerDuty;

function ask(signal: AbortSignal, r: Omit<BankRequest, "sentAt">): Promise<BankReply> {
  const body = JSON.stringify({ ...r, sentAt: Number(process.hrtime.bigint()) / 1e6 } satisfies BankRequest);
  return new Promise((resolve, reject) => {
    const req = request(duty.bank, { method: "POST", agent: false, signal }, (res) => {
      let text = "";
      res.on("data", (d: Buffer) => (text += String(d)));
      res.on("end", () => resolve(text as BankReply));
      res.on("error", reject);
    });
    req.on("error", reject);
    req.end(body);
  });
}

const bank: BankLine = {
  async send(order, effect, s) {
    const said = await ask(s.signal, { what: "send", order, effect, key: s.key });
    if (said === "refused") throw new NotSent("the bank takes nothing now");
    return `done ${s.key}`;
  },
  async verify(order, effect, s) {
    const said = await ask(s.signal, { what: "verify", order, effect, key: s.key });
    if (said === "busy") return { state: "indeterminate", reason: "busy" };
    return said === "done" ? { state: "completed-with-result", result: `done ${s.key}` } : { state: "not-completed" };
  },
  async undo(order, effect, key, s) {
    await ask(s.signal, { what: "undo", order, effect, key, id: s.key });
  },
};

await insist(() => engine({ store: duty.store, workflows: [tellerWorkflow(bank)], lease: "1s", log: () => {} }));
console.log("ready");
