// `pawl dev --json` as a real process: its news as they come, a client on its port, and edits of its files. Whatever a test forgets to end is killed by
// `killCommands`; children end with their supervisor.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type HttpClient } from "../../src/http.ts";
import { CliFolder, type Running } from "../cli/pawl-process.ts";

export type News = { readonly event: string } & Readonly<Record<string, any>>;

export class DevProcess {
  readonly folder: CliFolder;
  readonly running: Running;
  readonly #news: News[] = [];
  readonly #waiting = new Set<() => void>();
  #over = false;
  #rest = "";
  #taken = 0;

  constructor(files: Readonly<Record<string, string>>, args: readonly string[] = ["./order.ts"]) {
    this.folder = new CliFolder(files);
    this.running = this.folder.start(["dev", ...args, "--json", "--listen", "127.0.0.1:0"]);
    this.running.child.stdout?.on("data", (d: Buffer) => {
      const lines = (this.#rest + String(d)).split("\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) this.#news.push(JSON.parse(line) as News);
      this.#tell();
    });
    void this.running.ended.then(() => {
      this.#over = true;
      this.#tell();
    });
  }

  /** The next one that fits, after those that were asked for before. */
  next(fits: (n: News) => boolean): Promise<News> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const at = this.#news.findIndex((n, i) => i >= this.#taken && fits(n));
        if (at < 0 && !this.#over) return;
        this.#waiting.delete(look);
        if (at < 0) return reject(new Error(`pawl dev ended; it said ${JSON.stringify(this.#news)}`));
        this.#taken = at + 1;
        resolve(this.#news[at]!);
      };
      this.#waiting.add(look);
      look();
    });
  }

  event(name: string): Promise<News> {
    return this.next((n) => n.event === name);
  }

  all(name: string): readonly News[] {
    return this.#news.filter((n) => n.event === name);
  }

  session(): { readonly url: string; readonly token: string; readonly pid: number } {
    return JSON.parse(readFileSync(join(this.folder.dir, ".pawl/dev.json"), "utf8")) as never;
  }

  client(): Promise<HttpClient> {
    const { url, token } = this.session();
    return connect({ url, token });
  }

  async ask(path: string, body: unknown = {}): Promise<{ readonly status: number; readonly body: any }> {
    const { url, token } = this.session();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  }

  async stop(): Promise<number | null> {
    this.running.child.kill("SIGTERM");
    return (await this.running.ended).code;
  }

  #tell(): void {
    for (const w of this.#waiting) w();
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A dead child of a dead parent waits for init to notice; it runs no more.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** Waits for a fact that nobody announces. */
export async function until(fact: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await fact())) await new Promise((resolve) => setTimeout(resolve, 50));
}
