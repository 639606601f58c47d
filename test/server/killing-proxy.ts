// A door between callers and a server in another process. Armed, it kills that process with SIGKILL at the moment in which the server has begun to answer, and lets
// nothing of the answer through: the request was carried out, and its caller never hears of it. Then another server takes the place.
import { connect, createServer, type Socket } from "node:net";
import { type Child, startChild } from "../support/child-process.ts";

export interface KillingProxy {
  readonly url: string;
  /** The next answer is lost, and the server with it. */
  arm(): void;
  readonly kills: number;
  close(): Promise<void>;
}

export async function startKillingProxy(program: string, env: Readonly<Record<string, string>>): Promise<KillingProxy> {
  const begin = async (): Promise<{ child: Child; port: number }> => {
    const child = startChild(program, { env });
    return { child, port: Number((await child.waitForLine("listening ")).slice("listening ".length)) };
  };
  let current = begin();
  let armed = false;
  let kills = 0;
  const open = new Set<Socket>();
  const server = createServer((caller) => {
    open.add(caller);
    caller.on("error", () => {});
    caller.on("close", () => open.delete(caller));
    void current.then(({ child, port }) => {
      const inside = connect(port, "127.0.0.1");
      inside.on("error", () => caller.destroy());
      inside.on("close", () => caller.destroy());
      caller.on("close", () => inside.destroy());
      caller.pipe(inside);
      inside.on("data", (part) => {
        if (!armed) return void caller.write(part);
        armed = false;
        kills++;
        child.signal("SIGKILL");
        current = child.ended.then(begin);
        caller.destroy();
      });
    });
  });
  await current;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    arm: () => void (armed = true),
    get kills() {
      return kills;
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      const { child } = await current;
      child.signal("SIGKILL");
      await child.ended;
    },
  };
}
