// A door before a database server: open, it lets every byte through; shut, it ends what is inside and lets nobody in, as a
// server does that went away. Knows no protocol, so it stands before any of them. For tests.
import { connect, createServer, type Socket } from "node:net";

export interface ClosableProxy {
  /** The URL of the server as seen through this door. */
  urlThrough(url: string): string;
  block(): void;
  unblock(): void;
  /** How often somebody knocked while it was shut. */
  readonly refusedConnections: number;
  close(): Promise<void>;
}

export async function startClosableProxy(serverPort: number): Promise<ClosableProxy> {
  const inside = new Set<Socket>();
  let isOpen = true;
  let knocks = 0;
  const server = createServer((client) => {
    if (!isOpen) {
      knocks++;
      client.destroy();
      return;
    }
    const upstream = connect(serverPort, "127.0.0.1");
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      inside.add(from);
      from.setNoDelay(true);
      from.on("error", () => {});
      from.on("close", () => {
        inside.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const end = (): void => {
    for (const s of inside) s.destroy();
  };
  return {
    urlThrough(url) {
      const u = new URL(url);
      u.port = String(port);
      return u.href;
    },
    block() {
      isOpen = false;
      end();
    },
    unblock() {
      isOpen = true;
    },
    get refusedConnections() {
      return knocks;
    },
    async close() {
      end();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
