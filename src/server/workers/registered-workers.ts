// Workers in other languages as rows of the store: registered, found again by any server of the tenant, renewed by every request. A row never
// changes after it was made, so what is known of a worker is kept; whether it is alive is asked every time (K1).
import type { WorkerHello } from "../../api/types/workers.ts";
import { sameScope } from "../../client/find-run.ts";
import type { Scope } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";
import type { Platform } from "../../platform/platform.ts";
import type { FullStore } from "../../store/full-store.ts";

/** What a worker serves: the tasks as dispatches name them, and its queues. */
export interface KnownWorker {
  readonly tasks: readonly string[];
  readonly queues: readonly string[];
}

export const workerLeaseMs = 10_000;
const keptMax = 10_000;

export class RegisteredWorkers {
  readonly #store: FullStore;
  readonly #scope: Scope;
  readonly #platform: Platform;
  readonly #known = new Map<string, KnownWorker>();

  constructor(store: FullStore, scope: Scope, platform: Platform) {
    this.#store = store;
    this.#scope = scope;
    this.#platform = platform;
  }

  async register(hello: WorkerHello): Promise<string> {
    const workerId = this.#platform.uuidV7();
    const tasks = [...new Set(hello.works.map((w) => (w.version === undefined ? w.task : `${w.task}@${w.version}`)))];
    const queues = Object.keys(hello.queues);
    await this.#store.queues.open(this.#scope, queues);
    await this.#store.registerEngine({
      engineId: workerId,
      leaseMs: workerLeaseMs,
      serves: [],
      scope: this.#scope,
      kind: "remote",
      works: { lang: hello.lang, tasks, queues, labels: hello.labels ?? {} },
    });
    this.#keep(workerId, { tasks, queues });
    return workerId;
  }

  /** Renews the worker's lease; a worker that is dead, unknown or of another tenant is refused alike. */
  async renew(workerId: string): Promise<KnownWorker> {
    const known = await this.known(workerId);
    const answer = known === undefined ? "dead" : await this.#store.renew({ engineId: workerId, leaseMs: workerLeaseMs });
    if (known === undefined || answer === "dead") {
      this.#known.delete(workerId);
      throw new PawlError("PAWL4130", `worker ${workerId} is not registered, or its lease has ended`, { data: { workerId } });
    }
    return known;
  }

  async retire(workerId: string): Promise<void> {
    if ((await this.known(workerId)) === undefined) return;
    await this.#store.declareDead({ self: workerId });
    this.#known.delete(workerId);
  }

  /** What a worker of this tenant serves; undefined: nobody knows it. */
  async known(workerId: string): Promise<KnownWorker | undefined> {
    return this.#known.get(workerId) ?? this.#find(workerId);
  }

  async #find(workerId: string): Promise<KnownWorker | undefined> {
    const { engines } = await this.#store.info();
    const row = engines.find((e) => e.engineId === workerId && e.kind === "remote");
    if (row === undefined || row.scope === null || row.works === undefined || row.works === null || !sameScope(row.scope, this.#scope))
      return undefined;
    const known = { tasks: row.works.tasks, queues: row.works.queues };
    this.#keep(workerId, known);
    return known;
  }

  #keep(workerId: string, known: KnownWorker): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= keptMax && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(workerId, known);
  }
}
