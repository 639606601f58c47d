// A line between a client and a Postgres server that can go wrong on purpose: cut, silenced, delayed, or deaf to the answer of
// the next COMMIT. It knows just enough of the protocol to tell messages apart, and changes no byte that it passes on but the
// process number of a session, if it is told to stand in for a pooler.
import { connect, createServer, type Server, type Socket } from "node:net";

export interface Proxy {
  readonly port: number;
  /** The URL of a server as seen through this line. */
  through(url: string): string;
  /** How many times a client has waited for the server: its Query and Sync messages so far. */
  requests(): number;
  /** Breaks every connection now. */
  cut(): void;
  /** Breaks every new connection; those that stand go on. */
  refuse(): void;
  /** Accepts and says nothing, until heard again. */
  silence(on: boolean): void;
  /**
   * The next statement that matches is delivered, and its answer never is: the line breaks instead. Resolves when that has
   * happened. `before`: the statement itself is not delivered either.
   */
  swallow(statement: RegExp, before?: boolean): Promise<void>;
  /** The same for what makes something durable: a COMMIT, or such a statement outside of a transaction. */
  swallowWrite(statement: RegExp, before: boolean): Promise<void>;
  close(): Promise<void>;
}

interface Trap {
  readonly wants: (statement: string, inTransaction: boolean) => boolean;
  readonly before: boolean;
  readonly sprung: () => void;
}

export async function startProxy(serverPort: number, o: { readonly pooler?: boolean } = {}): Promise<Proxy> {
  const lines = new Set<Socket>();
  let silent = false;
  let refusing = false;
  let trap: Trap | undefined;
  let requests = 0;
  const held: (() => void)[] = [];

  const server: Server = createServer((client) => {
    if (refusing) return void client.destroy();
    const upstream = connect(serverPort, "127.0.0.1");
    const both = [client, upstream];
    for (const s of both) {
      lines.add(s);
      s.setNoDelay(true);
      s.on("error", () => {});
      s.on("close", () => {
        lines.delete(s);
        for (const other of both) other.destroy();
      });
    }
    /** Names of prepared statements of this session that the trap waits for. */
    const names = new Map<string, string>();
    let deaf: (() => void) | undefined;
    let started = false;
    let inTransaction = false;
    const pass = (to: Socket, data: Buffer): void => {
      if (silent) held.push(() => to.write(data));
      else to.write(data);
    };

    let sent: Buffer = Buffer.alloc(0);
    client.on("data", (data) => {
      sent = Buffer.concat([sent, data]);
      const chunk: Buffer[] = [];
      for (;;) {
        const length = started
          ? sent.length < 5
            ? Infinity
            : 1 + sent.readUInt32BE(1)
          : sent.length < 4
            ? Infinity
            : sent.readUInt32BE(0);
        if (sent.length < length) break;
        const message = sent.subarray(0, length);
        sent = sent.subarray(length);
        if (started && (message[0] === 0x51 || message[0] === 0x53)) requests++;
        if (!started) started = true;
        else if (trap !== undefined && trap.wants(statementOf(message, names), inTransaction)) {
          const { before, sprung } = trap;
          trap = undefined;
          if (before) {
            for (const s of both) s.destroy();
            sprung();
            return;
          }
          deaf = sprung;
        }
        chunk.push(message);
      }
      if (chunk.length > 0) pass(upstream, Buffer.concat(chunk));
    });

    let seen: Buffer = Buffer.alloc(0);
    upstream.on("data", (data) => {
      inTransaction = (readiness(data) ?? (inTransaction ? "T" : "I")) !== "I";
      if (deaf !== undefined) {
        seen = Buffer.concat([seen, data]);
        // ReadyForQuery, idle: the statement is over and durable. Nothing of this reaches the client.
        if (readiness(seen) === "I") {
          for (const s of both) s.destroy();
          deaf();
        }
        return;
      }
      pass(client, o.pooler === true ? disguised(data) : data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    port,
    through(url) {
      const u = new URL(url);
      u.port = String(port);
      return u.href;
    },
    requests: () => requests,
    cut(): void {
      for (const s of lines) s.destroy();
    },
    refuse: () => void (refusing = true),
    silence(on): void {
      silent = on;
      if (!on) for (const go of held.splice(0)) go();
    },
    swallow: (statement, before = false) => new Promise((sprung) => (trap = { wants: (text) => statement.test(text), before, sprung })),
    swallowWrite: (statement, before) =>
      new Promise((sprung) => (trap = { wants: (text, inside) => text === "commit" || (!inside && statement.test(text)), before, sprung })),
    async close(): Promise<void> {
      for (const s of lines) s.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The text of the statement that this message begins: Query, Parse, or Bind of one prepared before. */
function statementOf(message: Buffer, names: Map<string, string>): string {
  const type = String.fromCharCode(message[0] ?? 0);
  const texts = message.subarray(5).toString("latin1").split("\0");
  if (type === "Q") return texts[0] ?? "";
  if (type === "P") names.set(texts[0] ?? "", texts[1] ?? "");
  // Bind follows its Parse: the statement is told apart here, where it is run.
  return type === "B" ? (names.get(texts[1] ?? "") ?? "") : "";
}

/** BackendKeyData with another process number: what a pooler tells its clients. */
function disguised(data: Buffer): Buffer {
  const at = data.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
  if (at < 0) return data;
  const copy = Buffer.from(data);
  copy.writeUInt32BE((copy.readUInt32BE(at + 5) % 60_000) + 1, at + 5);
  return copy;
}

/** The last word of an answer: I outside of a transaction, T or E inside of one; undefined where the answer goes on. */
function readiness(data: Buffer): string | undefined {
  return data.length >= 6 && data[data.length - 6] === 0x5a ? String.fromCharCode(data[data.length - 1] ?? 0) : undefined;
}
