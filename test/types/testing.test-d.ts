// Type tests of pawl/testing: inputs, outputs and mocks infer from the workflow and the task, and what does not fit does not
// compile. `npm run types` compiles this file and nothing ever runs it.
import { z } from "zod";
import { task, workflow } from "../../src/index.ts";
import { crashMatrix, replay, testEngine, world, type CrashCell } from "../../src/testing.ts";

type Eq<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(_proof?: T): void => {};

const mail = task({ name: "mail", input: z.object({ to: z.string() }) }, async (i) => ({ sent: i.to }));
const order = workflow(
  { name: "order", input: z.object({ id: z.string() }), signals: { approved: z.object({ by: z.string() }) } },
  async (ctx, input) => ({ id: input.id, mail: await ctx.do(mail, { to: input.id }) }),
);

const t = await testEngine({ workflows: [order], store: "sqlite:", guard: "warn", startAt: new Date(0), seed: 3 });
await testEngine({
  store: "postgres://localhost/x",
  setup: async (x, db) => void (await db.sql`select 1`),
  reset: (db) => db.sql`select 1`,
});
// @ts-expect-error an end that no run has
await crashMatrix(order, { id: "o" }, { expectEnd: "DONE" });
const r = await t.run(order, { id: "o" });
is<Eq<typeof r, { id: string; mail: { sent: string } }>>();
t.mock(mail, (i) => ({ sent: i.to.toUpperCase() }));
// @ts-expect-error a mock returns what the task returns
t.mock(mail, () => 3);
t.mock("step", () => "anything");
const h = await t.start(order, { id: "o" });
await h.signal("approved", { by: "ann" });
// @ts-expect-error the signal's payload is checked
await h.signal("approved", { who: "ann" });
await t.until(h, { step: "mail", status: "SUCCESS" });
await t.until(h, { waiting: "signal" });
// @ts-expect-error nothing waits for this
await t.until(h, { waiting: "godot" });
await t.advance("2h");
// @ts-expect-error no duration
await t.advance("2 hours");
const lines = await t.trace(h);
is<Eq<typeof lines, readonly string[]>>();

const w = world();
const m = await crashMatrix(
  order,
  { id: "o" },
  {
    world: w,
    expect: { mail: "at-least-once" },
    windows: ["D"],
    drive: (handle) => handle.signal("approved", { by: "ann" }),
    check: ({ result }) => is<Eq<typeof result, { id: string; mail: { sent: string } } | undefined>>(),
  },
);
is<Eq<typeof m.cells, readonly CrashCell[]>>();
// @ts-expect-error the input is the workflow's
await crashMatrix(order, { no: 1 });
// @ts-expect-error there are five windows
await crashMatrix(order, { id: "o" }, { windows: ["F"] });
// @ts-expect-error no such expectation
await crashMatrix(order, { id: "o" }, { expect: { mail: "exactly-once" } });
await replay(order, h.events());
await replay(order, "[]");
