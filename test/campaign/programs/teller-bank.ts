// The bank of the operators part, in a process of its own: HTTP on loopback, a ledger on disk that is synced before anything is answered.
// By its seed it loses requests, loses replies after the charge, lets requests arrive late, or is slow. It deduplicates what it says it
// deduplicates, unless its planted bug is on. It must never charge what arrives after `lostAfterMs`: that is what the network promises.
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Book, lostAfterMs, settleMs, takes, timeoutMs, type Entry } from "./teller.ts";

export interface BankDuty {
  readonly ledger: string;
  readonly seed: number;
  readonly forgets: boolean;
}
export interface BankRequest {
  readonly what: "send" | "verify" | "undo";
  readonly order: string;
  readonly effect: string;
  readonly key: string;
  /** The machine's uptime in ms when it left. */
  readonly sentAt: number;
  /** Of an undoing: the same one sent again is one. */
  readonly id?: string;
}
export type BankReply = "done" | "not done" | "busy" | "refused";

const duty = JSON.parse(process.argv[2] ?? "{}") as BankDuty;
const book = new Book();
const file = openSync(duty.ledger, "a");
process.once("exit", () => closeSync(file));
let state = (Math.abs(duty.seed) % 2_147_483_646) + 1;
const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
const uptimeMs = (): number => Number(process.hrtime.bigint()) / 1e6;

function write(e: Entry): void {
  writeSync(file, `${JSON.stringify(e)}\n`);
  fsyncSync(file);
  book.add(e);
}
function charge(r: BankRequest): void {
  if (uptimeMs() > r.sentAt + lostAfterMs || !takes(book, r, duty.forgets)) return;
  write({ what: "done", order: r.order, effect: r.effect, key: r.key });
}

function send(r: BankRequest, reply: (text: BankReply) => void, reset: () => void): void {
  switch (random(8)) {
    case 0: // the reply is lost
      return charge(r);
    case 1: // the reply is lost, and the line with it
      charge(r);
      return reset();
    case 2: // the request is lost
      return;
    case 3: // the request is on its way when the engine gives up
      setTimeout(() => charge(r), Math.max(0, r.sentAt + timeoutMs + random(settleMs / 4) - uptimeMs()));
      return;
    case 4:
      return reply("refused");
    case 5:
      setTimeout(() => (charge(r), reply("done")), random(timeoutMs / 2));
      return;
    default:
      charge(r);
      return reply("done");
  }
}

function handle(r: BankRequest, reply: (text: BankReply) => void, reset: () => void): void {
  if (r.what === "send") return send(r, reply, reset);
  if (r.what === "verify") return reply(random(10) === 0 ? "busy" : book.has(r.order, r.effect, r.key) ? "done" : "not done");
  write({ what: "undone", order: r.order, effect: r.effect, key: r.key, id: r.id ?? "" });
  reply("done");
}

const server = createServer((req, res: ServerResponse) => {
  let text = "";
  req.on("data", (d: Buffer) => (text += String(d)));
  req.on("end", () =>
    handle(
      JSON.parse(text) as BankRequest,
      (answer) => void res.end(answer),
      () => void req.socket.destroy(),
    ),
  );
});
server.listen(0, "127.0.0.1", () => console.log(`bank http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
