// Entry-point plumbing: the real machine, the stores that can be named by a URL, where the nearest store is, and the
// default logger. The only file that knows both the engine's side and the stores' folders.
import { PawlError } from "./errors/error.ts";
import type { Logger } from "./engine/run-host.ts";
import { loadTelemetry } from "./engine/telemetry/opentelemetry.ts";
import { storeNotNamed } from "./core/store-url.ts";
import { cwd, ensureDir, findUpward, joinPath } from "./platform/files.ts";
import { systemPlatform } from "./platform/system.ts";
import { env, writeErr } from "./platform/terminal.ts";
import type { Platform } from "./platform/platform.ts";
import { memoryStore } from "./store/memory/store.ts";
import type { FullStore } from "./store/full-store.ts";
import { openSqlite } from "./store/sqlite/store.ts";
import type { Environment } from "./client/environment.ts";

const folder = ".pawl";
const file = "state.db";

/** PAWL_STORE, else the nearest .pawl upward; undefined when there is neither. Makes nothing. */
export function existingStore(): string | undefined {
  const named = env("PAWL_STORE");
  if (named === "" && env("NODE_ENV") === "production") throw storeNotNamed("PAWL_STORE is an empty string");
  if (named !== undefined && named !== "") return named;
  const found = findUpward(cwd(), folder);
  return found === undefined ? undefined : `sqlite:${joinPath(found, file)}`;
}

/** The store of this place, or a new one here. */
export function nearestStore(): string {
  const here = existingStore();
  if (here !== undefined) return here;
  const dir = joinPath(cwd(), folder);
  ensureDir(dir);
  return `sqlite:${joinPath(dir, file)}`;
}

/** `make: false`: a server's store that is not there is refused. Whether a file is there, its caller has looked. */
export async function openStore(url: string | undefined, platform: Platform, o: { readonly make?: boolean } = {}): Promise<FullStore> {
  const where = url === undefined ? nearestStore() : url;
  if (typeof where !== "string") throw new PawlError("PAWL5002", "a store is named by text, or is a Store");
  if (where === "memory:") return memoryStore(platform);
  if (where.startsWith("sqlite:")) {
    const path = where.slice("sqlite:".length);
    if (path === "") throw new PawlError("PAWL5002", "sqlite: needs a path, such as sqlite:./.pawl/state.db");
    return openSqlite(path, platform);
  }
  // Their drivers are optional peers: a folder is imported only when a URL asks for it.
  if (/^postgres(ql)?:/.test(where)) return (await import("./store/postgres/store.ts")).openPostgres(where, platform, o);
  if (/^(mysql|mariadb):/.test(where)) return (await import("./store/mysql/store.ts")).openMysql(where, platform, o);
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(where)?.[1];
  if (scheme !== undefined) throw new PawlError("PAWL5002", `no store is known for ${scheme}:`);
  throw new PawlError(
    "PAWL5002",
    `store ${JSON.stringify(where)} does not say which kind of store it is: for a SQLite file, write "sqlite:${where}"`,
  );
}

/** Warnings and errors to stderr, a line each; the rest only with PAWL_LOG=info or debug. */
export const stderrLogger: Logger = (level, message, data) => {
  const wanted = env("PAWL_LOG");
  if (level === "debug" && wanted !== "debug") return;
  if (level === "info" && wanted !== "debug" && wanted !== "info") return;
  const { error, ...rest } = data ?? {};
  const why = error === undefined ? undefined : errorText(error, message);
  const shown = why === undefined ? rest : { ...rest, error: why };
  const gap = message.includes("\n") ? "\n" : " "; // a code frame has lines of its own, and so has what follows it
  writeErr(`pawl ${level}: ${message}${Object.keys(shown).length === 0 ? "" : `${gap}${JSON.stringify(shown)}`}\n`);
};

/** What an error says, with its stack if nobody expected it; undefined where the message says it already. */
function errorText(error: unknown, message: string): string | undefined {
  if (!(error instanceof Error)) return typeof error === "string" ? error : Object.prototype.toString.call(error);
  if (error.message !== "" && message.includes(error.message)) return undefined;
  return error instanceof PawlError ? `${error.name}: ${error.message}` : (error.stack ?? error.message);
}

let openedEngines = 0;

/** How often this process called run(), engine() or testEngine() so far: a file that does so by itself needs no workflow to be named. */
export function enginesOpenedHere(): number {
  return openedEngines;
}

export function noteEngineOpened(): void {
  openedEngines++;
}

/** What run() and engine() stand in. */
export function defaultEnvironment(): Environment {
  noteEngineOpened();
  const platform = systemPlatform();
  return {
    platform,
    log: stderrLogger,
    production: env("NODE_ENV") === "production",
    sealKey: env("PAWL_SEAL_KEY"),
    nearest: nearestStore,
    telemetry: loadTelemetry,
    open: (store) => openStore(store, platform),
  };
}
