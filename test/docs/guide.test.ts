// The blocks of the guide and of its pages in docs/guide: all of them type-check against the package, and each is run as the body of a
// workflow with the definitions that the guide opens with. Guards that no page shows code which does not work.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engine, workflow, type Engine } from "../../src/index.ts";

const root = resolve(import.meta.dirname, "../..");
const names = [
  "guide.md",
  "guide/messages.md",
  "guide/transactions.md",
  "guide/children.md",
  "guide/control.md",
  "guide/own-transaction.md",
];
const pages = names.map((name) => readFileSync(join(root, "docs", name), "utf8"));
const [page = ""] = pages;
const blocks = pages
  .flatMap((text) => text.split(/^## /m).slice(1))
  .map((section) => ({ title: section.slice(0, section.indexOf("\n")), code: /^```ts\n([\s\S]*?)^```$/m.exec(section)?.[1] ?? "" }));
const bodies = blocks.filter((b) => b.code !== "");
const head = /^```ts\n(import [\s\S]*?)^```$/m.exec(page)?.[1] ?? "";

/** What the page's readers have of their own. */
const own = `
interface Charge { readonly id: string; readonly cents: number }
const charges = new Map<string, Charge>();
const bank = {
  async charge(o: { cents: number; key: string; signal: AbortSignal }): Promise<Charge> {
    const charge = charges.get(o.key) ?? { id: "ch_1", cents: o.cents };
    charges.set(o.key, charge);
    return charge;
  },
  find: async (key: string): Promise<Charge | undefined> => charges.get(key),
};
const mail = { send: async (to: string, key: string): Promise<string> => to + "/" + key };
`;
const wrapped = bodies.map(
  ({ title, code }, i) =>
    `export const wf${i} = workflow({ name: ${JSON.stringify(title)}, ...definition }, async (ctx, input) => {\n${code}});\n`,
);
const source = head + own + wrapped.join("\n") + "export const used = [Fatal, RetryAfter, StepError];\n";

const expected: Readonly<Record<string, unknown>> = {
  "ctx.step: an effect": "ch_1",
  "Failures and retries": 42,
  Heartbeats: 100,
  "ctx.do: a task": ["ann@example.org/welcome-ann@example.org", "bob@example.org/welcome-bob@example.org"],
  Time: [true, true, 36],
  "Branches and loops": [3, "quick", [300, 300]],
  "Compensation and failing": "ok",
  "Changing code": "shipped",
  Signals: ["ann", "bob"],
  "Updates and views": "unknown",
  "ctx.tx: rows of your own": 2,
  "Undoing a transaction": "taken",
  Children: ["cup in paper", "vase in paper"],
  "Long lives": 3,
};

let dir: string;
let app: Engine;
let workflows: Readonly<Record<string, ReturnType<typeof workflow>>>;
beforeAll(async () => {
  mkdirSync(join(root, "node_modules/.pawl"), { recursive: true });
  dir = mkdtempSync(join(root, "node_modules/.pawl/guide-"));
  writeFileSync(join(dir, "guide.ts"), source.replace('from "pawl"', 'from "../../../src/index.ts"'));
  const settings = {
    extends: join(root, "tsconfig.test.json"),
    include: [join(dir, "guide.ts")],
  };
  writeFileSync(join(dir, "tsconfig.json"), JSON.stringify(settings));
  workflows = (await import(/* @vite-ignore */ join(dir, "guide.ts"))) as typeof workflows;
  app = await engine({ store: `sqlite:${join(dir, "guide.db")}`, log: () => {} });
});
afterAll(async () => {
  await app.stop();
  rmSync(dir, { recursive: true, force: true });
});

describe("the guide", () => {
  it("every block type-checks", () => {
    const tsc = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", dir], { encoding: "utf8" });
    expect(tsc.stdout).toBe("");
  });

  it("every page of the guide is read", () => {
    const there = readdirSync(join(root, "docs/guide")).map((name) => `guide/${name}`);
    expect(names.slice(1).toSorted()).toEqual(there.toSorted());
  });

  it("every block is expected to return something", () => {
    expect(bodies.map((b) => b.title)).toEqual(Object.keys(expected));
  });

  bodies.forEach(({ title }, i) => {
    it.concurrent(`the block under "${title}" runs and returns what it says`, async () => {
      const wf = workflows[`wf${i}`] as never;
      const handle = await app.start(wf, { orderId: `o-${i}` } as never, { id: title });
      if (title === "Signals") for (const by of ["ann", "bob"]) await handle.signal("approved" as never, { by } as never);
      expect(await handle.result()).toEqual(expected[title]);
    });
  });
});
