// A server of Node's own, listening on one address: sockets in, a listener's answers out. Headers must arrive within a time, so that nobody holds a socket
// open for nothing. It must never read a request itself.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type NodeRequest = IncomingMessage;
export type NodeResponse = ServerResponse;
export type NodeListener = (request: NodeRequest, response: NodeResponse) => void;

export interface ListenOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly headersTimeoutMs: number;
  /** A whole request, body included, must arrive within this. */
  readonly requestTimeoutMs: number;
}

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** No new connections; idle ones are closed. Resolves when the last one has ended. */
  close(): Promise<void>;
  /** Ends connections that are still open. */
  closeAll(): void;
}

export function listenHttp(listener: NodeListener, o: ListenOptions): Promise<Listening> {
  const server = createServer(
    { headersTimeout: o.headersTimeoutMs, requestTimeout: o.requestTimeoutMs, keepAliveTimeout: 5_000 },
    listener,
  );
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(o.port, o.host, () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        host: o.host,
        port,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeIdleConnections();
          }),
        closeAll: () => server.closeAllConnections(),
      });
    });
  });
}
