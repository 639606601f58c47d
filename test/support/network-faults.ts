// A line between engines and a database server with bad weather on demand: the answer to a statement is lost, the statement itself is,
// the answer is late, or the line goes silent and breaks later. Knows as much of the two protocols as it takes to see which verb of
// the port a statement belongs to. For tests.
import { connect, createServer, type Server, type Socket } from "node:net";

/** lost: done, and the line breaks before the answer. cut: never arrives. delayed: the answer is late. blackholed: silence, then a broken line. */
export const networkFaults = ["lost", "cut", "delayed", "blackholed"] as const;
export type NetworkFault = (typeof networkFaults)[number];

/** By the name of a prepared statement (Postgres) or by its text (MySQL): which verb it is of. The first that fits. */
const verbs: readonly (readonly [string, RegExp])[] = [
  ["owned", /pawl_owned|select run_id from \S+runs force index \(due\)/],
  ["claim", /pawl_claim|update \S+runs .*set owner = /s],
  ["enlist", /pawl_enlist|insert into \S+engines/],
  ["bury", /pawl_(declare|retire|forget|quiet)|engines set dead|delete from \S+engines/],
  ["renew", /pawl_(renew|beat|relock)|update \S+engines set (lease_until|renewed_at)/],
  ["post", /pawl_post|insert into \S+accepted/],
  ["inbox", /pawl_inboxOf|from \S+inbox .*order by inbox_id|from \S+inbox i/],
  ["shelves", /shelf|shelves/],
  ["feed", /pawl_feed|\S+feed\b|consumers/],
  ["transact", /savepoint/],
  ["commit", /pawl_(one|many)|begin not atomic|(^|\s)commit$/],
  ["read", /pawl_|select /],
];
export const verbNames: readonly string[] = verbs.map(([name]) => name);

function verbIn(chunk: Buffer): string | undefined {
  const text = chunk
    .toString("latin1")
    .replaceAll(/[^ -~]/g, " ")
    .trim();
  return verbs.find(([, form]) => form.test(text))?.[0];
}

interface Strike {
  readonly weather: NetworkFault;
  readonly verb: string | null;
  readonly ms: number;
  readonly struck: (verb: string) => void;
}

export interface FaultyProxy {
  readonly port: number;
  /** Resolves with the verb when it has struck: the next statement of this verb, or the next of any. */
  strike(weather: NetworkFault, verb: string | null, ms: number): Promise<string>;
  /** Whatever is waited for may be of any verb. */
  anyVerb(): void;
  close(): Promise<void>;
}

export async function startFaultyProxy(toPort: number): Promise<FaultyProxy> {
  const sockets = new Set<Socket>();
  let next: Strike | undefined;

  const server: Server = createServer((client) => {
    const upstream = connect(toPort, "127.0.0.1");
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const s of [client, upstream]) {
      sockets.add(s);
      s.setNoDelay(true);
      s.on("error", () => {});
      s.on("close", () => {
        sockets.delete(s);
        end();
      });
    }
    let deaf = false; // the server's next word is not passed on, and the line breaks
    let silent = false;
    let lateMs = 0;
    let behind: Promise<unknown> = Promise.resolve();
    client.on("data", (chunk: Buffer) => {
      if (silent) return;
      const verb = next === undefined ? undefined : verbIn(chunk);
      if (next !== undefined && verb !== undefined && (next.verb === null || next.verb === verb)) {
        const { weather, ms, struck } = next;
        next = undefined;
        if (weather === "cut") end();
        if (weather === "lost") deaf = true;
        if (weather === "delayed") lateMs = ms;
        if (weather === "blackholed") {
          // Every other one is done by the server all the same.
          if (ms % 2 === 0) upstream.write(chunk);
          silent = true;
          setTimeout(end, ms);
        }
        struck(verb);
        if (weather === "cut" || weather === "blackholed") return;
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => {
      if (silent) return;
      if (deaf) return end();
      if (lateMs === 0) return void behind.then(() => client.write(chunk));
      const ms = lateMs;
      lateMs = 0;
      behind = behind.then(() => new Promise((resolve) => setTimeout(resolve, ms))).then(() => client.write(chunk));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    strike: (weather, verb, ms) => new Promise((struck) => (next = { weather, verb, ms, struck })),
    anyVerb: () => void (next = next === undefined ? undefined : { ...next, verb: null }),
    async close(): Promise<void> {
      for (const s of sockets) s.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
