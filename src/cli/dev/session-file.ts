// Where commands find a `pawl dev` that runs here: .pawl/dev.json, readable by its owner alone, with the address and a token. It is removed
// when that ends; one that a kill left behind names a process that is gone. It must never be read by anybody else.
import { PawlError } from "../../errors/error.ts";
import { cwd, ensureDir, exists, findUpward, joinPath, readText, removePath, replaceText, writeText } from "../../platform/files.ts";
import { isAlive, ownPid } from "../../platform/supervised-process.ts";

export interface DevSessionFile {
  readonly url: string;
  readonly pid: number;
  /** Null: it asks nobody. */
  readonly token: string | null;
  readonly tokenId: string | null;
  readonly store: string;
}

const folder = ".pawl";
const name = "dev.json";

/** The nearest one, whether its process still runs or not. */
export function readDevSession(): DevSessionFile | undefined {
  const found = findUpward(cwd(), folder);
  const text = found === undefined ? undefined : readText(joinPath(found, name));
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as DevSessionFile;
  } catch {
    return undefined; // cut off by a kill
  }
}

/** The `pawl dev` that runs here, or an error that says how to start one. */
export function runningDevSession(): DevSessionFile {
  const found = readDevSession();
  if (found === undefined || !isAlive(found.pid))
    throw new PawlError("PAWL5060", "no pawl dev runs in this folder or above it", { data: { help: "pawl help dev" } });
  return found;
}

/** Returns what takes it away again. */
export function writeDevSession(o: Omit<DevSessionFile, "pid">): () => void {
  const dir = findUpward(cwd(), folder) ?? joinPath(cwd(), folder);
  const ignored = joinPath(dir, ".gitignore");
  ensureDir(dir);
  if (!exists(ignored)) writeText(ignored, "*\n"); // it holds a token
  const path = joinPath(dir, name);
  const mine: DevSessionFile = { ...o, pid: ownPid() };
  replaceText(path, `${JSON.stringify(mine)}\n`, 0o600);
  return () => {
    if (readDevSession()?.pid === mine.pid) removePath(path);
  };
}
