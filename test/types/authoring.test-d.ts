// Type tests of what users write: everything infers end to end, and contradictions do not compile. `npm run types` compiles
// this file and nothing ever runs it, so that a line marked as an error which no longer is one fails the check.
import type { PoolClient } from "pg";
import { z } from "zod";
import {
  engine,
  NotSent,
  run,
  task,
  workflow,
  type DecisionView,
  type EffectView,
  type Proof,
  type ResourceVerifier,
  type Tx,
  type TxClient,
} from "../../src/index.ts";
import { fileVerifier, placeholderVerifier } from "../../src/verifiers.ts";

type Eq<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(_proof?: T): void => {};

interface Charge {
  id: string;
  amount: number;
}
declare const bank: {
  charge(p: { amount: number; key: string; signal: AbortSignal }): Promise<Charge>;
  find(key: string): Promise<Charge | null>;
  refund(id: string): Promise<void>;
};

// The smallest workflow.
export const hello = workflow({ name: "hello" }, async (ctx) => {
  const n = await ctx.step("roll", () => 4);
  is<Eq<typeof n, number>>();
  await ctx.sleep("nap", "2s");
  return { n, at: ctx.now().toISOString() };
});

// A payment, with every declared member.
export const order = workflow(
  {
    name: "order",
    input: z.object({ orderId: z.string(), cents: z.number().int().default(100) }),
    id: (i) => i.orderId,
    signals: { approved: z.object({ by: z.string() }) },
    updates: {
      setAddress: { input: z.object({ city: z.string() }), output: z.object({ ok: z.boolean() }) },
      nudge: { input: z.object({}) },
    },
    views: { status: z.enum(["new", "charged", "shipped"]) },
  },
  async (ctx, input) => {
    is<Eq<typeof input.cents, number>>();
    ctx.onUpdate("setAddress", (a) => ({ ok: a.city.length > 0 }));
    ctx.onUpdate("nudge", () => {});
    const stock = await ctx.tx(
      "reserve",
      async (db) => (await db.sql<{ n: number }>`update stock set n = n - 1 where sku = ${"a"}`).changes,
    );
    is<Eq<typeof stock, number>>();
    await ctx.tx("hold", async (db) => ({ held: (await db.sql`update stock set n = n - 1`).changes }), {
      compensate: async (result, db) => {
        is<Eq<typeof result, { held: number }>>();
        await db.sql`update stock set n = n + ${result.held}`;
      },
    });
    await ctx.tx(
      "client",
      async (db: Tx<PoolClient>) => {
        is<Eq<typeof db.client, PoolClient>>();
        return (await db.client.query<{ n: number }>("select n from stock")).rows.length;
      },
      { compensate: async (n, db) => is<Eq<typeof db.client, PoolClient>>() },
    );
    await ctx.tx("any client", (db) => is<Eq<typeof db.client, TxClient>>());
    // @ts-expect-error a transaction is undone by one, never by an effect with options of its own
    await ctx.tx("hold", () => 1, { compensate: { undo: () => {} } });
    // @ts-expect-error the result of the transaction is a number
    await ctx.tx("hold", () => 1, { compensate: (r: string) => r });
    // @ts-expect-error the class of a transaction is known
    await ctx.tx("hold", () => 1, { once: true });
    const charge = await ctx.step("charge", (s) => bank.charge({ amount: input.cents, key: s.key, signal: s.signal }), {
      key: `order-${input.orderId}`,
      dedup: "24h",
      verify: async (s) => {
        const c = await bank.find(s.key);
        return c ? { state: "completed-with-result", result: c } : { state: "not-completed" };
      },
      compensate: (c) => bank.refund(c.id),
      retry: { attempts: 5 },
      timeout: "30s",
    });
    is<Eq<typeof charge, Charge>>();
    ctx.publish("status", "charged");
    // @ts-expect-error not a declared status
    ctx.publish("status", "nope");
    const ok = await ctx.receive("approved", { timeout: "3d" });
    is<Eq<typeof ok, { by: string } | undefined>>();
    // @ts-expect-error no such signal
    await ctx.receive("aproved");
    const lines = await ctx.map("ship", ["a", "b"], { key: (x) => x, concurrency: 2 }, async (sku, c) => c.step("label", () => ({ sku })));
    is<Eq<typeof lines, { sku: string }[]>>();
    return { chargeId: charge.id, by: ok?.by ?? null };
  },
);

export async function starting(): Promise<void> {
  const h = await run(hello);
  is<Eq<typeof h, { n: number; at: string }>>();
  const app = await engine({ store: "sqlite:./x.db", workflows: [order] });
  const started = await app.start(order, { orderId: "o1" });
  is<Eq<typeof started.created, boolean>>();
  const accepted = await started.signal("approved", { by: "ann" }, { signalId: "mail-77" });
  is<Eq<typeof accepted.result.accepted, true>>();
  // @ts-expect-error wrong payload
  await started.signal("approved", { who: "ann" });
  const updated = await started.update("setAddress", { city: "x" }, { updateId: "u1" });
  is<Eq<typeof updated, { ok: boolean }>>();
  const nothing = await started.update("nudge", {});
  is<Eq<typeof nothing, void>>();
  const view = await started.view("status");
  is<Eq<typeof view, "new" | "charged" | "shipped" | undefined>>();
  const result = await started.result();
  is<Eq<typeof result, { chargeId: string; by: string | null }>>();
  // @ts-expect-error the input is checked
  await app.start(order, { orderId: 3 });
  const found = await app.get(order, "o1");
  is<Eq<typeof found extends undefined ? true : false, false>>();
}

export const contradictions = workflow({ name: "bad" }, async (ctx) => {
  // @ts-expect-error once and key contradict each other
  await ctx.step("x", () => 1, { once: true, key: "k" });
  // @ts-expect-error once and repeatable contradict each other
  await ctx.step("r", () => 1, { once: true, repeatable: true });
  // @ts-expect-error a boolean is not a verdict
  await ctx.step("y", () => 1, { key: "k", verify: async () => true });
  // @ts-expect-error a dedup window means nothing without a key
  await ctx.step("z", () => 1, { dedup: "24h" });
  // @ts-expect-error not a duration
  await ctx.sleep("s", "10 parsecs");
});

// A compensation declares its own guarantee; the result that it undoes is inferred.
export const undoing = workflow({ name: "undoing" }, async (ctx) => {
  const charge = await ctx.step("charge", () => ({ id: "c", amount: 5 }), {
    key: "k",
    compensate: {
      undo: (c, s) => (is<Eq<typeof c, Charge>>(), bank.charge({ amount: -c.amount, key: s.key, signal: s.signal })),
      key: (c) => `refund-${c.id}`,
      dedup: "24h",
      verify: async (c, s) =>
        (await bank.find(`${c.id}${s.key}`)) === null ? { state: "not-completed" } : { state: "completed-with-result", result: c.id },
      timeout: "5s",
      retry: { attempts: 3 },
    },
  });
  is<Eq<typeof charge, Charge>>();
  // @ts-expect-error once and key contradict each other
  await ctx.step("a", () => 1, { compensate: { undo: () => 1, once: true, key: () => "k" } });
  // @ts-expect-error a dedup window means nothing without a key
  await ctx.step("b", () => 1, { compensate: { undo: () => 1, dedup: "1d" } });
  // @ts-expect-error the key is made from what is undone
  await ctx.step("c", () => 1, { compensate: { undo: () => 1, key: "k" } });
  // @ts-expect-error something must undo it
  await ctx.step("d", () => 1, { compensate: { once: true } });
});
export const undoneTask = task({ name: "undone", input: z.object({ to: z.string() }) }, (i) => i.to.length, {
  compensate: {
    undo: (length, i) => is<Eq<[typeof length, typeof i.to], [number, string]>>(),
    key: (length, i) => `${length}-${i.to}`,
    verify: async (length, i) => (i.to.length === length ? { state: "not-completed" } : { state: "indeterminate" }),
  },
});

// @ts-expect-error the same for tasks
task({ name: "bad", input: z.object({}) }, async () => 1, { once: true, key: () => "k", dedup: "1h" });

export const email = task({ name: "email", input: z.object({ to: z.string() }) }, async (i) => ({ sent: i.to }), {
  key: (i) => `mail:${i.to}`,
  compensate: (r) => r.sent.length,
});

// Confirmation: the verifier knows the task's input and result, whether it is written in place or made by pawl/verifiers.
export const file = task({ name: "file", input: z.object({ path: z.string() }) }, async (i) => ({ sha256: i.path }), {
  repeatable: true,
  confirm: {
    verifier: {
      name: "mine",
      check: async (i, r, s) => {
        is<Eq<typeof i, { path: string }>>();
        is<Eq<typeof r, { sha256: string }>>();
        return s.signal.aborted ? { matches: true } : { matches: false, reason: i.path + r.sha256 };
      },
    },
  },
});
const digest: ResourceVerifier<{ path: string }, { sha256: string }> = fileVerifier({ path: (i) => i.path, sha256: (_i, r) => r.sha256 });
const input = z.object({ path: z.string() });
task({ name: "f1", input }, (i) => ({ sha256: i.path }), { confirm: { mode: "human", verifier: digest } });
task({ name: "f2", input }, (i) => ({ sha256: i.path }), { confirm: { mode: "warn", verifier: placeholderVerifier() } });
// @ts-expect-error: the verifier is for another result
task({ name: "f3", input }, (i) => ({ size: i.path.length }), { confirm: { verifier: digest } });
// @ts-expect-error: not a mode
task({ name: "f4", input }, (i) => ({ sha256: i.path }), { confirm: { mode: "maybe", verifier: digest } });
// @ts-expect-error: a boolean is no answer
task({ name: "f5", input }, (i) => i, { confirm: { verifier: { name: "v", check: async () => true } } });
// @ts-expect-error: what does not match has a reason
task({ name: "f6", input }, (i) => i, { confirm: { verifier: { name: "v", check: async () => ({ matches: false }) } } });

export const parent = workflow({ name: "parent" }, async (ctx) => {
  const m = await ctx.do(email, { to: "a@b" });
  is<Eq<typeof m, { sent: string }>>();
  // @ts-expect-error the task's input is checked
  await ctx.do(email, { too: "a" });
  const c = await ctx.call(order, { orderId: "z" });
  is<Eq<typeof c, { chargeId: string; by: string | null }>>();
  const child = await ctx.start(order, { orderId: "y" }, { id: "y" });
  await child.signal("approved", { by: "p" });
  const [a, b] = await Promise.all([ctx.step("a", () => 1), ctx.step("b", async () => "x")]);
  is<Eq<typeof a, number>>();
  is<Eq<typeof b, string>>();
  return m.sent;
});

// Effects, decisions and proofs.
export async function effects(): Promise<void> {
  const app = await engine({ workflows: [order], ledger: "all", requireTwoApprovers: true });
  const page = await app.effects({ key: "order-1", class: "KEYED", status: "indeterminate", phase: "doubt" });
  is<Eq<(typeof page.effects)[number], EffectView>>();
  // @ts-expect-error: not one of the record's statuses
  await app.effects({ status: "started" });
  const [decision] = await app.decisions();
  is<Eq<typeof decision, DecisionView | undefined>>();
  const who = { by: "ann", reason: "asked the bank" };
  await app.resolve("id", { ...who, happened: true, result: { ref: 1 } });
  await app.resolve("id", { ...who, happened: false });
  await app.resolve("id", { ...who, fail: true });
  await app.resolve("id", { ...who, retry: true });
  await app.resolve("id", { ...who, accept: true });
  // @ts-expect-error: an answer says who
  await app.resolve("id", { reason: "x", fail: true });
  // @ts-expect-error: an answer says what
  await app.resolve("id", who);
  // @ts-expect-error: a step is given up or it is not
  await app.resolve("id", { ...who, fail: false });
  const handle = await app.start(order, { orderId: "o" });
  is<Eq<Awaited<ReturnType<typeof handle.proof>>, Proof>>();
  // @ts-expect-error: the ledger keeps what is declared, or all
  await engine({ ledger: "none" });
  throw new NotSent("nothing left this process");
}

// Approval: a switch, a text, or a function of the parsed input; the decision and its answers are typed.
export const approved = task({ name: "approved", input: z.object({ cents: z.number().default(1) }) }, (i) => i.cents, {
  once: true,
  approve: (i) => {
    is<Eq<typeof i, { cents: number }>>();
    return i.cents > 100 && `pay ${i.cents}?`;
  },
});
export const approvals = workflow({ name: "approvals" }, async (ctx) => {
  await ctx.step("always", () => 1, { approve: true });
  await ctx.step("told", () => 1, { key: "k", approve: "may it?", input: { a: 1 } });
  // @ts-expect-error an approval is not a number
  await ctx.step("wrong", () => 1, { approve: 1 });
  // @ts-expect-error a promise is no answer: it is asked for before anything is recorded
  await ctx.step("late", () => 1, { approve: async () => true });
});
export async function approves(d: DecisionView): Promise<void> {
  const app = await engine({ store: "memory:", workflows: [approvals] });
  if (d.kind === "approval") await app.resolve(d.decisionId, { by: "ann", reason: "looked", approve: true });
  await app.resolve(d.decisionId, { by: "ann", reason: d.approval?.name ?? "", refuse: true });
  // @ts-expect-error who is missing
  await app.resolve(d.decisionId, { reason: "looked", approve: true });
}
