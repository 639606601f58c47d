// A TCP proxy before a MySQL server that can lose what a network loses: the answer to a COMMIT, or the COMMIT itself. It
// reads the client's packets only as far as needed to know a COMMIT, or a statement that commits itself, when it passes. For tests.
import { connect, createServer, type Server, type Socket } from "node:net";

export type Fault = "none" | "lose the answer to commit" | "lose the commit" | "silence";

export interface Proxy {
  readonly port: number;
  fault: Fault;
  /** How often the fault struck, and how often it may. */
  struck: number;
  strikesMax: number;
  /** New connections are broken; those that stand go on. */
  refuses: boolean;
  /** Ends every connection that passes through. */
  cut(): void;
  close(): Promise<void>;
}

/** A COMMIT of its own, or one inside a compound statement. */
const commits = /^commit$|^begin not atomic .*commit; select 1 as done/s;

/** `statement`: what makes something durable on the sessions that pass. */
export async function startProxy(toPort: number, statement: RegExp = commits): Promise<Proxy> {
  const isCommit = (packet: Buffer): boolean => packet[4] === 0x03 && statement.test(packet.subarray(5).toString());
  const sockets = new Set<Socket>();
  const both = (a: Socket, b: Socket): void => {
    a.destroy();
    b.destroy();
  };
  const server: Server = createServer((client) => {
    if (proxy.refuses) return void client.destroy();
    const upstream = connect(toPort, "127.0.0.1");
    let deaf = false;
    for (const s of [client, upstream]) {
      sockets.add(s);
      s.on("error", () => {});
      s.on("close", () => {
        sockets.delete(s);
        both(client, upstream);
      });
    }
    client.on("data", (packet: Buffer) => {
      if (proxy.fault === "silence") return;
      if (proxy.fault !== "none" && proxy.struck < proxy.strikesMax && isCommit(packet)) {
        proxy.struck++;
        if (proxy.fault === "lose the commit") return both(client, upstream);
        deaf = true;
      }
      upstream.write(packet);
    });
    upstream.on("data", (packet: Buffer) => {
      if (proxy.fault === "silence") return;
      // The server has answered, so it has committed; the client will never know.
      if (deaf) return both(client, upstream);
      client.write(packet);
    });
  });
  const proxy: Proxy = {
    port: 0,
    fault: "none",
    struck: 0,
    strikesMax: Number.POSITIVE_INFINITY,
    refuses: false,
    cut(): void {
      for (const s of sockets) s.destroy();
    },
    async close(): Promise<void> {
      proxy.cut();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return Object.assign(proxy, { port: typeof address === "object" && address !== null ? address.port : 0 });
}
