// Starts a template for the first time, in a process of its own: `starts` equal requests at once, each answered with a line. With `dieAt` it is
// killed at that statement, counted from the moment before the first start: a write to the database server's socket. SQLite's driver cannot
// be watched; there PAWL_CRASH names a crash point.
import { Socket } from "node:net";
import { dagFromTemplate, engine, task, type Template } from "../../../src/index.ts";

interface Order {
  readonly store: string;
  readonly template: Template;
  readonly input: unknown;
  readonly starts: number;
  readonly dieAt?: number;
}
const order = JSON.parse(process.argv[2] ?? "{}") as Order;

let armed = false;
let statements = 0;
/** One statement goes out now; the process may be killed instead. */
function count(): void {
  if (!armed || ++statements !== order.dieAt) return;
  process.kill(process.pid, "SIGKILL");
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
/** Calls `count` before each call of the method. */
function watch(proto: object, method: string): void {
  const own = Reflect.get(proto, method) as (...args: unknown[]) => unknown;
  Object.assign(proto, {
    [method](this: unknown, ...args: unknown[]) {
      count();
      return Reflect.apply(own, this, args);
    },
  });
}
watch(Socket.prototype, "write");

const anything = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const;
const names = [...new Set(order.template.steps.flatMap((s) => ("handler" in s ? [s.handler] : [])))];
const wf = dagFromTemplate(
  order.template,
  names.map((name) => task({ name, input: anything }, () => name)),
);
const app = await engine({ store: order.store, workflows: [wf] });
console.log("ready");
await new Promise<void>((resolve) => process.stdin.once("data", () => resolve()));
process.stdin.destroy();
armed = true;
await Promise.all(
  Array.from({ length: order.starts }, async () => {
    try {
      const h = await app.start(wf, order.input as never);
      console.log(`started ${JSON.stringify({ runId: h.runId, created: h.created })}`);
    } catch (e) {
      const { code, message } = e as { code?: string; message: string };
      console.log(`refused ${JSON.stringify({ code, message })}`);
    }
  }),
);
armed = false;
console.log(`statements ${statements}`);
await app.stop({ grace: 0 });
