// A server on loopback that speaks the chat-completions protocol as a test tells it to: each request gets the next of its answers. It keeps
// what it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type ChatAnswer = (res: ServerResponse, req: IncomingMessage) => void | Promise<void>;

export class ChatServer {
  readonly asked: {
    readonly body: Record<string, unknown>;
    readonly headers: IncomingMessage["headers"];
    readonly url: string | undefined;
  }[] = [];
  readonly #answers: ChatAnswer[] = [];
  readonly #server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on("data", (d: Buffer) => parts.push(d));
    req.on("end", () => {
      this.asked.push({ body: JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>, headers: req.headers, url: req.url });
      const answer = this.#answers.shift();
      if (answer === undefined) res.writeHead(500).end("no answer is left");
      else void answer(res, req);
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  next(...answers: ChatAnswer[]): void {
    this.#answers.push(...answers);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export const chunk = (delta: object, finish: string | null = null, more: object = {}): string =>
  `data: ${JSON.stringify({ id: "r-1", model: "m-2026", choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;

/** Text as it stands, in pieces of `size` bytes, each in a packet of its own. */
export const sse =
  (text: string, o: { size?: number; cut?: boolean } = {}): ChatAnswer =>
  async (res) => {
    res.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    const bytes = Buffer.from(text);
    const size = o.size ?? bytes.length;
    for (let at = 0; at < bytes.length; at += size) {
      res.write(bytes.subarray(at, at + size));
      if (o.size !== undefined) await new Promise((resolve) => setImmediate(resolve));
    }
    if (o.cut === true) setImmediate(() => res.destroy());
    else res.end();
  };

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): ChatAnswer =>
  (res) =>
    void res
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(typeof body === "string" ? body : JSON.stringify(body));
