// A server in a process of its own, for requests that nobody should send: an engine, open mode, any port. It says its port, and on "memory" how much it
// holds after collecting garbage. With a planted bug it lets an exception out.
import { createInterface } from "node:readline";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { engine, workflow } from "../../../src/index.ts";
import { server } from "../../../src/server.ts";

const [store = "memory:", bug = ""] = process.argv.slice(2);
const order = workflow({ name: "order" }, async (ctx, input: unknown) => ({ input, one: await ctx.step("one", () => 1) }));

const app = await engine({ store, workflows: [order], log: () => {} });
const api = await server({
  engine: app,
  log: (level, message, data) => {
    if (level === "error") process.stderr.write(`${message} ${data?.["error"] instanceof Error ? data["error"].stack : ""}\n`);
  },
  trustProxy: ["127.0.0.0/8"],
  auth:
    bug === "lets an exception out"
      ? (request) => {
          if (request.headers.get("authorization") !== null) throw new TypeError("cannot read properties of undefined");
          return { kind: "person", subject: "local", scopes: ["read", "payloads", "work", "operate", "resolve", "export", "admin"] };
        }
      : "open",
});
const { port } = await api.listen({ port: 0 });
process.stdout.write(`port ${port}\n`);

createInterface({ input: process.stdin }).on("line", (line) => {
  const [word, n] = line.split(" ");
  if (word !== "memory") return;
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  process.stdout.write(`memory ${n} ${rss} ${heapUsed} ${external} ${arrayBuffers}\n`);
});
async function end(): Promise<void> {
  await api.stop();
  await app.stop();
  process.exit(0);
}
process.once("SIGTERM", () => void end());
