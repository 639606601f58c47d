// A server of Node's own, listening on one address: sockets in, a listener's answers out. Headers must arrive within a time, so that nobody holds a socket
// open for nothing. It must never read a request itself.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
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
  /** PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

export interface Listening {
  readonly port: number;
  /** No new connections; idle ones are closed. Resolves when the last one has ended. */
  close(): Promise<void>;
  closeIdle(): void;
  /** Ends connections that are still open. */
  closeAll(): void;
}

export function listenHttp(listener: NodeListener, o: ListenOptions): Promise<Listening> {
  const settings = {
    headersTimeout: o.headersTimeoutMs,
    requestTimeout: o.requestTimeoutMs,
    // How often both are looked at.
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 5_000,
  };
  const server = o.tls === undefined ? createServer(settings, listener) : createSecureServer({ ...settings, ...o.tls }, listener);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(o.port, o.host, () => {
      server.off("error", reject);
      resolve({
        port: (server.address() as AddressInfo).port,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeIdleConnections();
          }),
        closeIdle: () => server.closeIdleConnections(),
        closeAll: () => server.closeAllConnections(),
      });
    });
  });
}
