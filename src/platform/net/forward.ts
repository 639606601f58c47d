// Passes a request on to another port of this machine and its answer back, as bytes arrive: bodies, streams and all. Only what belongs to one
// connection is left out. It must never send a request twice: its caller decides whether that is safe.
import { request as httpRequest } from "node:http";
import type { NodeRequest, NodeResponse } from "./listen.ts";

/** unreachable: nobody was there. lost: it was sent, and no answer came; nothing was written to the caller in either case. */
export type Forwarded = "answered" | "unreachable" | "lost";

const ofOneConnection = new Set(["connection", "keep-alive", "transfer-encoding", "proxy-connection", "te", "trailer", "upgrade"]);

export function forward(
  from: NodeRequest,
  to: NodeResponse,
  port: number,
  more: { readonly request?: Readonly<Record<string, string>>; readonly response?: Readonly<Record<string, string>> } = {},
): Promise<Forwarded> {
  return new Promise((resolve) => {
    const headers = { ...withoutConnection(from.headers), ...more.request, connection: "close" };
    const out = httpRequest({ host: "127.0.0.1", port, method: from.method, path: from.url, headers, agent: false });
    out.on("error", (e: NodeJS.ErrnoException) => {
      if (to.headersSent) to.destroy(); // the rest of a body or a stream is not coming
      resolve(to.headersSent ? "answered" : e.code === "ECONNREFUSED" ? "unreachable" : "lost");
    });
    out.on("response", (answer) => {
      to.writeHead(answer.statusCode ?? 502, { ...withoutConnection(answer.headers), ...more.response });
      to.flushHeaders();
      answer.pipe(to);
      answer.on("error", () => to.destroy());
      answer.on("close", () => {
        if (!answer.complete) to.destroy();
        resolve("answered");
      });
    });
    to.on("close", () => out.destroy());
    from.pipe(out);
  });
}

function withoutConnection(headers: NodeRequest["headers"]): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined && !ofOneConnection.has(name)) kept[name] = value;
  return kept;
}

/** The body of a request as text; undefined when it is longer. */
export async function readBody(from: NodeRequest, bytesMax: number): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of from as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > bytesMax) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** A question to another port of this machine. */
export function askLocal(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const out = httpRequest({ host: "127.0.0.1", port, path, headers: { ...headers, connection: "close" }, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (piece: string) => (text += piece));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on("error", reject);
    });
    out.on("error", reject);
    out.end();
  });
}
