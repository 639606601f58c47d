// A receiver of webhooks on loopback: a real HTTP server that keeps what arrived and answers as the test says, and a few ways of
// not answering at all. Nothing in the package imports it.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { CloudEvent, WebhookData } from "../../src/webhooks/cloud-event.ts";

export interface Request {
  readonly id: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly event: CloudEvent<WebhookData>;
  /** What it was told; absent when it got no answer. */
  status?: number;
}
/** A status, or no answer: the line is cut before or after a while, or nothing is said. */
export type Reply = number | "reset" | "silence";

export interface Receiver {
  readonly url: string;
  readonly requests: readonly Request[];
  /** Of the requests that were accepted: each event once, in the order of first acceptance, as "run runSeq". */
  accepted(): string[];
  close(): Promise<void>;
}

export async function receiver(reply: (r: Request) => Reply = () => 200): Promise<Receiver> {
  const requests: Request[] = [];
  const server = createServer((q, r) => {
    let body = "";
    q.on("data", (d: Buffer) => (body += String(d)));
    q.on("end", () => {
      const request: Request = {
        id: String(q.headers["webhook-id"]),
        headers: q.headers,
        body,
        event: JSON.parse(body) as Request["event"],
      };
      requests.push(request);
      say(r, request, reply(request));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    accepted: () => {
      const seen = new Set<string>();
      const fresh = requests.filter((r) => r.status === 200 && !seen.has(r.id) && seen.add(r.id));
      return fresh.map((r) => `${r.event.subject} ${r.event.data.runSeq}`);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function say(r: ServerResponse, request: Request, reply: Reply): void {
  if (reply === "silence") return;
  if (reply === "reset") return void r.destroy();
  request.status = reply;
  r.writeHead(reply).end();
}
