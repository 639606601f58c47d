// The `pawl` command as a real process, in a folder of its own: arguments and standard input in, exit code and both streams
// out. Whatever a test forgets to end is killed by `endAll`, by process id. No test may rely on how long a child takes.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type RunView } from "../../src/client.ts";
import { openConnection } from "../../src/store/sqlite/wire/driver.ts";
import { canBeHosted, runHosted } from "./command-hosts.ts";
import { compiledTree } from "../support/compiled-tree.ts";

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves once one of the streams holds `text`; rejects when the process ends without it. */
  saw(text: string): Promise<void>;
}

const alive = new Set<ChildProcess>();
const folders: string[] = [];
const main = join(compiledTree(), "src/cli/main.js");
const bare = ["PAWL_SEAL_KEY", "PAWL_STORE", "PAWL_CRASH", "PAWL_LOG", "PAWL_DEBUG", "FORCE_COLOR", "NO_COLOR"];

function environment(): NodeJS.ProcessEnv {
  const around: NodeJS.ProcessEnv = { ...process.env };
  for (const name of bare) delete around[name];
  return around;
}

export class CliFolder {
  readonly dir: string = mkdtempSync(join(tmpdir(), "pawl-cli-"));

  constructor(files: Readonly<Record<string, string>> = {}) {
    folders.push(this.dir);
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.dir, name), text);
  }

  /** Changes the store behind Pawl's back. The command before may still be closing the file: this waits for it. */
  async tamper(...statements: readonly string[]): Promise<void> {
    const db = await openConnection(join(this.dir, ".pawl/state.db"));
    db.exec("pragma busy_timeout = 60000");
    for (const text of statements) db.exec(text);
    db.close();
  }

  start(args: readonly string[], env: Readonly<Record<string, string>> = {}, stdin?: string): Running {
    const child = spawn(process.execPath, [main, ...args], { cwd: this.dir, env: { ...environment(), ...env } });
    alive.add(child);
    let out = "";
    let err = "";
    let over = false;
    const waiting = new Set<() => void>();
    const told = (): void => {
      for (const w of waiting) w();
    };
    child.stdout.on("data", (d: Buffer) => ((out += String(d)), told()));
    child.stderr.on("data", (d: Buffer) => ((err += String(d)), told()));
    child.stdin.on("error", () => {});
    child.stdin.end(stdin ?? "");
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => {
        alive.delete(child);
        over = true;
        told();
        resolve({ code, out, err });
      });
    });
    const saw = (text: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (out.includes(text) || err.includes(text)) resolve();
          else if (over) reject(new Error(`the process ended without "${text}": ${out} ${err}`));
          else return;
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      });
    return { child, ended, saw };
  }

  /** A short command shares its process with others before it; one that `start` begins has its own. */
  pawl(...args: string[]): Promise<Ended> {
    return canBeHosted(args) ? runHosted(args, this.dir, environment()) : this.start(args).ended;
  }

  /** Many commands, a few at a time; their ends in order. */
  async all(commands: readonly (readonly string[])[]): Promise<Ended[]> {
    const ends: Ended[] = [];
    for (let i = 0; i < commands.length; i += 4) ends.push(...(await Promise.all(commands.slice(i, i + 4).map((c) => this.pawl(...c)))));
    return ends;
  }

  /** The command's --json answer; fails loudly when the command does. */
  async json<T = any>(...args: string[]): Promise<T> {
    const { code, out, err } = await this.pawl(...args, "--json");
    if (code !== 0) throw new Error(`pawl ${args.join(" ")} ended with ${code}: ${err}`);
    return JSON.parse(out) as T;
  }

  /** Asks the store until the run is as wanted: a fact that is awaited, not a time. */
  async until(id: string, wanted: (run: RunView) => boolean): Promise<void> {
    const client = await connect({ store: `sqlite:${join(this.dir, ".pawl/state.db")}` });
    try {
      for (;;) {
        const changed = client.waitForChange(undefined, { timeoutMs: 50 });
        const run = await client.get(id);
        await changed;
        if (run !== undefined && wanted(run)) return;
      }
    } finally {
      await client.close();
    }
  }
}

/** For afterEach: nothing outlives its test. */
export async function killCommands(): Promise<void> {
  await Promise.all(
    [...alive].map(
      (c) =>
        new Promise<void>((resolve) => {
          c.once("close", () => resolve());
          c.kill("SIGKILL");
        }),
    ),
  );
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
}

/** Accepts everything: a schema without a library. */
const anything = `const any = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } };\n`;

/** Steps, a signal, an update, an end. */
export const orderFile: string = `import { appendFileSync } from "node:fs";
import { workflow } from "pawl";
${anything}
interface Input { id: string; cents: number }
export const order = workflow(
  { name: "order", version: "3", input: any as never, signals: { approved: any as never }, updates: { address: { input: any as never } } },
  async (ctx, input: Input) => {
    ctx.onUpdate("address", (a: { city: string }) => \`to \${a.city}\` as never);
    await ctx.step("charge", () => appendFileSync("charges", \`\${input?.cents}\\n\`), { key: "order-1", dedup: "1d" });
    const by = (await ctx.receive("approved")) as { by: string };
    return { id: input?.id, by: by.by };
  },
);
`;

/** Ends at once: with a result, or as a failure when asked to. */
export const quickFile: string = `import { workflow } from "pawl";
${anything}
interface Input { fail?: boolean; text?: string; deep?: { n: number } }
export const quick = workflow({ name: "quick", input: any as never }, async (ctx, input: Input | undefined) => {
  const first = await ctx.step("first", () => 1);
  await ctx.step("second", () => {
    if (input?.fail) throw new Error("the bank said no");
  }, { retry: { attempts: 1 } });
  return { first, input };
});
`;
