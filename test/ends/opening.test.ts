// What run(), engine() and connect() say of the store they open and of the runs they find there. A store that was not named is an
// error where it matters; no line in the log has a password; nobody's run is gone on with in silence.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connect } from "../../src/client.ts";
import { openEngine } from "../../src/client/engine.ts";
import type { Environment } from "../../src/client/environment.ts";
import { runOnce } from "../../src/client/run.ts";
import { withoutPassword } from "../../src/core/store-url.ts";
import { engine, run, workflow } from "../../src/index.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { proves } from "../support/proves.ts";

const quick = workflow({ name: "quick" }, async (ctx) => ctx.step("s", () => "done"));

describe("a store that was not named", () => {
  afterEach(() => vi.unstubAllEnvs());
  const code = (p: Promise<unknown>): Promise<unknown> =>
    p.then(
      () => "opened",
      (e: { code: string }) => e.code,
    );

  it("is refused when it is an empty text, and in production when it is undefined, before anything is opened", async () => {
    for (const store of ["", "  "]) {
      expect(await code(engine({ store }))).toBe("PAWL4071");
      expect(await code(run(quick, undefined, { store }))).toBe("PAWL4071");
      expect(await code(connect({ store }))).toBe("PAWL4071");
    }
    await expect(engine({ store: "" })).rejects.toThrow("such as DATABASE_URL");
    vi.stubEnv("NODE_ENV", "production");
    const unset = { store: process.env["PAWL_TEST_NOT_SET"] as string };
    expect(await code(engine(unset))).toBe("PAWL4071");
    expect(await code(run(quick, undefined, unset))).toBe("PAWL4071");
    expect(await code(connect(unset))).toBe("PAWL4071");
    vi.stubEnv("PAWL_STORE", "");
    expect(await code(engine({}))).toBe("PAWL4071");
  });

  it("is the nearest one when the option is left out, or is undefined outside production", async () => {
    const opened: (string | undefined)[] = [];
    const platform = systemPlatform();
    const around = (production: boolean): Environment => ({
      platform,
      log: () => {},
      production,
      nearest: () => "nearest:",
      open: async (url) => {
        opened.push(url);
        return memoryStore(platform);
      },
    });
    for (const [production, o] of [
      [true, {}],
      [false, {}],
      [false, { store: undefined as never }],
    ] as const)
      await (await openEngine(around(production), o)).engine.stop();
    expect(opened).toEqual(["nearest:", "nearest:", "nearest:"]);
  });
});

it("which store was opened stands in the log at info, without its password", async () => {
  const platform = systemPlatform();
  const lines: string[] = [];
  const around: Environment = {
    platform,
    log: (level, message) => void lines.push(`${level}: ${message}`),
    open: async () => memoryStore(platform),
  };
  await (await openEngine(around, { store: "postgres://ann:secret@db.example/app" })).engine.stop();
  await (await openEngine(around, { store: memoryStore(platform) })).engine.stop();
  await runOnce(around, quick, undefined, { store: "mysql://ann:secret@db.example/app" });
  expect(lines).toEqual([
    "info: store: postgres://ann:***@db.example/app",
    "info: store: memory, as it was given",
    "info: store: mysql://ann:***@db.example/app",
  ]);
  expect(withoutPassword("postgres://db/app?user=ann&password=secret")).not.toContain("secret");
});

describe.each(testStores)("run() on %s", (_, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
  });
  afterEach(() => b.close());

  it("says which other unfinished runs it goes on with, and which it leaves", proves("I12"), async () => {
    const done: string[] = [];
    const parcel = workflow({ name: "parcel" }, async (ctx) => ctx.step("s", () => void done.push(ctx.run.workflowId)));
    const client = b.client();
    for (const id of ["a", "b"]) await client.start({ workflow: "parcel", allowUnknown: true, id });
    await client.start({ workflow: "foreign", allowUnknown: true, id: "f" });
    const lines: string[] = [];
    const around: Environment = {
      platform: b.platform,
      log: (level, message) => void lines.push(`${level}: ${message}`),
      open: () => b.reopen(),
    };
    await runOnce(around, parcel, undefined, { id: "mine", store: "here:" });
    const others = lines.filter((x) => x.startsWith("warn"));
    expect(others.find((x) => x.includes("of workflow foreign"))).toBe(
      "warn: skipped 1 unfinished run of workflow foreign: this process does not have its code",
    );
    const goesOn = others.find((x) => x.includes("of workflow parcel"));
    expect(goesOn).toMatch(
      /^warn: besides mine, this process continues 2 unfinished runs of workflow parcel, unless another engine has them: /,
    );
    for (const id of ["a", "b"]) expect(goesOn).toContain(id);
    expect(done).toContain("mine");
    lines.length = 0;
    await runOnce(around, quick, undefined, { id: "alone", store: "here:" });
    expect(lines.filter((x) => x.includes("goes on"))).toEqual([]);
  });

  it("a value that cannot be stored is named by its step, its path and its class", proves("K12"), async () => {
    class Money {
      readonly cents = 1;
    }
    const wf = workflow({ name: "wf" }, (ctx) => ctx.step("price", () => ({ items: [{ sum: new Money() }] })));
    const { engine: e } = await b.engine({ workflows: [wf] });
    await expect(e.run(wf, undefined, { id: "w" })).rejects.toThrow(
      "result of step price.items[0].sum: an object of class Money cannot be stored",
    );
  });
});
