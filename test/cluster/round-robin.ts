// A client of the cluster that knows only HTTP: each request goes to the next server, and to the one after it when that one does not answer. Every
// request here may be sent twice: reads, and starts with a key. Asked for one server, it waits until that one answers.
import { setTimeout as pause } from "node:timers/promises";

export interface Answer {
  readonly status: number;
  // Tests look into answers freely.
  // oxlint-disable-next-line no-explicit-any
  readonly json: any;
  /** Who answered. */
  readonly server: number;
}

const patienceMs = 60_000;
const endMsMax = 300_000;

export class RoundRobin {
  readonly #urls: readonly string[];
  #turn = 0;
  /** How many runs each server has created. */
  readonly created: number[];

  constructor(urls: readonly string[]) {
    this.#urls = urls;
    this.created = urls.map(() => 0);
  }
  get orchestrators(): number {
    return this.#urls.length;
  }

  /** `server`: this one and no other. */
  async ask(method: "GET" | "POST", path: string, body?: unknown, server?: number): Promise<Answer> {
    const until = Date.now() + patienceMs;
    let at = server ?? this.#turn++ % this.#urls.length;
    for (let n = 0; ; n++) {
      try {
        const response = await fetch(`${this.#urls[at]!}/v1${path}`, {
          method,
          headers: body === undefined ? {} : { "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(40_000),
        });
        const text = await response.text();
        if (response.status !== 503 && response.status !== 429)
          return { status: response.status, json: text === "" ? undefined : JSON.parse(text), server: at };
      } catch (e) {
        if (Date.now() > until) throw e;
      }
      if (Date.now() > until) throw new Error(`${method} ${path}: nobody answers`);
      if (server === undefined) at = (at + 1) % this.#urls.length;
      if (server !== undefined || n % this.#urls.length === 1) await pause(50);
    }
  }

  async start(workflow: string, input: unknown, id: string): Promise<Answer> {
    const answer = await this.ask("POST", "/runs", { workflow, input, id, idempotencyKey: id });
    if (answer.status >= 300) throw new Error(`starting ${id} was answered ${answer.status}: ${JSON.stringify(answer.json)}`);
    if (answer.json.created === true) this.created[answer.server]!++;
    return answer;
  }

  /** Waits until the run has ended; the answer of whoever saw it first. */
  async ended(id: string): Promise<Answer> {
    for (const until = Date.now() + endMsMax; ;) {
      if (Date.now() > until) throw new Error(`${id} did not end in time`);
      const answer = await this.ask("GET", `/runs/${id}/result?wait=20`);
      if (answer.status === 200 && answer.json.status !== undefined && !["RUNNING", "PENDING", "PAUSED"].includes(answer.json.status))
        return answer;
      if (answer.status >= 400 && answer.status !== 408 && answer.status !== 504 && answer.status !== 409)
        throw new Error(`waiting for ${id} was answered ${answer.status}: ${JSON.stringify(answer.json)}`);
    }
  }

  /** The same question to every server at once. */
  everywhere(path: string): Promise<readonly Answer[]> {
    return Promise.all(this.#urls.map((_, i) => this.ask("GET", path, undefined, i)));
  }
}
