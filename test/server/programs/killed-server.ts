// A server on a store, in a process of its own, that kills itself with SIGKILL right after the n-th write of what it is asked: what was written is
// there, and nobody hears of it. "arm n" on standard input says which write. With a planted bug it forgets the ids of requests.
import { createInterface } from "node:readline";
import { randomUUID } from "node:crypto";
import { openStore } from "../../../src/open.ts";
import { systemPlatform } from "../../../src/platform/system.ts";
import { server } from "../../../src/server.ts";
import type { FullStore } from "../../../src/store/full-store.ts";

const real = await openStore(process.env["STORE"]!, systemPlatform());
const forgets = process.env["BUG"] === "forgets its ids";
let left = Number.POSITIVE_INFINITY;

async function counted<T>(write: T | Promise<T>): Promise<T> {
  const answer = await write;
  if (--left !== 0) return answer;
  process.kill(process.pid, "SIGKILL");
  return new Promise<never>(() => {});
}

const store: FullStore = {
  ...real,
  post: (p) => {
    const message = forgets ? { ...p, id: randomUUID() } : p;
    return p.checkOnly === true ? real.post(message) : counted(real.post(message));
  },
  commit: (batch, renew) => {
    const commits = batch.map((c) =>
      forgets && "create" in c.expect ? { ...c, expect: { create: { ...c.expect.create, idempotencyKey: null } } } : c,
    );
    return counted(real.commit(commits, renew));
  },
};

const api = await server({ store, tenant: "default/default/default", auth: "open", log: () => {} });
const { port } = await api.listen({ port: 0 });
createInterface({ input: process.stdin }).on("line", (line) => {
  left = Number(line.slice("arm ".length));
  console.log(`armed ${left}`);
});
console.log(`listening ${port}`);
