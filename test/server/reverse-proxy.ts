// A reverse proxy for tests, as one stands before a server: it passes requests and answers on as they come, adds X-Forwarded-For, and can cut every
// line that goes through it. It knows nothing of Pawl.
import { createServer, request } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface ReverseProxy {
  readonly url: string;
  /** Ends every connection that is open now. */
  cut(): void;
  close(): Promise<void>;
}

/** `from`: the address that it says callers have. */
export async function startReverseProxy(targetPort: number, from: string): Promise<ReverseProxy> {
  const open = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, "x-forwarded-for": from, "x-forwarded-proto": "https" };
    const { method, url } = incoming;
    const onward = request({ host: "127.0.0.1", port: targetPort, method, path: url, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.on("error", () => outgoing.destroy());
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  server.on("connection", (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = (): void => open.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
