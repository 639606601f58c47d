// The workflows of a small shop, one for each kind of thing that the dashboard shows: effects of every class, waits, decisions, a DAG, children, failures
// with causes, payloads that nobody would expect. What they do outside is nothing; `die` ends the process in the middle of a charge.
import { z } from "zod";
import { dag, workflow } from "../../src/index.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";

/** Payloads that break pages: markup, directions, controls, halves of pairs, values that JSON does not have. */
export const hostile = {
  script: `<script>window.hit=1;alert(1)</script>`,
  image: `<img src=x onerror="window.hit=1">`,
  right: `\u202egnp.exe \u2066abc`,
  nul: `a\u0000b`,
  half: `\ud800 alone`,
  big: 123456789012345678901234567890n,
  minusZero: -0,
  notANumber: Number.NaN,
  bytes: new Uint8Array([0, 1, 2, 254, 255]),
  at: new Date(5),
  map: new Map<unknown, unknown>([[{ deep: 1 }, new Set(["a", 1n])]]),
  none: undefined,
  ["__proto__x"]: "javascript:alert(1)",
  long: "x".repeat(20_000),
  many: Array.from({ length: 3_000 }, (_, i) => i),
};

export interface ShopActs {
  /** What charging does: returns, throws, or ends the process. */
  charge(key: string): unknown;
}

export function shopWorkflows(acts: ShopActs): Readonly<Record<string, AnyWorkflow>> {
  const order = workflow({ name: "order", version: "3", input: z.any(), views: { state: z.any() } }, async (ctx, input) => {
    ctx.publish("state", "reserving");
    await ctx.step("reserve stock", () => ({ sku: "cup", taken: 1 }), { repeatable: true, compensate: () => "released" });
    const charge = await ctx.step("charge card", (s) => acts.charge(s.key), {
      key: `charge-${String(ctx.run.workflowId)}`,
      dedup: "24h",
      retry: { attempts: 3, initial: "10ms" },
    });
    ctx.publish("state", "charged");
    if ((input as { heavy?: boolean } | undefined)?.heavy === true) ctx.fail("too heavy to ship", { weightKg: 300 });
    await ctx.step("ship parcel", () => ({ parcel: "P-1" }), { verify: () => ({ happened: false }), retry: { attempts: 1 } } as never);
    return { charge, shipped: true };
  });
  const payout = workflow({ name: "payout", input: z.any() }, (ctx) =>
    ctx.step("pay supplier", () => new Promise(() => {}), { key: "payout-2026-11", timeout: "30ms" }),
  );
  const refund = workflow({ name: "refund", input: z.any() }, (ctx, input) =>
    ctx.step("send refund", () => "sent", { once: true, approve: "Is this refund right?", input } as never),
  );
  const review = workflow({ name: "review", signals: { decided: z.object({ yes: z.boolean() }) } }, (ctx) =>
    ctx.receive("decided", { timeout: "3d" }),
  );
  const remind = workflow({ name: "remind" }, async (ctx) => {
    await ctx.step("write mail", () => "written");
    await ctx.sleep("cool off", "2d");
  });
  const flaky = workflow({ name: "report", input: z.any() }, (ctx) =>
    ctx.step(
      "fetch figures",
      () => {
        throw new Error("the warehouse is closed", { cause: new Error("ECONNREFUSED warehouse:5432") });
      },
      { repeatable: true, retry: { attempts: 2, initial: "10ms" } },
    ),
  );
  const odd = workflow({ name: "odd <b>payloads</b>", input: z.any() }, (ctx, input) =>
    ctx.step("echo \u202eodd", () => input, { repeatable: true }),
  );
  const etl = dag({ name: "etl" }, (t) => {
    const rows = t.task("extract", {}, () => Array.from({ length: 12 }, (_, id) => ({ id })), { repeatable: true });
    const clean = t.each("clean", rows, ({ id }) => id * 2, { id: (row) => String(row.id), repeatable: true });
    const check = t.task("check", { rows }, () => "fine", { repeatable: true });
    const load = t.task("load", { clean, check }, ({ clean: all }) => all.length, { repeatable: true });
    return t.task("announce", { load }, ({ load: n }) => ({ rows: n }), { repeatable: true });
  });
  const parent = workflow({ name: "basket" }, async (ctx) => {
    const both = [
      ctx.call(remindSoon, undefined as never, { id: `${ctx.run.workflowId}/a` }),
      ctx.call(remindSoon, undefined as never, { id: `${ctx.run.workflowId}/b` }),
    ];
    return Promise.all(both);
  });
  const never = (): Promise<never> => new Promise(() => {});
  const delivery = workflow({ name: "delivery", input: z.any() }, async (ctx) => {
    await ctx.step("book van", () => ({ van: 4 }), { key: "van-8", dedup: "7d" });
    await Promise.all([
      ctx.step("send contract", never, { once: true, timeout: "30ms" }),
      ctx.step("print papers", never, { repeatable: true, timeout: "1h" }),
      ctx.step("declare goods", never, { verify: () => ({ happened: false }), timeout: "1h" } as never),
    ]);
  });
  const remindSoon = workflow({ name: "wrap" }, (ctx) => ctx.step("wrap", () => "wrapped", { repeatable: true }));
  const long = workflow({ name: "ledger", input: z.any() }, async (ctx, input) => {
    for (let i = 0; i < Number(input ?? 900); i++) await ctx.step(`row ${i}`, () => i, { repeatable: true });
  });
  return { order, payout, refund, review, remind, flaky, odd, etl, parent, delivery, remindSoon, long } as unknown as Record<
    string,
    AnyWorkflow
  >;
}
