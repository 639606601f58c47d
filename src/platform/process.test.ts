// Tests of what surrounds a run in its process: unhandled rejections, the asynchronous context, the terminal, and the
// import of users' files. Each fact is checked in a real child process where the process itself is what is tested.
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compileFolder } from "../../test/support/compile-folder.ts";
import { RunContext } from "./run-context.ts";
import { colourAllowed } from "./terminal.ts";
import { proves } from "../../test/support/proves.ts";

const compiled = compileFolder(import.meta.dirname);
const dir = compiled.dir;
afterAll(() => compiled.remove());

interface Ended {
  code: number | null;
  signal: string | null;
  out: string;
  err: string;
}

async function child(
  body: string,
  opts: { env?: Record<string, string>; input?: string; onOut?: (pid: number, out: string) => void } = {},
): Promise<Ended> {
  const c = spawn(process.execPath, [compiled.script(body), "one", "--two"], { env: { ...process.env, ...opts.env } });
  const ended: Ended = { code: null, signal: null, out: "", err: "" };
  c.stdout.on("data", (d) => {
    ended.out += String(d);
    opts.onOut?.(c.pid ?? 0, ended.out);
  });
  c.stderr.on("data", (d) => (ended.err += String(d)));
  c.stdin.end(opts.input ?? "");
  await new Promise<void>((done) =>
    c.on("close", (code, signal) => {
      ended.code = code;
      ended.signal = signal;
      done();
    }),
  );
  return ended;
}

describe("unhandled rejections", () => {
  const imports = `import { onUnhandledRejection } from "./unhandled-rejections.mjs";\n`;

  it("an owned rejection does not end the process", proves("K16"), async () => {
    const e = await child(
      `${imports}onUnhandledRejection((r) => { console.log("mine", r.message); return true; });
Promise.reject(new Error("boom")); setTimeout(() => console.log("alive"), 20);`,
    );
    expect([e.code, e.out]).toEqual([0, "mine boom\nalive\n"]);
  });

  it("a rejection that nobody owns ends the process as it would without Pawl", proves("K16"), async () => {
    const e = await child(
      `${imports}onUnhandledRejection(() => false);\nPromise.reject(new Error("boom")); setTimeout(() => console.log("alive"), 200);`,
    );
    expect([e.code, e.out]).toEqual([1, ""]);
    expect(e.err).toContain("boom");
  });

  it("another listener of the process keeps its say over rejections that nobody owns", proves("K16"), async () => {
    const e = await child(
      `${imports}process.on("unhandledRejection", (r) => console.log("theirs", r.message));
onUnhandledRejection(() => false); Promise.reject(new Error("boom")); setTimeout(() => console.log("alive"), 20);`,
    );
    expect([e.code, e.out]).toEqual([0, "theirs boom\nalive\n"]);
  });

  it("the listener leaves with its last subscriber", proves("K16"), async () => {
    const e = await child(
      `${imports}const n = () => process.listenerCount("unhandledRejection");
const a = onUnhandledRejection(() => true); const b = onUnhandledRejection(() => true);
const during = n(); a(); a(); const one = n(); b(); console.log(during, one, n());`,
    );
    expect(e.out).toBe("1 1 0\n");
  });
});

describe("the run context", () => {
  it("a value follows its own chain of calls and no other", proves("K16"), async () => {
    const context = new RunContext<string>();
    const seen = await Promise.all(
      ["a", "b"].map((v) => context.run(v, async () => [await Promise.resolve().then(() => context.current()), context.current()])),
    );
    expect(seen).toEqual([
      ["a", "a"],
      ["b", "b"],
    ]);
    expect(context.current()).toBeUndefined();
  });
});

describe("the terminal", () => {
  it("a command reads its arguments, environment and input, and ends with the code it set", async () => {
    const e = await child(
      `import * as t from "./terminal.mjs";
t.writeOut(JSON.stringify([t.argv(), t.env("PAWL_TEST_X"), t.env("PAWL_TEST_NONE"), await t.readStdin(), t.isTty("out"), t.columns()]));
t.writeErr("to err"); t.setExitCode(3);`,
      { env: { PAWL_TEST_X: "x" }, input: "füt" },
    );
    expect(JSON.parse(e.out)).toEqual([["one", "--two"], "x", null, "füt", false, 80]);
    expect([e.code, e.err]).toEqual([3, "to err"]);
  });

  it("an interrupt is given to the listener until it is cancelled", async () => {
    let sent = 0;
    const e = await child(
      `import { onInterrupt, writeOut } from "./terminal.mjs";
const alive = setInterval(() => {}, 1000);
const cancel = onInterrupt((s) => { writeOut(s + "\\n"); cancel(); writeOut("again\\n"); });
writeOut("ready\\n");`,
      {
        onOut: (pid, out) => {
          const want = out.includes("again") ? 2 : out.includes("ready") ? 1 : 0;
          if (sent < want) process.kill(pid, sent++ === 0 ? "SIGTERM" : "SIGINT");
        },
      },
    );
    expect([e.out, e.signal]).toEqual(["ready\nSIGTERM\nagain\n", "SIGINT"]);
  });

  it("NO_COLOR forbids colour and FORCE_COLOR demands it", () => {
    const saved = { no: process.env["NO_COLOR"], force: process.env["FORCE_COLOR"] };
    try {
      process.env["FORCE_COLOR"] = "1";
      delete process.env["NO_COLOR"];
      expect(colourAllowed("out")).toBe(true);
      process.env["NO_COLOR"] = "1";
      expect(colourAllowed("out")).toBe(false);
      delete process.env["NO_COLOR"];
      process.env["FORCE_COLOR"] = "0";
      expect(colourAllowed("out")).toBe(false);
    } finally {
      for (const [name, value] of [
        ["NO_COLOR", saved.no],
        ["FORCE_COLOR", saved.force],
      ] as const) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });
});

describe("importing a user's file", () => {
  it("a TypeScript file and the .ts and .mjs files that it imports load on this Node", async () => {
    const user = mkdtempSync(join(dir, "user-"));
    writeFileSync(
      join(user, "price.ts"),
      `export interface Price { cents: number }\nexport const price = (c: number): Price => ({ cents: c });\n`,
    );
    writeFileSync(join(user, "deep.mjs"), `export const deep = 7;\n`);
    writeFileSync(
      join(user, "order.ts"),
      `import { price, type Price } from "./price.ts";\nimport { deep } from "./deep.mjs";\nexport const total: Price = price(deep satisfies number);\n`,
    );
    const e = await child(`import { importFile } from "./modules.mjs";
console.log(JSON.stringify((await importFile(${JSON.stringify(join(user, "order.ts"))})).total));`);
    expect([e.err, e.out]).toEqual(["", '{"cents":7}\n']);
  });

  it("a file with a syntax error is named in what is thrown", async () => {
    writeFileSync(join(dir, "broken.ts"), "export const = 3;\n");
    const e = await child(`import { importFile } from "./modules.mjs";
await importFile(${JSON.stringify(join(dir, "broken.ts"))}).then(() => console.log("loaded"), (x) => console.log(x.name, String(x.stack).includes("broken.ts")));`);
    expect(e.out).toMatch(/^SyntaxError/);
  });

  it("a specifier that is known only at run time is imported", async () => {
    const e = await child(`import { dynamicImport } from "./modules.mjs"; console.log(typeof (await dynamicImport("node:path")).join);`);
    expect(e.out).toBe("function\n");
  });
});
