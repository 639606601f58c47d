// Two clients of the same runs: one on the store, one over HTTP, on a real socket; and the engine beside the server or in a process of its own. Answers are
// compared without what no two calls share: times and ids that were made for one of them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type Client, type HttpClient } from "../../src/client.ts";
import { contextOfEngine } from "../../src/client/engine.ts";
import { localClient } from "../../src/client/local-client.ts";
import { engine, type PawlError } from "../../src/index.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { server } from "../../src/server.ts";
import { dropDatabase, freshDatabase } from "../mysql/bundle.ts";
import { dropSchema, freshPlace } from "../postgres/bundle.ts";
import { startChild } from "../support/child-process.ts";
import { sharedMariadb, skipsWithoutMariadb } from "../support/mariadb.ts";
import { shop } from "./programs/shop.ts";

export interface ClientBench {
  readonly local: Client;
  readonly http: HttpClient;
  readonly url: string;
  close(): Promise<void>;
}

type Make = () => Promise<ClientBench>;

interface StorePlace {
  readonly store: string;
  remove(): void | Promise<void>;
}
const sqlite = async (): Promise<StorePlace> => {
  const dir = mkdtempSync(join(tmpdir(), "pawl-clients-"));
  return { store: `sqlite:${join(dir, "s.db")}`, remove: () => rmSync(dir, { recursive: true, force: true }) };
};
const postgres = async (): Promise<StorePlace> => {
  const { url, schema } = await freshPlace();
  return { store: url, remove: () => dropSchema(url, schema) };
};
const mysql = async (): Promise<StorePlace> => {
  const url = await freshDatabase(await sharedMariadb());
  return { store: url, remove: () => dropDatabase(url) };
};

async function beside(store: string | ReturnType<typeof memoryStore>, remove: StorePlace["remove"]): Promise<ClientBench> {
  const app = await engine({ store, workflows: shop, log: () => {} });
  const api = await server({ engine: app, auth: "open", log: () => {} });
  const { url } = await api.listen({ port: 0 });
  // In process, and with the workflows' code, as the server has it.
  const local = localClient(contextOfEngine(app));
  const http = await connect({ url });
  const close = async (): Promise<void> => {
    await http.close();
    await api.stop();
    await app.stop();
    await remove();
  };
  return { local, http, url, close };
}

async function elsewhere({ store, remove }: StorePlace): Promise<ClientBench> {
  const local = await connect({ store });
  const api = await server({ store, tenant: "default/default/default", auth: "open", log: () => {} });
  const { url } = await api.listen({ port: 0 });
  const http = await connect({ url });
  const child = startChild("test/clients/programs/shop.js", { env: { STORE_OF_SHOP: store } });
  await child.waitForLine("ready");
  const close = async (): Promise<void> => {
    await http.close();
    await api.stop();
    child.signal("SIGKILL");
    await child.ended;
    await local.close();
    await remove();
  };
  return { local, http, url, close };
}

const besideIn =
  (place: () => Promise<StorePlace>): Make =>
  async () => {
    const { store, remove } = await place();
    return beside(store, remove);
  };
const inMemory: Make = () => beside(memoryStore(systemPlatform()), () => {});
const elsewhereIn =
  (place: () => Promise<StorePlace>): Make =>
  async () =>
    elsewhere(await place());

/** A memory store has no other process. */
export const clientBenches: readonly (readonly [string, Make])[] = [
  ["memory, engine beside the server", inMemory],
  ["sqlite, engine beside the server", besideIn(sqlite)],
  ["sqlite, engine in another process", elsewhereIn(sqlite)],
  ["postgres, engine beside the server", besideIn(postgres)],
  ["postgres, engine in another process", elsewhereIn(postgres)],
  ...(skipsWithoutMariadb()
    ? []
    : ([
        ["mysql, engine beside the server", besideIn(mysql)],
        ["mysql, engine in another process", elsewhereIn(mysql)],
      ] as const)),
];

/** An answer or an error as a value that can be compared; `traceId` is the server's own addition. */
export async function outcomeOf(p: () => unknown): Promise<unknown> {
  try {
    return { answer: await p() };
  } catch (thrown) {
    const e = thrown as PawlError;
    const { traceId: _, ...data } = (e.data ?? {}) as Record<string, unknown>;
    return {
      error: {
        name: e.name,
        code: e.code,
        page: e.page,
        outcome: e.outcome,
        fix: e.fix,
        data,
        ...(e.page === undefined ? { message: e.message } : {}),
      },
    };
  }
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(:\d+)?/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** How many events a run has by now depends on how far its engine is. */
const moving = ["headSeq", "updatedAt"];

/** Without times and made-up ids; `mine` is the id that the test gave to its own runs, which differ by client. */
export function alike(value: unknown, mine: string): unknown {
  if (typeof value === "string") return value.replaceAll(mine, "MINE").replaceAll(uuid, "UUID").replaceAll(time, "TIME");
  if (typeof value !== "object" || value === null || value instanceof Date || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((v) => alike(v, mine));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, moving.includes(k) ? typeof v : alike(v, mine)]));
}
